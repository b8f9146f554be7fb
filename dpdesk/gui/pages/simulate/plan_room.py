"""The room where the sample of the supposed survey is planned."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.pages.simulate.planning import SamplePlanningView
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.widgets.boxes import Yielding, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.numbers.digits import epsilon_up


class PlanRoom(Yielding):
    """What is supposed in one line, the plan of the sample, and its figures.

    Args:
        scenario: What is supposed at first.

    Attributes:
        supposed: What is supposed, and the way to where it is changed.
        planning: The plan.
    """

    def __init__(self, scenario: Scenario[Any], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = Card(parent=self)
        self.supposed = SupposedLine(parent=card)
        self.planning = SamplePlanningView(scenario, parent=card)
        card.body.addWidget(self.supposed)
        card.body.addWidget(self.planning, 1)
        lay_column((card, 1), self.planning.figures, spacing=12, on=self)

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Plans anew for a scenario."""
        self.supposed.show_scenario(scenario)
        self.planning.show_scenario(scenario)


class SupposedLine(QWidget):
    """What is supposed of the survey, in one line, where the sample is planned.

    Attributes:
        change: Leads to where it is changed.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = ElidedLabel("", "muted", parent=self)
        self.change = QPushButton(self.tr("Change it in Explore"), self)
        self.change.setProperty("look", "link")
        lay_row((self.words, 1), self.change, spacing=8, on=self)

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows a scenario."""
        facts = (
            scenario.design.list_name,
            self.tr("ε = {epsilon}").format(epsilon=epsilon_up(scenario.epsilon)),
            scenario.truth_words,
            self.tr("n = {people}").format(people=f"{scenario.respondents:,}"),
        )
        self.words.set_text(self.tr("Supposed: {facts}").format(facts=" · ".join(facts)))
