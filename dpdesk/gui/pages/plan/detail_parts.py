"""What attributes and statistics have in common beside their table: epsilon, lock, figures."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.epsilon_edit import EpsilonEdit
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.steady import Steady
from dpdesk.preview import PRIOR, belief_text, highest_belief_text

Figure = tuple[str, str, str]
"""Value, caption, and what it is made of or ""."""


class LockedEpsilon(QWidget):
    """An epsilon beside its lock against a new split of the budget.

    Args:
        parent: Qt's owner.

    Attributes:
        lockToggled: The lock was clicked.
    """

    lockToggled = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked: bool | None = None
        self.epsilon = EpsilonEdit(parent=self)
        self.lock = QToolButton(self)
        self.lock.setCheckable(True)
        self.lock.setAutoRaise(True)
        self.lock.setIconSize(QSize(16, 16))
        self._icon = IconBond(self.lock, "lock-open-variant", "muted")
        self.lock.clicked.connect(self.lockToggled)
        lay_row((self.epsilon, 1), self.lock, spacing=4, on=self)

    def show_lock(self, locked: bool) -> None:
        """Shows whether a new split leaves epsilon alone."""
        if locked == self._locked:
            return
        self._locked = locked
        self.lock.setChecked(locked)
        self._icon.set_icon("lock" if locked else "lock-open-variant", "muted")
        name = self.tr("Epsilon is locked") if locked else self.tr("Lock epsilon")
        self.lock.setAccessibleName(name)
        self.lock.setToolTip(
            self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            if locked
            else self.tr("Lock it against a new split of the budget (Ctrl+L)")
        )


class FiguresInWords(QWidget):
    """What epsilon means in a sentence, and four figures below it.

    Args:
        longest: The longest sentence, which room is kept for.
        stretches: The part of the width of each figure.
        parent: Qt's owner.
    """

    def __init__(
        self, longest: str, stretches: tuple[int, ...], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        # The one label with markup; it holds no text of the data.
        self._sentence = QLabel(self)
        self._sentence.setTextFormat(Qt.TextFormat.RichText)
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.figures = FigureRow(4, stretches=stretches, parent=self)
        column = lay_column(spacing=8, on=self)
        self._said = Steady(self._sentence, longest, parent=self)
        column.addWidget(self._said)
        column.addWidget(self.figures)

    def sentence(self) -> str:
        """The sentence as it is spoken."""
        return self._sentence.accessibleName()

    def set_low(self, low: bool) -> None:
        """Leaves the sentence to the tooltip of the belief, for a low window."""
        self._said.setVisible(not low)

    def say(self, template: str, ratio: str) -> None:
        """Shows a sentence on the ratio of chances that epsilon allows, given as a template."""
        shown = f"<b>e<sup>ε</sup>&nbsp;=&nbsp;{escape(ratio)}</b>"
        self._sentence.setText(template.format(ratio=shown))
        self._sentence.setAccessibleName(template.format(ratio=f"e^ε = {ratio}"))

    def show_figures(self, *figures: Figure) -> None:
        """Shows the four figures."""
        for tile, figure in zip(self.figures.tiles, figures, strict=True):
            tile.set_figure(*figure)


def belief_move(posterior: float) -> str:
    """The most that even odds can become, such as "50 → 73.2 %"."""
    # There is room for one sign of per cent.
    return f"{belief_text(PRIOR).removesuffix(' %')} → {highest_belief_text(posterior)}"
