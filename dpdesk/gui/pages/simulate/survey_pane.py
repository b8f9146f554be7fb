"""One kind of answer in its two rooms: card, views and figures, and the plan of the sample."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.beliefs_view import BeliefsView
from dpdesk.gui.pages.simulate.design_words import tr
from dpdesk.gui.pages.simulate.disclosure_view import DisclosurePanel
from dpdesk.gui.pages.simulate.error_view import CURVES, MAP, ErrorView
from dpdesk.gui.pages.simulate.estimator_plot import EstimatorPlot, SharesView
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.number_view import NumberPrivacyView
from dpdesk.gui.pages.simulate.plan_room import PlanRoom
from dpdesk.gui.pages.simulate.planning import SamplePlanningView
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.scales import RESPONDENTS_MIN
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario, SharesScenario
from dpdesk.gui.pages.simulate.seed_bar import SeedBar
from dpdesk.gui.pages.simulate.supposed_card import MeanCard, ShareCard, SharesCard, SupposedCard
from dpdesk.gui.pages.simulate.survey_tabs import BINARY, NUMBER, SEVERAL, SurveyTabs
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch, scaled
from dpdesk.gui.widgets.boxes import Yielding, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import FigureRow, FigureTile
from dpdesk.gui.widgets.throttle import BESIDE_INTERVAL, Rest, Throttle
from dpdesk.preview import error_text, factor_text, share_text, significant
from dpdesk.preview.survey import SurveyFigures, figures_of_survey

_CARD_WIDTH = 350
EXPLORE, PLAN = range(2)
"""The rooms of the page."""

Supposed = TypeVar("Supposed", bound=Scenario[Any])


class SurveyPane(QWidget, Generic[Supposed]):
    """Explore, with the supposed survey beside views of what it will show; and its sample's plan.

    Args:
        scenario: What is supposed at first.
        card: The card that edits it.
        error: What the view of errors shows at first: `MAP` or `CURVES`.
        settings: Where it is remembered what is unfolded.

    Attributes:
        first: What is supposed at first.
        exploreAsked: The user wants to change what is supposed.
        planningMade: Emitted with the plan of the sample, which is made when it is first wanted.
        impossible: Emitted with why the survey cannot be held; empty once it can.
        shown: Emitted with the scenario in force whenever it was shown.
    """

    exploreAsked = Signal()
    planningMade = Signal(object)
    impossible = Signal(str)
    shown = Signal(object)

    def __init__(
        self,
        scenario: Supposed,
        card: SupposedCard[Supposed],
        error: int,
        settings: Settings,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scenario: Supposed = scenario
        self.first: Supposed = scenario
        self.card: SupposedCard[Supposed] = card
        self._rooms = QStackedWidget(self)
        explore = Yielding(self._rooms)
        self._plan: PlanRoom | None = None
        self._views = Card(parent=explore)
        self.tabs = SurveyTabs(parent=self._views)
        self.estimator = EstimatorPlot(parent=self.tabs)
        self.errors = ErrorView(error, parent=self.tabs)
        self.respondents = PlayedSurvey(parent=self.tabs)
        self.seed = SeedBar(settings, parent=self._views)
        self.figures = SurveyFigureRow(tone="heading", parent=explore)
        self._drawn: list[QWidget] = [self.estimator]
        self._taken = False
        self._goes_on = False
        self._moved: frozenset[str] = frozenset()
        self._room = EXPLORE
        self._throttle = Throttle(self._show_view, self)
        self._beside = Throttle(self._show_beside, self, BESIDE_INTERVAL)
        self._resting = Rest(self._settle, self)
        self._views.body.addWidget(self.tabs, 1)
        self._views.body.addWidget(self.seed)
        right = lay_column((self._views, 1), self.figures, spacing=12)
        lay_row(card, (right, 1), spacing=12, on=explore)
        self._rooms.addWidget(scrolled(explore))
        self._dress()
        ThemeSwitch.instance().themeChanged.connect(self._dress)
        lay_column(self._rooms, on=self)
        card.goesOn.connect(self._go_on)
        card.scenarioChanged.connect(self._take)
        self.seed.newSeedAsked.connect(self.new_seed)
        self.seed.changed.connect(lambda name, value: self.change(**{name: value}))
        self.errors.pointTaken.connect(self._take_point)
        self.tabs.viewChosen.connect(self._take_view)

    def add(self, title: str, view: QWidget, *, drawn: bool = False) -> None:
        """Adds a view.

        Args:
            title: The word of its tab.
            view: The view.
            drawn: Whether it shows the surveys that the seed draws.
        """
        if drawn:
            self._drawn.append(view)
        self.tabs.add(title, view)

    @property
    def plan(self) -> PlanRoom:
        """The room where the sample is planned."""
        if self._plan is None:
            self._plan = PlanRoom(self._scenario, parent=self._rooms)
            self._rooms.addWidget(scrolled(self._plan))
            self._plan.supposed.change.clicked.connect(self.exploreAsked)
            planning = self._plan.planning
            planning.respondentsTaken.connect(lambda n: self.change(respondents=n))
            self.planningMade.emit(planning)
        return self._plan

    @property
    def planning(self) -> SamplePlanningView:
        """The plan of the sample."""
        return self.plan.planning

    def room(self) -> int:
        """What is looked at: `EXPLORE` or `PLAN`."""
        return self._room

    def set_room(self, room: int) -> None:
        """Looks at something else.

        Args:
            room: `EXPLORE` or `PLAN`.
        """
        self._room = room
        if room == EXPLORE:
            self.card.more.recall()
            self.seed.recall()
        self.flush()
        self._rooms.setCurrentIndex(room)

    def planned(self, memo: Any) -> Any:
        """Returns a planning memo with what was planned of the sample."""
        if self._plan is None:
            return memo
        self.planning.show_scenario(self._scenario)
        return self.planning.add_to_memo(memo)

    def scenario(self) -> Supposed:
        """The scenario in force."""
        return self._scenario

    def set_scenario(self, scenario: Supposed) -> None:
        """Puts another scenario in force."""
        # The card edits it from now on, and shows it with the views.
        self.card.hold(scenario)
        self._take(scenario)

    def change(self, **changes: object) -> None:
        """Changes fields of the scenario, or of its survey."""
        self.set_scenario(self._scenario.changed(**changes))

    def take_epsilon(self, epsilon: float) -> None:
        """Takes the design at an epsilon.

        Raises:
            ParameterError: The design cannot have it.
        """
        self.change(design=self._scenario.at_epsilon(epsilon))

    def new_seed(self) -> None:
        """Draws the surveys again, by the next seed."""
        self.change(seed=self._scenario.survey.seed + 1)

    def start_over(self) -> None:
        """Supposes again what was supposed at first."""
        self.card.solve.start_over()
        self.tabs.tabs.setCurrentIndex(0)
        self.set_scenario(self.first)
        self._scenario = replace(self._scenario, before=None)
        self.estimator.plot.forget_axes()
        self.flush()

    def flush(self) -> None:
        """Shows the scenario in force now."""
        self._resting.stop()
        self._throttle.flush()
        self._beside.flush()
        self.card.catch_up()

    def note(self) -> str:
        """What a picture of a view is of, in one line."""
        scenario, survey = self._scenario, self._scenario.survey
        seeded = self.tr("seed {seed}").format(seed=survey.seed)
        return self.tr("Simulation ({how}): {design}, n = {people}, {truth}").format(
            how=self.tr("exact") if survey.is_exact else seeded,
            design=scenario.design.list_name,
            people=f"{survey.respondents:,}",
            truth=scenario.truth_words,
        )

    def panes(self) -> list[QWidget]:
        """Scenario, views and figures; or the plan of the sample with its own."""
        if self._room == EXPLORE:
            return [self.card, self.tabs, self.figures]
        return [self.planning, self.planning.figures]

    def _dress(self) -> None:
        self.card.setFixedWidth(scaled(_CARD_WIDTH, 0.4))

    def _go_on(self) -> None:
        self._goes_on = True

    def _take(self, scenario: Supposed) -> None:
        """Takes a scenario; the one before the change is a ghost in the pictures.

        A drag of a slider is one change: its ghost is what stood there when it began.
        """
        moved = scenario.survey.moved_from(self._scenario.survey)
        before: Any = self._scenario.before
        if scenario.estimated != self._scenario.estimated:
            # Another quantity has nothing before it.
            before = None
        elif moved and not (self._goes_on and moved == self._moved):
            before = self._scenario.changed(before=None, kept=None, rivals=())
        if moved:
            self._moved = moved
        self._goes_on = False
        self._scenario = replace(scenario, before=before)
        self._taken = True
        self._throttle.request()
        self._beside.request()
        self._resting.start()

    def _take_point(self, epsilon: float, respondents: float) -> None:
        """Takes epsilon and respondents; a design that has its own parameters keeps them."""
        changes: dict[str, object] = {"respondents": max(round(respondents), RESPONDENTS_MIN)}
        if self._scenario.epsilon_decides:
            with suppress(DpdeskError):
                changes["design"] = self._scenario.at_epsilon(epsilon)
        self.change(**changes)

    def _take_view(self, view: QWidget) -> None:
        # Other views draw no surveys, or have a seed of their own.
        self.seed.setVisible(view in self._drawn)

    def _settle(self) -> None:
        """Shows all of a slider that rests; which devices are near is searched for once."""
        self._throttle.catch_up()
        self._beside.catch_up()
        self.card.show_nearest()

    def _show_view(self) -> None:
        """Shows what the hand on a slider looks at."""
        if self._room == EXPLORE:
            self.tabs.show_scenario(self._scenario)

    def _show_beside(self) -> None:
        """Shows what stands beside the view."""
        self.shown.emit(self._scenario)
        try:
            (self._show_explore if self._room == EXPLORE else self._show_plan)()
        except DpdeskError as error:
            self.impossible.emit(str(error))
            return
        self.impossible.emit("")

    def _show_explore(self) -> None:
        # A text that was refused stays on the card until something else is taken.
        if self._taken:
            self._taken = False
            self.card.show_scenario(self._scenario)
        self.seed.show_survey(self._scenario.survey)
        self.figures.show_scenario(self._scenario)

    def _show_plan(self) -> None:
        self.plan.show_scenario(self._scenario)
        self._scenario.survey.check()


class SurveyFigureRow(FigureRow):
    """Error, sample, belief and coverage."""

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the figures of a scenario."""
        found = figures_of_survey(scenario.survey)
        error, sample, told, coverage = self.tiles
        caption = self.tr("95 % error: sampling {sampling}, privacy {privacy}")
        detail = [
            self.tr(
                "Of everybody following the device; together the root of the sum of the squares."
            ),
            tr(scenario.beyond_words).format(share=share_text(found.beyond)),
        ]
        error.set_figure(
            error_text(found.error, scenario.error_unit),
            caption.format(
                sampling=error_text(found.sampling, ""), privacy=error_text(found.privacy, "")
            ),
            " ".join(detail),
        )
        sample.set_figure(
            factor_text(found.factor) if isfinite(found.factor) else "∞",
            self.tr("sample against a direct question"),
            self.tr(
                "{people} respondents tell as much as {direct} direct, truthful answers."
            ).format(
                people=f"{scenario.respondents:,}",
                direct=significant(found.effective_respondents, 3),
            ),
        )
        told.set_figure(*scenario.disclosed())
        self._show_coverage(coverage, scenario, found)

    def _show_coverage(
        self, tile: FigureTile, scenario: Scenario[Any], found: SurveyFigures
    ) -> None:
        survey = scenario.survey
        caption = (
            self.tr("of all intervals hold the {what}")
            if survey.is_exact
            else self.tr("of {count} intervals hold the {what}")
        ).format(count=f"{survey.repetitions:,}", what=tr(scenario.quantity_words))
        if survey.all_follow and scenario.design.unbiased:
            detail = self.tr("Everybody follows the device: the estimate is unbiased.")
        elif survey.all_follow:
            detail = self.tr(
                "Everybody follows the device: the estimate is biased a little, less with more "
                "respondents, since it is divided by the share who attend."
            )
        else:
            detail = self.tr(
                "Respondents who do not follow the device move the estimate by {bias}."
            ).format(bias=f"{significant(found.bias, 2)} {scenario.error_unit}".strip())
        words = f"{detail} {scenario.drawn_words}".strip()
        tile.set_figure(f"{100 * found.coverage:.1f} %", caption, words)


