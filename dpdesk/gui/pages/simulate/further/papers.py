"""The instruction sheet and the planning memo of several answers and of numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.designs.instructions import Blank
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario, SeveralScenario
from dpdesk.gui.pages.simulate.papers_dialog import SHEET, PapersDialog
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.report.survey import sheet_html
from dpdesk.report.survey.further_memo import (
    NumberMemoRequest,
    SeveralMemoRequest,
    number_memo_html,
    several_memo_html,
)


class FurtherPapers(PapersDialog):
    """Shows both papers of a scenario and saves them.

    Args:
        scenario: The supposed survey.
        theme: The switch that the icons follow.
        parent: The window it belongs to.
    """

    def __init__(
        self, scenario: FurtherScenario, theme: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        self._further = scenario
        super().__init__(Scenario(question=scenario.question), theme, parent)

    def _blanks(self) -> tuple[Blank, ...]:
        # The words of the answers stand on the page already; nothing else is asked.
        return ()

    def _page(self, *, paper: bool = False) -> str:
        scenario = self._further
        if self.tabs.currentIndex() == SHEET:
            names = scenario.names if isinstance(scenario, SeveralScenario) else ()
            return sheet_html(scenario.design, scenario.question, names, paper=paper)
        if isinstance(scenario, SeveralScenario):
            request = SeveralMemoRequest(
                scenario.question,
                scenario.design,
                scenario.names,
                scenario.shares,
                scenario.respondents,
            )
            return several_memo_html(request, paper=paper)
        number = NumberMemoRequest(
            scenario.question,
            scenario.design,
            scenario.mean,
            scenario.deviation,
            scenario.respondents,
            scenario.unit,
        )
        return number_memo_html(number, paper=paper)
