"""The box that says what happens to an attribute: a mechanism that fits, or none."""

from __future__ import annotations

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpdesk.gui.pages.plan.words import mechanism_title
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import caption_font, plain_tooltip
from dpdesk.gui.widgets.read_table import paint_lines
from dpdesk.mechanisms import AnyDomain, Mechanism, Sampling, fitting, kind_of
from dpdesk.plan import ColumnPlan

Index = QModelIndex | QPersistentModelIndex

SUMMARY_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The sentence of an item; an item without one has a line of its own."""

_MARGIN = 8
_GAP = 3
_SEPARATOR_HEIGHT = 9


class SummaryDelegate(QStyledItemDelegate):
    """Paints name over summary, and separators as Qt's own boxes have them."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if _is_separator(index):
            return QSize(1, _SEPARATOR_HEIGHT)
        height = QFontMetrics(option.font).height()
        if index.data(SUMMARY_ROLE):
            height += QFontMetrics(caption_font(option.font)).height()
        return QSize(super().sizeHint(option, index).width(), height + 2 * _GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = theme_in_force(), option.rect
        painter.save()
        if _is_separator(index):
            painter.setPen(QPen(QColor(theme.hairline), 1))
            painter.drawLine(rect.left(), rect.center().y(), rect.right(), rect.center().y())
            painter.restore()
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, QColor(theme.selection if chosen else theme.surface))
        lines = [(str(index.data() or ""), option.font, theme.text)]
        if index.data(SUMMARY_ROLE):
            lines.append((str(index.data(SUMMARY_ROLE)), caption_font(option.font), theme.muted))
        paint_lines(painter, rect.adjusted(_MARGIN, 0, -_MARGIN, 0), *lines)
        painter.restore()


def _is_separator(index: Index) -> bool:
    # This is how QComboBox marks the separators that it inserts.
    return bool(index.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "separator")


KEEP, DROP, UNASSIGNED = "keep", "drop", "unassigned"
_PROTECT = "protect:"
_VISIBLE_MAX = 14
_LIST_WIDTH = 460


class AssignmentBox(ChoiceBox):
    """Only mechanisms that fit the domain are listed; keep and drop come after them.

    Attributes:
        mechanismChosen: Emitted with the kind of a mechanism, such as "grr".
        roleChosen: Emitted with "keep" or "drop".
    """

    mechanismChosen = Signal(str)
    roleChosen = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._listed: tuple[object, ...] = ()
        self.setAccessibleName(self.tr("Mechanism"))
        self.setWhatsThis(
            self.tr("The rule that turns an answer into a report; the list says what each errs.")
        )
        self.setItemDelegate(SummaryDelegate(self))
        self.setMaxVisibleItems(_VISIBLE_MAX)
        self.view().setMinimumWidth(_LIST_WIDTH)
        self.activated.connect(self._choose)

    def show_column(self, column: ColumnPlan, sampling: Sampling) -> None:
        """Lists what can happen to a column under the plan's strategy, and shows what does."""
        blocker = QSignalBlocker(self)
        unassigned = column.role == "unassigned" or (
            column.role == "protect" and column.mechanism is None
        )
        listed = (column.name, column.effective_domain, unassigned, sampling)
        if listed != self._listed:
            self._listed = listed
            offered = _offered(column.effective_domain, sampling)
            self._fill(offered, unassigned=unassigned)
        current = UNASSIGNED if unassigned else column.role
        if not unassigned and column.role == "protect" and column.mechanism is not None:
            current = _PROTECT + column.mechanism.kind
        self.setCurrentIndex(self.findData(current))
        blocker.unblock()

    def _fill(self, mechanisms: tuple[type[Mechanism], ...], *, unassigned: bool) -> None:
        self.clear()
        if unassigned:
            self.addItem(self.tr("Choose…"), UNASSIGNED)
        for mechanism in mechanisms:
            self.addItem(mechanism_title(mechanism), _PROTECT + kind_of(mechanism))
            summary = QCoreApplication.translate("Mechanism", mechanism.summary)
            last = self.count() - 1
            self.setItemData(last, plain_tooltip(summary), Qt.ItemDataRole.ToolTipRole)
            self.setItemData(last, summary, SUMMARY_ROLE)
        self.insertSeparator(self.count())
        self.addItem(self.tr("Not protected — released as it is"), KEEP)
        self.addItem(self.tr("Dropped — not released"), DROP)
        self.updateGeometry()

    def _choose(self, index: int) -> None:
        chosen = self.itemData(index)
        if not isinstance(chosen, str) or chosen == UNASSIGNED:
            return
        if chosen.startswith(_PROTECT):
            self.mechanismChosen.emit(chosen.removeprefix(_PROTECT))
        else:
            self.roleChosen.emit(chosen)


def _offered(domain: AnyDomain | None, sampling: Sampling) -> tuple[type[Mechanism], ...]:
    """The mechanisms that fit a domain and that the strategy can use."""
    if domain is None:
        return ()
    return tuple(mechanism for mechanism in fitting(domain) if sampling.serves(mechanism))
