"""The answers of a question, each with the share that is supposed of it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QPushButton,
    QToolButton,
    QWidget,
)

from dpdesk.errors import ParameterError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.scales import read_share
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip

ANSWERS_MIN, ANSWERS_MAX = 2, 10
_LONGEST = 200
_NEW_SHARE = 0.05
_SHARE_WIDTH = 72


class AnswerRows(QWidget):
    """Edits names and shares; the other shares make room for one that is typed.

    Attributes:
        answersChanged: Emitted with names, shares and the number of an answer that went (or -1).
    """

    answersChanged = Signal(object, object, int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._shares: tuple[float, ...] = ()
        self.names: list[CommitLine] = []
        self.shares: list[CommitLine] = []
        self.removals: list[QToolButton] = []
        self.refusal = RefusalLabel(parent=self)
        self.more = QPushButton(self.tr("Add an answer"), self)
        self.more.setProperty("look", "link")
        self.more.setToolTip(self.tr("Up to ten answers; the others make room for it"))
        self.more.clicked.connect(self._add)
        head = lay_row(
            (PlainLabel(self.tr("Answers"), "strong", parent=self), 1),
            PlainLabel(self.tr("true share π"), "muted", parent=self),
            28,
        )
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, 1)
        lay_column(
            head,
            self._grid,
            self.refusal,
            (self.more, 0, Qt.AlignmentFlag.AlignLeft),
            spacing=3,
            on=self,
        )

    def show_answers(self, names: tuple[str, ...], shares: tuple[float, ...]) -> None:
        """Shows answers without a signal."""
        if len(names) != len(self.names):
            self._build(len(names))
        self._names, self._shares = names, shares
        for field, name in zip(self.names, names, strict=True):
            field.show_value(name)
        for field, share in zip(self.shares, shares, strict=True):
            text = _share_text(share)
            field.show_value(text)
        for number, button in enumerate(self.removals):
            button.setEnabled(len(names) > ANSWERS_MIN)
            words = self.tr("Remove “{answer}”").format(answer=names[number])
            button.setAccessibleName(words)
            button.setToolTip(plain_tooltip(words))
            button.setWhatsThis(self.tr("Takes this answer off the list."))
        self.more.setEnabled(len(names) < ANSWERS_MAX)

    def _build(self, count: int) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.names, self.shares, self.removals = [], [], []
        after: QWidget | None = None
        for row in range(count):
            words = self.tr("Words of answer {number}").format(number=row + 1)
            name = CommitLine(words, longest=_LONGEST, parent=self)
            name.setWhatsThis(
                self.tr("How the answer is called in questions, pictures and papers.")
            )
            name.committed.connect(partial(self._rename, row))
            name.refused.connect(self.refusal.show_sentence)
            share = CommitLine(
                self.tr("Supposed true share of answer {number}").format(number=row + 1),
                parent=self,
            )
            share.setAlignment(Qt.AlignmentFlag.AlignRight)
            ScaledWidth(share, _SHARE_WIDTH)
            share.setToolTip(self.tr("The other shares make room for it, in their proportions"))
            share.committed.connect(partial(self._weigh, row))
            share.refused.connect(self.refusal.show_sentence)
            remove = QToolButton(self)
            remove.setAutoRaise(True)
            remove.setIconSize(QSize(16, 16))
            IconBond(remove, "close", "muted")
            remove.clicked.connect(partial(self._remove, row))
            for place, widget in enumerate((name, share, remove)):
                self._grid.addWidget(widget, row, place)
                if after is not None:
                    QWidget.setTabOrder(after, widget)
                after = widget
            self.names.append(name)
            self.shares.append(share)
            self.removals.append(remove)
        if after is not None:
            QWidget.setTabOrder(after, self.more)

    def _rename(self, row: int, text: str) -> None:
        name = text.strip()
        if not name or name in self._names[:row] + self._names[row + 1 :]:
            self.names[row].refuse(self.tr("Each answer needs words of its own: type others."))
            return
        self.names[row].set_value(name)
        names = (*self._names[:row], name, *self._names[row + 1 :])
        self._tell(names, self._shares, -1)

    def _weigh(self, row: int, text: str) -> None:
        try:
            share = read_share(text)
        except ParameterError as error:
            self.shares[row].refuse(str(error))
            return
        self.shares[row].set_value(_share_text(share))
        self._tell(self._names, _with_share(self._shares, row, share), -1)

    def _add(self) -> None:
        number = len(self._names) + 1
        while (name := self.tr("answer {number}").format(number=number)) in self._names:
            number += 1
        shares = tuple(share * (1 - _NEW_SHARE) for share in self._shares)
        self._tell((*self._names, name), (*shares, _NEW_SHARE), -1)
        self.names[-1].setFocus(Qt.FocusReason.OtherFocusReason)
        self.names[-1].selectAll()

    def _remove(self, row: int) -> None:
        if len(self._names) <= ANSWERS_MIN:
            return
        names = self._names[:row] + self._names[row + 1 :]
        emptied = _with_share(self._shares, row, 0.0)
        self._tell(names, emptied[:row] + emptied[row + 1 :], row)
        self.names[min(row, len(names) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell(self, names: tuple[str, ...], shares: tuple[float, ...], removed: int) -> None:
        self.show_answers(names, shares)
        self.answersChanged.emit(names, shares, removed)


def _share_text(share: float) -> str:
    return f"{100 * share:.4g} %"


def _with_share(shares: tuple[float, ...], row: int, share: float) -> tuple[float, ...]:
    """The shares with one changed; the others keep their proportions, or are made equal."""
    rest = 1 - shares[row]
    others = len(shares) - 1
    return tuple(
        share if index == row else ((1 - share) * old / rest if rest > 0 else (1 - share) / others)
        for index, old in enumerate(shares)
    )