def share_pane(settings: Settings, parent: QWidget) -> SurveyPane[ShareScenario]:
    """Makes the pane of a question answered with yes or no."""
    scenario = ShareScenario(question=_tr("Have you ever had an extramarital affair?"))
    pane = SurveyPane(scenario, ShareCard(scenario, settings), MAP, settings, parent=parent)
    return _with_views(pane, DisclosurePanel(parent=pane))


def shares_pane(settings: Settings, parent: QWidget) -> SurveyPane[SharesScenario]:
    """Makes the pane of a question with several answers."""
    names = (_tr("never"), _tr("once or twice"), _tr("monthly"), _tr("weekly or more often"))
    scenario = SharesScenario(
        question=_tr("How often did you take illegal drugs in the past year?"), names=names
    )
    pane = SurveyPane(scenario, SharesCard(scenario, settings), CURVES, settings, parent=parent)
    shares = SharesView(parent=pane)
    return _with_views(pane, BeliefsView(parent=pane), (_tr("All answers"), shares))


def mean_pane(settings: Settings, parent: QWidget) -> SurveyPane[MeanScenario]:
    """Makes the pane of a question whose answer is a number."""
    scenario = MeanScenario(
        question=_tr("How much did you earn last month without paying tax?"), unit=_tr("euros")
    )
    pane = SurveyPane(scenario, MeanCard(scenario, settings), CURVES, settings, parent=parent)
    return _with_views(pane, NumberPrivacyView(parent=pane))


def _with_views(
    pane: SurveyPane[Supposed], disclosure: QWidget, *drawn: tuple[str, QWidget]
) -> SurveyPane[Supposed]:
    """Returns a pane with the views of its kind of answer.

    Args:
        pane: The pane.
        disclosure: What an answer discloses.
        drawn: Titles of further pictures of the estimates, and the pictures.
    """
    pane.add(_tr("Estimator"), pane.estimator)
    for title, picture in drawn:
        pane.add(title, picture, drawn=True)
    pane.add(_tr("Error by n and ε"), pane.errors)
    pane.add(_tr("One by one"), pane.respondents)
    pane.add(_tr("Disclosure"), disclosure)
    return pane


PANES: dict[str, Callable[[Settings, QWidget], SurveyPane[Any]]] = {
    BINARY: share_pane,
    SEVERAL: shares_pane,
    NUMBER: mean_pane,
}
"""What makes the pane of each kind of answer."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("SurveyPane", text)
