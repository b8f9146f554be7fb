"""Card, views and figures of one kind of answer, as they stand on the page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from dpdesk.domains import parse_number
from dpdesk.errors import DpdeskError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.beliefs_view import BeliefsView
from dpdesk.gui.pages.simulate.design_words import design_title, tr
from dpdesk.gui.pages.simulate.disclosure_view import DisclosurePanel
from dpdesk.gui.pages.simulate.error_view import CURVES, MAP, ErrorView
from dpdesk.gui.pages.simulate.estimator_plot import EstimatorPlot, SharesView
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.number_view import NumberPrivacyView
from dpdesk.gui.pages.simulate.played_survey import PlayedSurvey
from dpdesk.gui.pages.simulate.scales import RESPONDENTS_MIN
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario, SharesScenario
from dpdesk.gui.pages.simulate.supposed_card import MeanCard, ShareCard, SharesCard, SupposedCard
from dpdesk.gui.pages.simulate.survey_tabs import BINARY, NUMBER, SEVERAL, SurveyTabs
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.figure_tile import FigureRow, FigureTile
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.throttle import Throttle
from dpdesk.preview import error_text, factor_text, share_text, significant
from dpdesk.preview.survey import SupposedSurvey, SurveyFigures, figures_of_survey
from dpdesk.report.survey import PlanningMemo

_CARD_WIDTH = 350
_REPETITIONS = (100, 1_000, 10_000, 100_000)
_SEED_MAX = 2**31 - 1
_BETWEEN = 8
_ROOMY = 640

Supposed = TypeVar("Supposed", bound=Scenario[Any])


class SurveyPane(QWidget, Generic[Supposed]):
    """The supposed survey on the left, views of what it will show on the right.

    Args:
        scenario: What is supposed at first.
        card: The card that edits it.
        error: What the view of errors shows at first: `MAP` or `CURVES`.

    Attributes:
        first: What is supposed at first.
        planned: Adds what was planned of the sample to a planning memo.
        impossible: Emitted with why the survey cannot be held; empty once it can.
        shown: Emitted with the scenario in force whenever it was shown.
        savingOffered: Emitted with whether the view that is looked at can be saved as a simulation.
    """

    impossible = Signal(str)
    shown = Signal(object)
    savingOffered = Signal(bool)

    def __init__(
        self,
        scenario: Supposed,
        card: SupposedCard[Supposed],
        error: int,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scenario: Supposed = scenario
        self.first: Supposed = scenario
        self.planned: Callable[[Any], PlanningMemo] = lambda memo: memo
        self.card: SupposedCard[Supposed] = card
        ScaledWidth(card, _CARD_WIDTH, part=0.4)
        self.tabs = SurveyTabs(parent=self)
        self.estimator = EstimatorPlot(parent=self)
        self.errors = ErrorView(error, parent=self)
        self.respondents = PlayedSurvey(parent=self)
        self.seed = SeedBar(parent=self)
        self.figures = SurveyFigureRow(parent=self)
        self._drawn: list[QWidget] = [self.estimator]
        self._taken = False
        self._own_figures: dict[object, QWidget | None] = {}
        self._throttle = Throttle(self._refresh, self)
        self._lay_out()
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

    def add_apart(self, title: str, view: QWidget, figures: QWidget | None = None) -> None:
        """Adds a view that is of no simulation, and has ways of its own to be saved.

        Args:
            title: The word of its tab.
            view: The view.
            figures: What stands below it instead of the figures of the survey.
        """
        self._own_figures[view] = figures
        if figures is not None:
            self._right.addWidget(figures)
            figures.hide()
        self.tabs.add(title, view)

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
        """Holds the surveys anew."""
        self.change(seed=self._scenario.survey.seed + 1)

    def start_over(self) -> None:
        """Supposes again what was supposed at first."""
        self.card.solve.start_over()
        self.tabs.tabs.setCurrentIndex(0)
        self.set_scenario(self.first)

    def flush(self) -> None:
        """Shows the scenario in force now."""
        self._throttle.flush()
        self.card.catch_up()

    def offers_saving(self) -> bool:
        """Whether the view that is looked at can be saved as a simulation."""
        return all(view is not self.tabs.current() for view in self._own_figures)

    def note(self) -> str:
        """What a picture of a view is of, in one line."""
        scenario, survey = self._scenario, self._scenario.survey
        seeded = self.tr("seed {seed}").format(seed=survey.seed)
        return self.tr("Simulation ({how}): {design}, n = {people}, {truth}").format(
            how=self.tr("exact") if survey.is_exact else seeded,
            design=design_title(scenario.design),
            people=f"{survey.respondents:,}",
            truth=scenario.truth_words,
        )

    def panes(self) -> list[QWidget]:
        """Scenario, views and figures."""
        return [self.card, self.tabs, self.figures]

    def _lay_out(self) -> None:
        views = Card(parent=self)
        views.body.addWidget(self.tabs, 1)
        views.body.addWidget(self.seed)
        self._right = lay_column((views, 1), self.figures, spacing=12)
        lay_row(self.card, (self._right, 1), spacing=12, on=self)

    def _take(self, scenario: Supposed) -> None:
        self._scenario = scenario
        self._taken = True
        self._throttle.request()

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
        self.figures.setVisible(view not in self._own_figures)
        for own, figures in self._own_figures.items():
            if figures is not None:
                figures.setVisible(own is view)
        self.savingOffered.emit(self.offers_saving())

    def _refresh(self) -> None:
        # A text that was refused stays on the card until something else is taken.
        if self._taken:
            self._taken = False
            self.card.show_scenario(self._scenario)
        self.seed.show_survey(self._scenario.survey)
        self.tabs.show_scenario(self._scenario)
        self.shown.emit(self._scenario)
        try:
            self.figures.show_scenario(self._scenario)
        except DpdeskError as error:
            self.impossible.emit(str(error))
            return
        self.impossible.emit("")


class SeedBar(QWidget):
    """Says that this is a simulation, with the seed that repeats it.

    Attributes:
        newSeedAsked: The button of a new seed was clicked.
        changed: Emitted with the name of a field of the survey and its value.
    """

    newSeedAsked = Signal()
    changed = Signal(str, object)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.words = ElidedLabel("", "muted", parent=self)
        self.exact = QCheckBox(self.tr("all outcomes"), self)
        self.exact.setToolTip(
            self.tr("Goes through every outcome instead of drawing surveys, up to n = 5,000")
        )
        self.surveys = ChoiceBox(self.tr("Number of simulated surveys"), parent=self)
        # Beside large text the number is what has to be read.
        self.surveys.setMinimumContentsLength(5)
        for count in _REPETITIONS:
            self.surveys.addItem(self.tr("{count} surveys").format(count=f"{count:,}"), count)
        self.seed = CommitLine(self.tr("Seed of the simulation"), parent=self)
        ScaledWidth(self.seed, 72, part=0.0)
        self._renew_words = self.tr("Ne&w seed")
        self.renew = QPushButton(self._renew_words, self)
        self.renew.setAccessibleName(self._renew_words.replace("&", ""))
        self.renew.setToolTip(self.tr("Hold the surveys anew (Ctrl+R)"))
        IconBond(self.renew, "refresh", "text")
        row = lay_row((self.words, 1), spacing=_BETWEEN, on=self)
        row.addStretch(0)
        row.addWidget(self.exact)
        row.addWidget(self.surveys)
        self._seed_word = PlainLabel(self.tr("seed"), "muted", parent=self)
        row.addWidget(self._seed_word)
        row.addWidget(self.seed)
        row.addWidget(self.renew)
        self.exact.clicked.connect(lambda exact: self.changed.emit("simulated", not exact))
        self.surveys.activated.connect(
            lambda _: self.changed.emit("repetitions", self.surveys.currentData())
        )
        self.seed.committed.connect(self._type)
        self.renew.clicked.connect(self.newSeedAsked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the words out where they would be a dot or two: the head of the page says it."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leaves words out, whole ones, until everything else has its width."""
        self.words.setVisible(self.width() >= _ROOMY)
        self.renew.setText(self._renew_words)
        parts = (self.exact, self.surveys, self.seed, self.renew)
        used = sum(p.minimumSizeHint().width() + _BETWEEN for p in parts if not p.isHidden())
        used += max(self.seed.minimumWidth() - self.seed.minimumSizeHint().width(), 0)
        word = self._seed_word.sizeHint().width() + _BETWEEN
        self._seed_word.setVisible(used + word <= self.width())
        if used > self.width():
            self.renew.setText("")

    def show_survey(self, survey: SupposedSurvey) -> None:
        """Shows how a survey is drawn."""
        self.seed.set_value(str(survey.seed))
        self.exact.setVisible(survey.countable)
        self.exact.setEnabled(survey.can_be_exact)
        self.exact.setChecked(survey.is_exact)
        self._fit()
        self.surveys.setCurrentIndex(max(self.surveys.findData(survey.repetitions), 0))
        for widget in (self.seed, self.renew):
            widget.setEnabled(not survey.is_exact)
        self.words.set_text(
            self.tr("Hypothetical: every outcome with its chance")
            if survey.is_exact
            else self.tr("Simulation: nobody was asked")
        )

    def _type(self, text: str) -> None:
        number = parse_number(text)
        if number is None or number != int(number) or not 0 <= number <= _SEED_MAX:
            self.seed.refuse(self.tr("Type a whole number such as 1, up to 2,147,483,647."))
            return
        self.changed.emit("seed", int(number))


