"""The first question: what will people do with the file? Purposes, strategies and five rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import get_args

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QRadioButton, QSizePolicy, QWidget

from dpdesk.cost import two_places
from dpdesk.engine import Job
from dpdesk.errors import DpdeskError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.plan.plan_dialog import PlanDialog
from dpdesk.gui.pages.plan.wanted_analyses import WantedAnalyses
from dpdesk.gui.pages.plan.words import tr
from dpdesk.gui.strategy_words import tr_plan
from dpdesk.gui.verdict_words import verdict_word
from dpdesk.gui.widgets.boxes import lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import ReadTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.i18n import N_
from dpdesk.plan import Plan
from dpdesk.plan.joint_errors import wanted_analyses
from dpdesk.plan.model import Strategy
from dpdesk.plan.outlook import Outlook, outlook, outlook_of
from dpdesk.plan.purpose import PURPOSES, Purpose, PurposeName
from dpdesk.plan.usefulness import Usefulness
from dpdesk.preview.output_rows import OutputRows, output_rows

_LEFT: dict[Strategy, str] = {
    "spl": N_("Shares, means, tables and models: a row has every answer."),
    "smp": N_("Shares and means; no tables, for a row has one answer."),
    "rsfd": N_("Shares; tables are drowned by the fakes."),
    "rsrfd": N_("Shares; tables are drowned by the fakes."),
}
_TITLES: dict[Strategy, str] = {
    "spl": N_("Report every answer"),
    "smp": N_("One answer per respondent"),
    "rsfd": N_("One answer, others faked"),
    "rsrfd": N_("One answer, realistic fakes"),
}
_TRUSTED = N_(
    "Do respondents trust you with their answers, and are the numbers known that people want? "
    "Counts, means and tables of the trusted file have far less noise; no records are released."
)
_SIZE = 980, 690
_COLUMNS_SHOWN = 40


class ChoiceCard(Card):
    """A radio button as the title of a card, with lines below; a click anywhere chooses it.

    Args:
        title: The words of the button.

    Attributes:
        button: The radio button.
    """

    def __init__(self, title: str, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.button = QRadioButton(title, self)
        self.body.addWidget(self.button)
        self.body.addStretch(1)
        self._lines: list[PlainLabel] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def lines(self) -> tuple[str, ...]:
        """The lines below the title."""
        return tuple(line.text() for line in self._lines)

    def show_lines(self, *lines: tuple[str, str]) -> None:
        """Shows lines, each with the tone of its text."""
        while len(self._lines) < len(lines):
            line = PlainLabel("", "caption", wrap=True, parent=self)
            self.body.insertWidget(self.body.count() - 1, line)
            self._lines.append(line)
        for line, (text, tone) in zip(self._lines, lines, strict=False):
            line.setText(text.replace("ε = ", "ε\u00a0=\u00a0"))
            line.set_tone(tone)
        self.button.setAccessibleDescription(" ".join(text for text, _ in lines))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.button.isEnabled():
            self.button.setChecked(True)
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()


class OutputModel(RowModel[tuple[str, ...]]):
    """The rows of a simulated release."""

    def show_output(self, found: OutputRows) -> None:
        """Shows the first rows, and so many columns as a table can show."""
        self.beginResetModel()
        self.heads = tuple(Head(name) for name in found.names[:_COLUMNS_SHOWN])
        self.rows = tuple(row[:_COLUMNS_SHOWN] for row in found.rows)
        self.endResetModel()

    def text(self, row: tuple[str, ...], column: int) -> str:
        return row[column]

    def _make_heads(self) -> tuple[Head, ...]:
        return ()


class PurposeDialog(PlanDialog):
    """Chooses what the file is for, and how the questions share a respondent's report.

    Args:
        plan: The plan.
        attribute: The attribute whose error the cards show; the worst one if empty.
        choose: Puts a plan for a purpose in force; returns why it was refused, or "".
        use_statistics: Plans statistics of the trusted file instead of records.
        parent: The window it belongs to.

    Attributes:
        purposes, strategies: The cards.
        trusted: The button for curators who are trusted with the answers.
        wanted: What will be looked at together.
        rows: The simulated rows.
        note: What the rows are.
    """

    def __init__(
        self,
        plan: Plan,
        attribute: str,
        choose: Callable[[Plan], str],
        use_statistics: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("What will people do with the file?"), _SIZE, parent)
        self._plan, self._attribute, self._choose = plan, attribute, choose
        self._use_statistics = use_statistics
        self.trusted = QPushButton(tr("&Statistics instead"), self)
        self.trusted.clicked.connect(self._take_statistics)
        self._outlooks: dict[Strategy, Outlook] = {}
        self._watch = JobWatch(self)
        self._watch.finished.connect(self._show_rows)
        self._watch.failed.connect(self._show_failure)
        self.purposes: dict[PurposeName, ChoiceCard] = {
            key: ChoiceCard(tr(purpose.title), parent=self) for key, purpose in PURPOSES.items()
        }
        self.wanted = WantedAnalyses(plan, parent=self)
        strategies: tuple[Strategy, ...] = get_args(Strategy)
        self.strategies: dict[Strategy, ChoiceCard] = {
            key: ChoiceCard(tr_plan(_TITLES[key]), parent=self) for key in strategies
        }
        self._groups = [
            _group(self, cards) for cards in (self.purposes.values(), self.strategies.values())
        ]
        for key, card in self.purposes.items():
            card.show_lines((_meaning(PURPOSES[key], plan), "caption"))
            card.button.toggled.connect(partial(self._take_purpose, key))
        for strategy, other in self.strategies.items():
            other.button.toggled.connect(partial(self._take_strategy, strategy))
        self._model = OutputModel(self)
        self.rows = ReadTable(self._model, tr("Five rows as they would be released"), row_height=26)
        self.rows.setMinimumHeight(150)
        self.note = PlainLabel("", "caption", wrap=True, parent=self)
        inside = QWidget(self)
        lay_column(
            lay_row(*((card, 1) for card in self.purposes.values()), spacing=10),
            self.wanted,
            lay_row((PlainLabel(tr(_TRUSTED), "caption", wrap=True, parent=self), 1), self.trusted),
            PlainLabel(
                tr("How a respondent's budget is used, at the same total"), "heading", parent=self
            ),
            lay_row(*((card, 1) for card in self.strategies.values()), spacing=10),
            PlainLabel(tr("Five rows as they would be released"), "heading", parent=self),
            (self.rows, 1),
            self.note,
            spacing=8,
            on=inside,
        )
        title = tr("What will people do with the released file?")
        self._lay_out(title, "", (scrolled(inside), 1))
        self._purpose: PurposeName | None = None
        self._strategy: Strategy = plan.strategy
        self.wanted.changed.connect(self._take_wanted)
        self._begin()

    def attempt(self) -> str:
        # What was typed and not yet taken counts.
        if refused := self.wanted.commit():
            return refused
        found, analyses = self._outlooks[self._strategy], self.wanted.analyses()
        if self._stays(self._strategy):
            changed = self._plan.with_fields(analyses=analyses)
            return "" if changed == self._plan else self._choose(changed)
        return found.obstacle if found.plan is None else self._choose(found.plan)

    def follow(self, _: Plan, plan: Plan) -> None:
        """Judges anew by what was counted in the file since the dialog was opened."""
        # Counts are no part of a plan's equality: an equal plan has new counts.
        if plan == self._plan:
            self._plan = plan
            self._show_outlooks()
            self._show_worth()

    def _take_statistics(self) -> None:
        self.reject()
        self._use_statistics()

    def done(self, result: int) -> None:
        """Ends the simulation that runs."""
        self._watch.shut_down()
        super().done(result)

    def _begin(self) -> None:
        if self._plan.purpose is not None:
            self.purposes[self._plan.purpose].button.setChecked(True)
        self._show_outlooks()
        self.strategies[self._plan.strategy].button.setChecked(True)
        self._look()

    def _take_purpose(self, purpose: PurposeName, chosen: bool) -> None:
        if not chosen:
            return
        self._withdraw_refusal()
        self._purpose = purpose
        self._show_outlooks()
        strategy = PURPOSES[purpose].strategy(len(self._plan.protected))
        proposed = self.strategies[strategy].button
        if proposed.isChecked():
            self._look()
        else:
            proposed.setChecked(True)

    def _take_wanted(self) -> None:
        """Judges every strategy by what will be looked at together."""
        self._withdraw_refusal()
        self._show_outlooks()
        self._show_worth()

    def _show_worth(self) -> None:
        stays = self._stays(self._strategy)
        self.wanted.show_worth(self._plan if stays else self._outlooks[self._strategy].plan)

    def _take_strategy(self, strategy: Strategy, chosen: bool) -> None:
        if chosen:
            self._withdraw_refusal()
            self._strategy = strategy
            self._look()

    def _show_outlooks(self) -> None:
        """Computes what each strategy makes of the plan for the purpose."""
        plan = self._plan.with_fields(purpose=self._purpose, analyses=self.wanted.analyses())
        for strategy, card in self.strategies.items():
            found = outlook_of(plan) if self._stays(strategy) else outlook(plan, strategy)
            self._outlooks[strategy] = found
            card.show_lines(*self._lines(found))
            # The strategy in force stays to be seen, with its obstacle.
            card.button.setEnabled(found.plan is not None or strategy == self._plan.strategy)

    def _stays(self, strategy: Strategy) -> bool:
        """Whether nothing else is chosen: epsilons and mechanisms then stay as they are."""
        same_purpose = self._purpose in (None, self._plan.purpose)
        return same_purpose and strategy == self._plan.strategy

    def _lines(self, found: Outlook) -> tuple[tuple[str, str], ...]:
        if found.usefulness is None or found.plan is None:
            return (found.obstacle, "caption"), ("", "caption"), ("", "caption"), ("", "caption")
        useful = tr("{useful} of {count} attributes useful").format(
            useful=f"{len(found.usefulness.named('useful')):,}",
            count=f"{len(found.usefulness.by_name):,}",
        )
        worth = found.usefulness.by_name
        name = self._attribute if self._attribute in worth else _worst(worth)
        error = f"{name} {_error_text(worth[name])}" if name else useful
        verdict = f"{verdict_word(worth[name].verdict)}; {useful}" if name else ""
        left = tr(_LEFT[found.strategy])
        left += _tables_words(found)
        loss = tr("Whole record ε = {record}, one answer ε = {one}").format(
            record=two_places(found.record), one=two_places(found.one)
        )
        return (error, "strong"), (verdict, "caption"), (left, "caption"), (loss, "caption")

    def _look(self) -> None:
        """Simulates five rows of the plan that is looked at."""
        self._show_worth()
        plan = self._outlooks[self._strategy].plan
        self._watch.shut_down(timeout=0.0)
        if plan is None or not plan.protected:
            self.note.setText(tr("Protect an attribute first."))
            return
        self._watch.start(Job(tr("Simulating five rows"), partial(output_rows, plan)))

    def _show_rows(self, found: OutputRows) -> None:
        self._model.show_output(found)
        self.rows.resizeColumnsToContents()
        # All of the rows, above the bar that wide ones scroll with.
        heads, bar = self.rows.horizontalHeader(), self.rows.horizontalScrollBar()
        height = heads.sizeHint().height() + bar.sizeHint().height()
        height += sum(self.rows.rowHeight(row) for row in range(self._model.rowCount()))
        self.rows.setMinimumHeight(height + 2)
        said = tr(
            "Simulated from the declared domains: no answer of the data is used, and nothing is "
            "spent. {count} columns."
        ).format(count=f"{len(found.names):,}")
        if found.columns_left_out:
            said += " " + tr("{count} more attributes are not shown.").format(
                count=f"{found.columns_left_out:,}"
            )
        self.note.setText(said)

    def _show_failure(self, error: DpdeskError) -> None:
        self.note.setText(str(error))


def _meaning(purpose: Purpose, plan: Plan) -> str:
    """What a purpose is for this plan."""
    several = any(column.kind == "several" for column in plan.protected)
    more = tr(purpose.of_several) if several and purpose.of_several else ""
    return f"{tr(purpose.meaning)} {more}".strip()


def _tables_words(found: Outlook) -> str:
    """What tables are worth under a strategy, or how many that are wanted cannot be had."""
    told = () if found.plan is None else wanted_analyses(found.plan)
    lost = sum(one.error is None for one in told)
    if lost:
        words = tr("{lost} of {count} that are looked at together cannot be had.")
        return " " + words.format(lost=lost, count=len(told))
    if found.joint is None:
        return ""
    words = tr("A cell of two questions: {error}, {verdict}.")
    if told:
        words = tr("Of what is looked at together, at worst: {error}, {verdict}.")
    return " " + words.format(
        error=_error_text(found.joint), verdict=verdict_word(found.joint.verdict)
    )


def _group(owner: QObject, cards: Iterable[ChoiceCard]) -> QButtonGroup:
    group = QButtonGroup(owner)
    for card in cards:
        group.addButton(card.button)
    return group


def _worst(worth: Mapping[str, Usefulness]) -> str:
    return max(worth, key=lambda name: worth[name].ratio, default="")


def _error_text(found: Usefulness) -> str:
    return found.told.replace("± ", "±\u00a0").replace(" pp", "\u00a0pp")
