"""The pane of attacks: what each does to these data and what stops it; one is shown in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesk.attacks import ATTACKS, Attack, Findings, Target, effect
from dpdesk.attacks.sampled_attribute import SampledAttribute
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.risk.attack_picture import words_of
from dpdesk.gui.pages.risk.attack_room import AttackPage, AttackRoom, tr_attack
from dpdesk.gui.pages.risk.attack_view import AttackView
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.plain_text import PlainLabel, literal
from dpdesk.gui.widgets.progress_line import ProgressLine
from dpdesk.gui.widgets.read_table import ReadTable
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_, quoted
from dpdesk.numbers.digits import share_text
from dpdesk.preview.recognisable import Measured

ATTACK, FINDING, STOPS, SHOW = range(4)
_Display = int(Qt.ItemDataRole.DisplayRole)
_Foreground = int(Qt.ItemDataRole.ForegroundRole)
_Font = int(Qt.ItemDataRole.FontRole)

OWN_VIEWS: dict[type[Attack], type[AttackView]] = {SampledAttribute: AttackView}
"""Attacks that are shown by a form and a table of their own."""

Outcome = Findings | DpdeskError


@dataclass(frozen=True)
class AttackRow:
    """One attack in the list.

    Attributes:
        attack: The attack, with the columns that are chosen on the page.
        outcome: What it found, or why it found nothing; None before it was run.
    """

    attack: Attack
    outcome: Outcome | None = None

    @property
    def found(self) -> Findings | None:
        """What it found, if it did."""
        return self.outcome if isinstance(self.outcome, Findings) else None

    @property
    def refusal(self) -> str:
        """Why it found nothing; empty if it did, and before it was run."""
        return str(self.outcome) if isinstance(self.outcome, DpdeskError) else ""


def unbroken(text: str) -> str:
    """Returns a text in which no line begins with a unit or with the value of an epsilon."""
    return text.replace(" %", "\u00a0%").replace("ε = ", "ε\u00a0=\u00a0")


class AttacksModel(RowModel[AttackRow]):
    """One row per attack."""

    def text(self, row: AttackRow, column: int) -> str:
        if column == ATTACK:
            return tr_attack(row.attack.title)
        if column == FINDING:
            return unbroken(self._finding(row))
        if column == STOPS:
            return unbroken(self._stops(row))
        return self.tr("Show")

    def subject(self, row: AttackRow) -> str:
        """What stands below the name: what was attacked, or what is asked."""
        return tr_attack(row.attack.question) if row.found is None else words_of(row.found.subject)

    def tooltip(self, row: AttackRow, column: int) -> str:
        if column == FINDING and row.found is not None:
            told = (words_of(row.found.headline), self._finding(row))
            return "\n".join(dict.fromkeys(told))
        if column == FINDING and row.refusal:
            return row.refusal
        if column == STOPS:
            return self._stops(row)
        return tr_attack(row.attack.question)

    def spoken(self, row: AttackRow, column: int) -> str:
        if column == ATTACK:
            return f"{self.text(row, ATTACK)}: {self.subject(row)}"
        return super().spoken(row, column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid():
            row, column = self.row(index.row()), index.column()
            if role == _Display and column == ATTACK:
                return f"{super().data(index, role)}\n{literal(self.subject(row))}"
            if role == _Foreground:
                return self._colour(row, column)
            if role == _Font and column == FINDING:
                font = QFont()
                font.setBold(True)
                return font
        return super().data(index, role)

    def _colour(self, row: AttackRow, column: int) -> QColor | None:
        theme = theme_in_force()
        if column == SHOW:
            return QColor(theme.accent)
        if column == STOPS:
            return QColor(theme.muted)
        if column != FINDING:
            return None
        return QColor(theme.colour("muted" if row.found is None else row.found.severity))

    def _finding(self, row: AttackRow) -> str:
        found = row.found
        if found is not None:
            # The rate that the remedy beside it changes; what a mistake does is no rate.
            return (
                words_of(found.headline)
                if row.attack.is_tale
                else tr_attack(found.rates or type(row.attack).rates).format(
                    success=share_text(found.success), baseline=share_text(found.baseline)
                )
            )
        if row.refusal:
            return self.tr("not on these data")
        return self.tr("not run yet")

    def _stops(self, row: AttackRow) -> str:
        found = row.found
        if found is None or not found.remedies:
            return tr_attack(row.attack.stopped_by)
        remedy = found.remedies[0]
        words = words_of(remedy.words)
        after = effect(found, remedy)
        return words if after is None else f"{words}: {words_of(after)}"

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Attack")),
            Head(self.tr("on this file"), self.tr("What the attack does to the open data")),
            Head(
                self.tr("with a remedy"),
                self.tr("And how often the attack is right then"),
            ),
            Head(self.tr("Picture"), self.tr("Opens the attack with its form and picture")),
        )


class _AttacksView(ReadTable):
    chosen: Callable[[int], None]

    def _prepare(self) -> None:
        super()._prepare()
        self.wrap()
        self.stretch(FINDING, 160)
        self.doubleClicked.connect(lambda index: self.chosen(index.row()))
        self.clicked.connect(self._click)

    def _click(self, index: QModelIndex) -> None:
        if index.column() == SHOW:
            self.chosen(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


def attacks_task(
    attacks: Sequence[Attack], target: Target, tracker: Tracker
) -> tuple[Outcome | None, ...]:
    """Runs every attack that takes little time; data and plan are frozen.

    Args:
        attacks: The attacks, with the chosen columns.
        target: The open data and their plan.
        tracker: Progress and cancel.

    Returns:
        What each found, or why it found nothing; None for one that takes long.
    """
    outcomes: list[Outcome | None] = []
    for done, attack in enumerate(attacks):
        tracker.progress(attack.title, done / len(attacks))
        if attack.takes_long:
            outcomes.append(None)
            continue
        quiet = Tracker(lambda _: None, tracker.is_cancelled)
        try:
            outcomes.append(attack.run(target, quiet))
        except DpdeskError as error:
            tracker.tick()
            outcomes.append(error)
    return tuple(outcomes)


class AttacksPane(RiskPane):
    """The list of attacks, and what is meant by them."""

    title = N_("Attacks")

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._shown: dict[int, AttackPage] = {}
        self._asked: object = None
        self.model = AttacksModel(self)
        self.model.show_rows([AttackRow(kind.suited((), ())) for kind in ATTACKS])
        self.view = _AttacksView(self.model, self.tr("Attacks"), parent=self)
        self.view.setWhatsThis(
            self.tr("How often somebody who knows the plan finds out a true answer.")
        )
        self.view.chosen = self.show_attack
        self.setFocusProxy(self.view)
        words = self.tr("Progress of the attacks")
        self.progress = ProgressLine(words, self.watch, parent=self)
        warning = PlainLabel(
            self.tr(
                "Not differentially private: columns that are kept or coarsened protect only "
                "against what these attacks know."
            ),
            "warning",
            wrap=True,
            parent=self,
        )
        self.supposed = PlainLabel("", "muted", wrap=True, parent=self)
        self.supposed.hide()
        lay_column(self.supposed, (self.view, 1), self.progress, warning, spacing=10, on=self)
        self.view.setCurrentIndex(self.model.index(0, 0))
        self._following = WhenShown(self, self._attack)
        self.document.planChanged.connect(self._following.request)
        self.watch.finished.connect(self._take)

    def show_answer(self, answer: Measured | None) -> None:
        self._following.request()

    def show_attack(self, number: int) -> None:
        """Gives an attack the whole page."""
        if not 0 <= number < len(ATTACKS):
            return
        row = self.model.row(number)
        if number not in self._shown:
            self._shown[number] = made = self._made(number, row)
            made.goTo.connect(self.goTo)
        room = self._shown[number]
        self.roomRequested.emit(room)
        room.begin(row.found)

    def attack(self, number: int) -> AttackPage | None:
        """What shows an attack; None before it was shown."""
        return self._shown.get(number)

    def cancel(self) -> bool:
        return any((super().cancel(), *(view.cancel() for view in self._shown.values())))

    def shut_down(self) -> None:
        super().shut_down()
        for view in self._shown.values():
            view.shut_down()

    def _made(self, number: int, row: AttackRow) -> AttackPage:
        make = OWN_VIEWS.get(type(row.attack))
        room = (
            AttackRoom(row.attack, self.document, self)
            if make is None
            else make(self.document, self)
        )
        room.found.connect(partial(self._take_one, number))
        # The list is hidden while an attack has the whole page.
        following = WhenShown(room, self._attack)
        self.state.answered.connect(following.request)
        self.document.planChanged.connect(following.request)
        return room

    def _attack(self) -> None:
        """Runs all attacks on the columns in force, unless that was done."""
        table, answer = self.document.table, self.state.measured
        if table is None or answer is None:
            self._asked = None
            return
        # In the order of the picture beside the list: pictures of attacks add them in it, too.
        known, wanted = answer.risk.quasi_identifiers, answer.sensitive
        target = Target(table, self.document.plan if self.document.plan.columns else None)
        self._tell_supposed(wanted or (target.supposed_secret,))
        asked = (target.question, known, wanted)
        if asked == self._asked:
            return
        self._asked = asked
        attacks = [kind.suited(known, wanted) for kind in ATTACKS]
        self.model.show_rows([AttackRow(one) for one in attacks], same=True)
        for number, room in self._shown.items():
            room.set_attack(attacks[number])
        task = partial(attacks_task, attacks, target)
        self.watch.start_instead(lambda: Job(self.tr("Attacking"), task))

    def _tell_supposed(self, wanted: tuple[str, ...]) -> None:
        """Says what others are supposed to want to learn, unless somebody ticked it."""
        self.supposed.setVisible(not self.state.wish.sensitive)
        self.supposed.setText(
            self.tr(
                "Supposed, as nobody chose it: others want to learn {names}. Tick what is "
                "sensitive under Columns."
            ).format(names=quoted(wanted[:1]))
        )

    def _take(self, outcomes: Sequence[Outcome | None]) -> None:
        rows = [
            replace(row, outcome=outcome)
            for row, outcome in zip(self.model.rows, outcomes, strict=True)
        ]
        self.model.show_rows(rows, same=True)
        self.model.announce(0, len(rows) - 1)
        for number, room in self._shown.items():
            found = rows[number].found
            if found is not None:
                room.take_findings(found)

    def _take_one(self, number: int, found: Findings) -> None:
        rows = list(self.model.rows)
        rows[number] = replace(rows[number], outcome=found)
        self.model.show_rows(rows, same=True)
        self.model.announce(number, number)