class SurveyFigureRow(FigureRow):
    """Error, sample, belief and coverage."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)

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
        if scenario.design.error_is_bound:
            caption = self.tr("95 % error at most: sampling {sampling}, privacy {privacy}")
            detail.insert(0, self.tr("An upper bound: sums do not show how answers spread."))
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


def share_pane(parent: QWidget) -> SurveyPane[ShareScenario]:
    """Makes the pane of a question answered with yes or no."""
    scenario = ShareScenario(question=_tr("Have you ever had an extramarital affair?"))
    pane = SurveyPane(scenario, ShareCard(scenario), MAP, parent=parent)
    return _with_views(pane, DisclosurePanel(parent=pane))


def shares_pane(parent: QWidget) -> SurveyPane[SharesScenario]:
    """Makes the pane of a question with several answers."""
    names = (_tr("never"), _tr("once or twice"), _tr("monthly"), _tr("weekly or more often"))
    scenario = SharesScenario(
        question=_tr("How often did you take illegal drugs in the past year?"), names=names
    )
    pane = SurveyPane(scenario, SharesCard(scenario), CURVES, parent=parent)
    shares = SharesView(parent=pane)
    return _with_views(pane, BeliefsView(parent=pane), (_tr("All answers"), shares))


def mean_pane(parent: QWidget) -> SurveyPane[MeanScenario]:
    """Makes the pane of a question whose answer is a number."""
    scenario = MeanScenario(
        question=_tr("How much did you earn last month without paying tax?"), unit=_tr("euros")
    )
    pane = SurveyPane(scenario, MeanCard(scenario), CURVES, parent=parent)
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


PANES: dict[str, Callable[[QWidget], SurveyPane[Any]]] = {
    BINARY: share_pane,
    SEVERAL: shares_pane,
    NUMBER: mean_pane,
}
"""What makes the pane of each kind of answer."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("SurveyPane", text)
