"""Card, views and figures of one kind of answer, as they stand on the page."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.beliefs_view import BeliefsView
from dpdesk.gui.pages.simulate.curves_view import CurvesView
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.estimator_plot import EstimatorPlot
from dpdesk.gui.pages.simulate.figures_row import SurveyFigureRow
from dpdesk.gui.pages.simulate.number_view import NumberPrivacyView
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.scenario import MeanScenario, Scenario, SharesScenario
from dpdesk.gui.pages.simulate.seed_bar import SeedBar
from dpdesk.gui.pages.simulate.shares_plot import SharesView
from dpdesk.gui.pages.simulate.supposed_card import MeanCard, SharesCard, SupposedCard
from dpdesk.gui.pages.simulate.survey_tabs import SurveyTabs
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.throttle import Throttle

_CARD_WIDTH = 350
Supposed = TypeVar("Supposed", SharesScenario, MeanScenario)


class SurveyDesk(QWidget, Generic[Supposed]):
    """The supposed survey on the left, views of what it will show on the right.

    Args:
        scenario: What is supposed at first.
        card: The card that edits it.
        parent: Qt's owner.

    Attributes:
        first: What is supposed at first.
        impossible: Emitted with why the survey cannot be held; empty once it can.
    """

    impossible = Signal(str)

    def __init__(
        self, scenario: Supposed, card: SupposedCard[Supposed], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._scenario: Supposed = scenario
        self.first: Supposed = scenario
        self.card: SupposedCard[Supposed] = card
        card.setFixedWidth(_CARD_WIDTH)
        self.tabs = SurveyTabs(parent=self)
        self.estimator = EstimatorPlot(parent=self)
        self.curves = CurvesView(parent=self)
        self.respondents = PlayedSurvey(parent=self)
        self.seed = SeedBar(parent=self)
        # There are too many outcomes to go through them all.
        self.seed.exact.hide()
        self.figures = SurveyFigureRow(parent=self)
        self._throttle = Throttle(self._refresh, self)
        self._lay_out()
        card.scenarioChanged.connect(self._take)
        self.seed.newSeedAsked.connect(self.new_seed)
        self.seed.seedTyped.connect(lambda seed: self._change(seed=seed))
        self.seed.repetitionsChosen.connect(lambda count: self._change(repetitions=count))
        self.tabs.viewChosen.connect(self._take_view)

    def scenario(self) -> Supposed:
        """The scenario in force."""
        return self._scenario

    def set_scenario(self, scenario: Supposed) -> None:
        """Puts another scenario in force."""
        self._take(scenario)

    def set_question(self, question: str) -> None:
        """Takes another question."""
        self._change(question=question)

    def new_seed(self) -> None:
        """Holds the surveys anew."""
        self._change(seed=self._scenario.seed + 1)

    def flush(self) -> None:
        """Shows the scenario in force now."""
        self._throttle.flush()

    def note(self) -> str:
        """What a picture of a view is of, in one line."""
        scenario = self._scenario
        words = self.tr("Simulation (seed {seed}): {design}, n = {people}, truth {truth}")
        return words.format(
            seed=scenario.seed,
            design=design_title(scenario.design),
            people=f"{scenario.respondents:,}",
            truth=scenario.value_words(scenario.truth),
        )

    def panes(self) -> list[QWidget]:
        """Scenario, views and figures."""
        return [self.card, self.tabs, self.figures]

    def _lay_out(self) -> None:
        views = Card(parent=self)
        views.body.addWidget(self.tabs, 1)
        views.body.addWidget(self.seed)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(views, 1)
        right.addWidget(self.figures)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.card)
        row.addLayout(right, 1)

    def _change(self, **changes: object) -> None:
        self._take(self._scenario.changed(**changes))

    def _take(self, scenario: Scenario) -> None:
        assert isinstance(scenario, type(self._scenario))  # noqa: S101 - the card is of this kind
        self._scenario = scenario
        self._throttle.request()

    def _take_view(self, view: object) -> None:
        # Other views draw no surveys, or have a seed of their own.
        self.seed.setVisible(isinstance(view, (EstimatorPlot, SharesView)))

    def _refresh(self) -> None:
        self.card.show_scenario(self._scenario)
        self.seed.show_scenario(self._scenario)
        self.tabs.show_scenario(self._scenario)
        try:
            self.figures.show_scenario(self._scenario)
        except DpdeskError as error:
            self.impossible.emit(str(error))
            return
        self.impossible.emit("")


def several_desk(parent: QWidget) -> SurveyDesk[SharesScenario]:
    """Makes the desk of a question with several answers."""
    names = (_tr("never"), _tr("once or twice"), _tr("monthly"), _tr("weekly or more often"))
    scenario = SharesScenario(
        question=_tr("How often did you take illegal drugs in the past year?"), names=names
    )
    desk = SurveyDesk(scenario, SharesCard(scenario), parent=parent)
    desk.tabs.add(_tr("Estimator"), desk.estimator)
    desk.tabs.add(_tr("All answers"), SharesView(parent=desk))
    desk.tabs.add(_tr("Error by n and ε"), desk.curves)
    desk.tabs.add(_tr("One by one"), desk.respondents)
    desk.tabs.add(_tr("What answers betray"), BeliefsView(parent=desk))
    desk.flush()
    return desk


def number_desk(parent: QWidget) -> SurveyDesk[MeanScenario]:
    """Makes the desk of a question whose answer is a number."""
    scenario = MeanScenario(
        question=_tr("How much did you earn last month without paying tax?"), unit=_tr("euros")
    )
    desk = SurveyDesk(scenario, MeanCard(scenario), parent=parent)
    desk.tabs.add(_tr("Estimator"), desk.estimator)
    desk.tabs.add(_tr("Error by n and ε"), desk.curves)
    desk.tabs.add(_tr("One by one"), desk.respondents)
    desk.tabs.add(_tr("What answers betray"), NumberPrivacyView(parent=desk))
    desk.flush()
    return desk


def _tr(text: str) -> str:
    return QCoreApplication.translate("SurveyDesk", text)
