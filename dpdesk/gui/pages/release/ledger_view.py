"""The ledger of a population: the total with its cap, and every release."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QInputDialog,
    QLabel,
    QPushButton,
    QWidget,
)

from dpdesk.composition.strength import strength_of
from dpdesk.cost import format_epsilon
from dpdesk.data.write_file import write_file
from dpdesk.errors import DamagedLedgerError, DpdeskError, OlderCopyError
from dpdesk.gui.help import HelpButton
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.widgets.boxes import SideDialog, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.notice_bar import NoticeBar, succeeded
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.ledgers import (
    Cap,
    Ledger,
    Model,
    PastRelease,
    Population,
    accept_older,
    set_aside,
)
from dpdesk.ledgers.account import what_is_left_buys
from dpdesk.ledgers.texts import T
from dpdesk.numbers import exact_number

_GRAMMAR = re.compile(r"[0-9]{1,4}(\.[0-9]{1,12})?")


class LedgerTile(Card):
    """The total loss of a population: spent, left, what is left buys, and the cap.

    Attributes:
        capTyped: Emitted with a `Cap`, or None for no limit.
    """

    capTyped = Signal(object)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        name = self.tr("All releases together")
        self.setAccessibleName(name)
        self._refusal = RefusalLabel(parent=self)
        self.spent = PlainLabel("", "figure", parent=self)
        self.releases = PlainLabel("", "muted", wrap=True, parent=self)
        self.left = PlainLabel("", wrap=True, parent=self)
        self.epsilon = self._line(self.tr("Cap of epsilon"))
        self.delta = self._line(self.tr("Cap of delta"))
        label, second = QLabel(self.tr("C&ap on ε"), self), QLabel(self.tr("an&d δ"), self)
        label.setBuddy(self.epsilon)
        second.setBuddy(self.delta)
        row = lay_row(label, self.epsilon, second, self.delta, spacing=8)
        row.addStretch(1)
        self.epsilon.setPlaceholderText(self.tr("none"))
        self.body.addWidget(PlainLabel(name, "heading", parent=self))
        self.body.addWidget(self.spent)
        self.body.addWidget(self.releases)
        self.body.addWidget(self.left)
        self.body.addStretch(1)
        self.body.addLayout(row)
        self.body.addWidget(self._refusal)

    def refusal(self) -> str:
        """Why the typed cap is invalid; empty if it is valid."""
        return self._refusal.text()

    def show_population(self, population: Population | None) -> None:
        """Shows the totals of a population, or nothing for None."""
        for line in (self.epsilon, self.delta):
            line.setEnabled(population is not None)
            line.set_value("")
        if population is None:
            for label in (self.spent, self.releases, self.left):
                label.setText("")
            return
        spent, cap = population.spent(), population.cap
        words = self.tr("Protection: {strength}. ε = {epsilon}")
        strength = strength_of(spent.epsilon)
        text = words.format(strength=strength, epsilon=format_epsilon(spent.epsilon))
        self.spent.setText(f"{text}, δ = {spent.delta:g}" if spent.delta else text)
        count = counted(spent.releases, self.tr("1 release"), self.tr("{count} releases"))
        said = f"{count}; {spent.relation}" if spent.relation else count
        doubled = T.DOUBLED()
        self.releases.setText(f"{said}. {doubled}" if spent.is_doubled else said)
        self.left.setText(self._rest(population, cap))
        if cap is not None:
            self.epsilon.set_value(format_epsilon(cap.epsilon))
            self.delta.set_value(f"{cap.delta:g}")

    def _rest(self, population: Population, cap: Cap | None) -> str:
        left = population.left()
        if cap is None or left is None:
            return self.tr("No cap is set: nothing keeps the total from growing.")
        words = self.tr("ε = {left} of {cap} is left")
        sentence = words.format(left=format_epsilon(left.epsilon), cap=format_epsilon(cap.epsilon))
        bought = what_is_left_buys(population)
        return f"{sentence}: {bought}." if bought else f"{sentence}."

    def _line(self, name: str) -> CommitLine:
        line = CommitLine(name, parent=self)
        line.setFixedWidth(line.fontMetrics().horizontalAdvance("0000.0000") + 18)
        line.committed.connect(lambda _: self._take())
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take(self) -> None:
        typed = self.epsilon.text().strip()
        if not typed:
            self.capTyped.emit(None)
            return
        if not _GRAMMAR.fullmatch(typed):
            self.epsilon.refuse(self.tr("Type a number up to 9,999, such as 8; nothing for none."))
            return
        delta = exact_number(self.delta.text().strip() or "0")
        if delta is None or not 0 <= delta < 1:
            self.delta.refuse(self.tr("Type a number from 0 to below 1, such as 1e-6."))
            return
        self.capTyped.emit(Cap(Decimal(typed), delta))


TITLE, TIME, KIND, LOCAL, CENTRAL, DELTA, OUTCOME = range(7)


class LedgerModel(RowModel[PastRelease]):
    """One row per release, the last one on top."""

    def text(self, row: PastRelease, column: int) -> str:
        if column == TITLE:
            return row.title or self.tr("untitled")
        if column == TIME:
            return f"{row.time:%Y-%m-%d %H:%M}"
        if column == KIND:
            return QCoreApplication.translate("ReleaseKind", row.kind)
        if column in (LOCAL, CENTRAL):
            model: Model = "local" if column == LOCAL else "central"
            is_touched = any(cost.model == model for cost in row.costs)
            return format_epsilon(row.cost(model)) if is_touched else "—"
        if column == DELTA:
            deltas = [cost.delta for cost in row.costs if cost.delta]
            return f"{sum(deltas):g}" if deltas else "0"
        outcomes = {
            "open": self.tr("not known"),
            "written": row.where.replace("\\", "/").rsplit("/", 1)[-1],
            "shown": self.tr("shown"),
            "cancelled": self.tr("cancelled"),
            "failed": self.tr("failed"),
        }
        return outcomes[row.outcome]

    def tooltip(self, row: PastRelease, column: int) -> str:
        if column == OUTCOME:
            meanings = {
                "open": self.tr("The release still ran, or the program ended, after the charge."),
                "shown": self.tr("Shown on a terminal and not written."),
                "cancelled": self.tr("Cancelled after the draw had begun: it stays charged."),
                "failed": self.tr("Failed after the draw had begun: it stays charged."),
            }
            return row.where or meanings.get(row.outcome, "")
        units = "\n".join(f"{cost.unit}; {cost.relation}" for cost in row.costs)
        return "\n".join(filter(None, (row.title, row.id, units)))

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Release")),
            Head(self.tr("When (UTC)")),
            Head(self.tr("What")),
            Head(self.tr("ε local"), self.tr("Loss in the local model"), number=True),
            Head(self.tr("ε central"), self.tr("Loss in the central model"), number=True),
            Head("δ", self.tr("Chance that a loss is larger"), number=True),
            Head(self.tr("Written to")),
        )


class LedgerView(QWidget):
    """The accounts of one population at a time.

    Attributes:
        changed: Emitted when the ledger was changed here.
    """

    changed = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ledger: Ledger | None = None
        self._populations: tuple[Population, ...] = ()
        self.notice = NoticeBar(parent=self)
        self.notice.actionTriggered.connect(self._recover)
        self._recovery: Callable[[], str] | None = None
        self.choice = ChoiceBox(self.tr("Population"), parent=self)
        self.choice.currentIndexChanged.connect(lambda _: self._show_chosen())
        label = QLabel(self.tr("&Population"), self)
        label.setBuddy(self.choice)
        self.rename = QPushButton(self.tr("Re&name…"), self)
        self.join = QPushButton(self.tr("Sa&me people as…"), self)
        self.plan = QPushButton(self.tr("Save its p&lan…"), self)
        self.plan.setToolTip(self.tr("The plan of the chosen release; its noise cannot be had"))
        self.answers = QPushButton(self.tr("Save its ans&wers…"), self)
        self.answers.setToolTip(self.tr("What was released, once more; it costs nothing again"))
        for button, run in (
            (self.rename, self._ask_name),
            (self.answers, self._save_answers),
            (self.join, self._ask_join),
            (self.plan, self._save_plan),
        ):
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, run=run: run())
        self.total = LedgerTile(parent=self)
        self.total.capTyped.connect(self._set_cap)
        self.model = LedgerModel(self)
        self.table = PlainTable(self.model, self.tr("Releases"), parent=self)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self._begun = PlainLabel("", "muted", wrap=True, parent=self)
        self._others = PlainLabel("", "muted", wrap=True, parent=self)
        head = lay_row(
            label,
            (self.choice, 1),
            self.rename,
            self.join,
            HelpButton("ledger", self.tr("What the ledger is"), parent=self),
            spacing=8,
        )
        foot = lay_row((self._begun, 1), self.answers, self.plan, spacing=8)
        lay_column(
            self.notice, head, self.total, (self.table, 1), self._others, foot, spacing=12, on=self
        )

    def show_ledger(self, name: str = "") -> None:
        """Reads the ledger and shows a population; the last one if the name is empty."""
        wanted = name or self.choice.currentText()
        self.notice.clear()
        try:
            self._ledger = Ledger.open()
            book = self._ledger.book()
        except DpdeskError as error:
            self._ledger, self._populations = None, ()
            self._begun.setText("")
            self._recovery = self._recovery_from(error)
            action = self.tr("Set it aside") if self._recovery == self._set_aside else ""
            if self._recovery == self._accept_older:
                action = self.tr("Go on from this copy")
            self.notice.show_notice("error", str(error), action)
        else:
            # Populations without releases are listed last.
            self._populations = tuple(reversed(book.populations()))
            begun = self.tr("Begun on {day} (UTC); of releases before that it knows nothing.")
            self._begun.setText(begun.format(day=f"{book.begun:%Y-%m-%d}"))
            if book.set_aside:
                aside = self.tr("An earlier ledger was set aside as {name}.")
                self._begun.setText(f"{self._begun.text()} {aside.format(name=book.set_aside)}")
            for time, missing in book.gaps:
                gap = self.tr("On {day} continued from an older copy; entries missing: {count}.")
                said = gap.format(day=f"{time:%Y-%m-%d}", count=f"{missing:,}")
                self._begun.setText(f"{self._begun.text()} {said}")
        names = [population.name for population in self._populations]
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItems(names)
            self.choice.setCurrentIndex(names.index(wanted) if wanted in names else 0)
        self._show_chosen()

    def population(self) -> Population | None:
        """The population that is shown, or None."""
        index = self.choice.currentIndex()
        return self._populations[index] if 0 <= index < len(self._populations) else None

    def _show_chosen(self) -> None:
        population = self.population()
        self.total.show_population(population)
        releases = () if population is None else tuple(reversed(population.releases))
        self.model.show_rows(releases)
        self._others.setText("" if population is None else self._other_people(population))
        self._others.setVisible(bool(self._others.text()))
        self._enable()

    def _enable(self) -> None:
        population = self.population()
        self.choice.setEnabled(population is not None)
        self.rename.setEnabled(population is not None)
        self.join.setEnabled(len(self._populations) > 1)
        index = self.table.currentIndex()
        is_chosen = index.isValid() and self.model.rowCount() > 0
        self.plan.setEnabled(is_chosen)
        self.answers.setEnabled(is_chosen and bool(self.model.row(index.row()).answers))

    def _other_people(self, population: Population) -> str:
        """The populations declared to be other people although files are similar."""
        sentence = self.tr("On {day} they were said to be other people than {name}.")
        days = {other.name: f"{other.time:%Y-%m-%d}" for other in population.others}
        return " ".join(sentence.format(day=day, name=name) for name, day in days.items())

    def _change(self, change: Callable[[Ledger, str], None], name: str = "") -> None:
        """Changes the ledger and shows it again; an error is shown."""
        ledger, population = self._ledger, self.population()
        if ledger is None or population is None:
            return
        if succeeded(partial(change, ledger, population.name), self.notice.show_notice):
            self.show_ledger(name)
            self.changed.emit()

    def _set_cap(self, cap: Cap | None) -> None:
        self._change(lambda ledger, name: ledger.set_cap(name, cap))

    def _ask_name(self) -> None:
        population = self.population()
        if population is None:
            return
        title, question = self.tr("Rename"), self.tr("Name of these people")
        typed, taken = QInputDialog.getText(self, title, question, text=population.name)
        if taken and typed.strip():
            new = " ".join(typed.split())
            self._change(lambda ledger, name: ledger.rename(name, new), new)

    def _ask_join(self) -> None:
        population = self.population()
        if population is None:
            return
        others = [p.name for p in self._populations if p.id != population.id]
        question = self.tr(
            "Their releases add up from now on, and this cannot be taken back.\n"
            "{name} are the same people as"
        ).format(name=population.name)
        chosen, taken = QInputDialog.getItem(
            self, self.tr("The same people"), question, others, editable=False
        )
        if taken:
            self._change(lambda ledger, name: ledger.same_people(name, chosen), chosen)

    def _save_plan(self) -> None:
        self._save(
            self.tr("Save the plan of a release"),
            "plan.json",
            lambda ledger, release: ledger.plan_of(release),
        )

    def _save_answers(self) -> None:
        self._save(
            self.tr("Save the answers of a release"),
            "report.json",
            lambda ledger, release: ledger.answers_of(release),
        )

    def _save(self, title: str, usual: str, text_of: Callable[[Ledger, str], str]) -> None:
        """Asks for a file and writes the ledger's copy of the chosen release to it."""
        ledger, index = self._ledger, self.table.currentIndex()
        if ledger is None or not index.isValid():
            return
        kinds = self.tr("JSON (*.json)")
        path = asked_path(self, title, usual, kinds, (".json",))
        if path is None:
            return

        def write() -> None:
            write_file(path, text_of(ledger, self.model.row(index.row()).id))

        if succeeded(write, self.notice.show_notice):
            saved = self.tr("It was saved as {name}.").format(name=path.name)
            self.notice.show_notice("success", saved)

    def _recovery_from(self, error: DpdeskError) -> Callable[[], str] | None:
        """The recovery from an error, which exists for damage only."""
        if isinstance(error, OlderCopyError):
            return self._accept_older
        return self._set_aside if isinstance(error, DamagedLedgerError) else None

    def _recover(self) -> None:
        if self._recovery is None:
            return
        try:
            outcome = self._recovery()
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        self.show_ledger()
        self.notice.show_notice("warning", outcome)
        self.changed.emit()

    def _set_aside(self) -> str:
        """Sets a damaged ledger aside and begins a new one; returns a sentence about it."""
        kept = self.tr(
            "The ledger was set aside as {name}, beside the new one. The new one knows of no "
            "earlier release."
        )
        return kept.format(name=set_aside().name)

    def _accept_older(self) -> str:
        """Continues from an older copy; returns a sentence about it."""
        went_on = self.tr(
            "The ledger continues from this copy. Entries missing, as it notes: {count}."
        )
        return went_on.format(count=f"{accept_older():,}")


class LedgerDialog(SideDialog):
    """Shows the ledger in a dialog that is not modal.

    Args:
        parent: The window.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Ledger"), parent=parent)
        self.setMinimumSize(760, 480)
        self.resize(860, 600)
        self.view = LedgerView(parent=self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        buttons.rejected.connect(self.reject)
        lay_column((self.view, 1), buttons, spacing=12, margins=(16, 16, 16, 12), on=self)

    def show_ledger(self, name: str = "") -> None:
        """Shows the dialog with a population, read again."""
        self.view.show_ledger(name)
        self.show_beside()
