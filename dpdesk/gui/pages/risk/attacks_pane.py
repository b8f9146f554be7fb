"""The pane of attacks: each asks a question of these data, and is answered on the whole page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.risk.attack_view import AttackView
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState, Room
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.i18n import N_


@dataclass(frozen=True)
class ListedAttack:
    """An attack in the list.

    Attributes:
        name: Its name, marked with `N_`.
        question: What it asks, in a line.
        stops: What stops it.
        make: Makes what shows it on the whole page.
    """

    name: str
    question: str
    stops: str
    make: Callable[[Document, QWidget], Room]


ATTACKS = (
    ListedAttack(
        N_("Sampled attribute"),
        N_("which of the reports of a respondent is real and which are fakes (RS+FD)"),
        N_("realistic fakes, or one answer per respondent"),
        AttackView,
    ),
)
"""The attacks, in the order of the list."""


class AttacksModel(RowModel[ListedAttack]):
    """One row per attack."""

    def text(self, row: ListedAttack, column: int) -> str:
        """The text of a cell."""
        words = (row.name, row.stops)[column]
        return QCoreApplication.translate("ListedAttack", words)

    def tooltip(self, row: ListedAttack, column: int) -> str:
        """The whole line, which may be cut."""
        return self.text(row, column)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Attack")),
            Head(self.tr("what stops it")),
        )


class AttacksPane(RiskPane):
    """The list of attacks, and what is meant by them."""

    title = N_("Attacks")

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._shown: dict[int, Room] = {}
        self.model = AttacksModel(self)
        self.model.show_rows(ATTACKS)
        self.view = _AttacksView(self.model, self.tr("Attacks"), parent=self)
        self.view.chosen = self.show_attack
        self.show_button = QPushButton(self.tr("S&how the attack"), self)
        IconBond(self.show_button, "arrow-right", "text")
        self.show_button.clicked.connect(lambda: self.show_attack(self.view.currentIndex().row()))
        warning = PlainLabel(
            self.tr(
                "Not differentially private: columns that are kept or coarsened protect only "
                "against what these attacks know."
            ),
            "warning",
            wrap=True,
            parent=self,
        )
        self._question = PlainLabel("", "muted", wrap=True, parent=self)
        lay_column(
            self.view,
            lay_row((self._question, 1), self.show_button, spacing=10),
            warning,
            STRETCH,
            spacing=10,
            on=self,
        )
        self.view.selectionModel().currentRowChanged.connect(
            lambda index, _: self._ask(index.row())
        )
        self.view.setCurrentIndex(self.model.index(0, 0))

    def show_attack(self, number: int) -> None:
        """Gives an attack the whole page."""
        if not 0 <= number < len(ATTACKS):
            return
        if number not in self._shown:
            made = ATTACKS[number].make(self.document, self)
            made.goTo.connect(self.goTo)
            self._shown[number] = made
        self.roomRequested.emit(self._shown[number])

    def _ask(self, number: int) -> None:
        asks = self.tr("Asks {question}.")
        question = QCoreApplication.translate("ListedAttack", ATTACKS[number].question)
        self._question.setText(asks.format(question=question))

    def attack(self, number: int) -> Room | None:
        """What shows an attack; None before it was shown."""
        return self._shown.get(number)

    def cancel(self) -> bool:
        """Cancels what runs."""
        return any(tuple(view.cancel() for view in self._shown.values()))

    def shut_down(self) -> None:
        """Cancels and joins what runs."""
        for view in self._shown.values():
            view.shut_down()


class _AttacksView(PlainTable):
    chosen: Callable[[int], None]

    def _prepare(self) -> None:
        super()._prepare()
        self.doubleClicked.connect(lambda index: self.chosen(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the attack."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen(self.currentIndex().row())
        else:
            super().keyPressEvent(event)
