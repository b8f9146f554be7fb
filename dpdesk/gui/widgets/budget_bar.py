"""The privacy budget of a respondent, one segment per attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from dpdesk.composition.strength import protection_of, strength_of
from dpdesk.cost import PrivacyCost, two_places
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.i18n import AND_MORE, first_names
from dpdesk.plan import Plan
from dpdesk.plan.losses import plan_cost

_HEIGHT = 12
_RING = 2
_GAP = 1.5


class BudgetTrack(QWidget):
    """Coloured parts on a grey track; what exceeds the total is hatched behind a mark.

    Parts that add up stand end to end on one track. Of parts of which a respondent loses one, each
    stands on a track of its own, as long as the whole budget.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[tuple[Decimal, int], ...] = ()
        self._total = Decimal(0)
        self._adds_up = True
        self._current = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT + 2 * _RING)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        ThemeSwitch.instance().themeChanged.connect(self._recolour)

    def set_parts(
        self, parts: tuple[tuple[Decimal, int], ...], total: Decimal, *, adds_up: bool = True
    ) -> None:
        """Shows parts of a total.

        Args:
            parts: Epsilon of each and the number of its series.
            total: What all of them together may take, or each where they do not add up.
            adds_up: Whether the parts add up.
        """
        self._parts, self._total, self._adds_up = parts, total, adds_up
        self.update()

    def set_current(self, index: int) -> None:
        """Draws a ring around one part; -1 for none."""
        self._current = index
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(380, _HEIGHT + 2 * _RING)

    def part_at(self, x: float) -> int:
        """The number of the part at a horizontal position; -1 if there is none."""
        # A track of its own belongs to its part as a whole, so that a short part can be hit.
        for index, (left, right) in enumerate(self._edges() if self._adds_up else self._tracks()):
            if left <= x < right and index < len(self._parts):
                return index
        return -1

    def centre_of(self, index: int) -> QPoint:
        """The middle of a part, in the coordinates of this widget."""
        left, right = self._edges()[index]
        return QPoint(round((left + right) / 2), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_in_force()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edges, limit = self._edges(), float(self._total) * self._scale()
        for index, (left, right) in enumerate(self._tracks()):
            bar = QRectF(left, _RING, right - left, _HEIGHT)
            shape = QPainterPath()
            shape.addRoundedRect(bar, min(_HEIGHT, bar.width()) / 2, _HEIGHT / 2)
            painter.setClipPath(shape)
            painter.fillRect(bar, QColor(theme.track))
            # Without parts there is one empty track.
            on_track = range(len(edges))[slice(None) if self._adds_up else slice(index, index + 1)]
            for part in on_track:
                self._paint_part(painter, theme, edges[part], self._parts[part][1])
            end = edges[on_track[-1]][1] if on_track else left
            self._paint_excess(painter, theme, left + limit, end)
        painter.setClipping(False)
        if 0 <= self._current < len(edges):
            left, right = edges[self._current]
            painter.setPen(QPen(QColor(theme.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(left, 1, right - left - 1, self.height() - 2), 3, 3)

    def _paint_part(
        self, painter: QPainter, theme: Theme, edges: tuple[float, float], series: int
    ) -> None:
        width = max(edges[1] - edges[0] - (_GAP if self._adds_up else 0.0), 1.0)
        painter.fillRect(QRectF(edges[0], _RING, width, _HEIGHT), QColor(theme.series(series)))

    def _paint_excess(self, painter: QPainter, theme: Theme, limit: float, end: float) -> None:
        # Half a pixel, so that a part that fills its budget exactly is not taken for more.
        if end <= limit + 0.5:
            return
        excess = QRectF(limit, _RING, end - limit, _HEIGHT)
        painter.fillRect(excess, QColor(theme.danger_wash))
        painter.fillRect(excess, QBrush(QColor(theme.danger), Qt.BrushStyle.BDiagPattern))
        painter.fillRect(QRectF(limit - 1, _RING, 2, _HEIGHT), QColor(theme.danger))

    def _whole(self) -> Decimal:
        """What a track is as long as: the larger of what is spent and of the total."""
        epsilons = [epsilon for epsilon, _ in self._parts]
        spent = sum(epsilons, Decimal(0)) if self._adds_up else max(epsilons, default=Decimal(0))
        return max(spent, self._total)

    def _scale(self) -> float:
        """Pixels per unit of epsilon."""
        whole, tracks = float(self._whole()), self._tracks()
        return (tracks[0][1] - tracks[0][0]) / whole if whole > 0 else 0.0

    def _tracks(self) -> list[tuple[float, float]]:
        """Left and right end of each track."""
        count = 1 if self._adds_up else max(len(self._parts), 1)
        gap = min(2 * _GAP, self.width() / (4 * count))
        length = (self.width() - (count - 1) * gap) / count
        return [(i * (length + gap), i * (length + gap) + length) for i in range(count)]

    def _edges(self) -> list[tuple[float, float]]:
        scale, tracks, edges = self._scale(), self._tracks(), []
        left = 0.0
        for index, (epsilon, _) in enumerate(self._parts):
            left = left if self._adds_up else tracks[index][0]
            right = left + float(epsilon) * scale
            edges.append((left, right))
            left = right
        return edges

    def _recolour(self) -> None:
        self.update()


_WORD_GAP, _ROW_GAP = 5, 6
_SPOKEN = 20
"""Segments that are listed in words; the arrow keys tell of each of more."""


@dataclass(frozen=True)
class BudgetSegment:
    """What one attribute takes of the budget.

    Attributes:
        name: The attribute.
        epsilon: What it takes.
        series: Number of its series colour, from 0.
    """

    name: str
    epsilon: Decimal
    series: int


class BudgetBar(QWidget):
    """Spent and total budget over a segmented bar; Left and Right walk along the segments.

    Attributes:
        segmentActivated: Emitted with the attribute whose segment was clicked or confirmed with
            Enter.
    """

    segmentActivated = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments: tuple[BudgetSegment, ...] = ()
        self._adds_up = True
        self._of_others, self._protection = "", ""
        self._current = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(210)
        self.setMaximumWidth(420)
        self._caption = ElidedLabel("", "muted", parent=self)
        self._mark = SeverityMark("error", size=16, parent=self)
        self._spent = PlainLabel("", "strong", parent=self)
        self._total = PlainLabel("", "strong-muted", parent=self)
        self._track = BudgetTrack(parent=self)
        self.set_budget((), None)

    def show_attributes(self, plan: Plan) -> None:
        """Shows what the protected attributes of a plan spend."""
        segments = tuple(
            BudgetSegment(column.title, column.mechanism.epsilon, series)
            for series, column in enumerate(plan.protected)
            if column.mechanism is not None
        )
        self.set_budget(segments, plan.budget, adds_up=plan.strategy == "spl", cost=plan_cost(plan))

    def show_statistics(self, plan: Plan) -> None:
        """Shows what the statistics of a plan spend."""
        segments = tuple(
            BudgetSegment(query.heading, query.epsilon, series)
            for series, query in enumerate(plan.statistics.queries)
        )
        of_records = ""
        if plan.budget is not None and plan.statistics.budget is None:
            of_records = self.tr(
                "The budget of {budget} is that of the records. Statistics are a release of their "
                "own, with a budget of their own; what both spend on the same people adds up in "
                "the ledger."
            ).format(budget=two_places(plan.budget))
        statistics = plan.statistics
        self.set_budget(segments, statistics.budget, cost=statistics.cost, of_others=of_records)

    def set_budget(
        self,
        segments: Sequence[BudgetSegment],
        total: Decimal | None,
        *,
        adds_up: bool = True,
        cost: PrivacyCost | None = None,
        of_others: str = "",
    ) -> None:
        """Shows what is spent of a budget, and how strongly that protects.

        Args:
            segments: One for every protected attribute, in their order.
            total: The whole budget; None if there is no limit.
            adds_up: Whether a respondent loses the sum of the segments; else the largest.
            cost: The loss of a respondent; that of the segments if None.
            of_others: Where there is no limit, whose a budget is that the plan has, as sentences.
        """
        self._of_others = of_others
        self._segments = tuple(segments)
        self._adds_up = adds_up
        self._current = min(self._current, len(self._segments) - 1)
        epsilons = [segment.epsilon for segment in self._segments]
        spent = sum(epsilons, Decimal(0)) if adds_up else max(epsilons, default=Decimal(0))
        over = Decimal(0) if total is None else spent - total
        self._spent.setText(self.tr("ε = {spent}").format(spent=two_places(spent)))
        self._spent.set_tone("strong-danger" if over > 0 else "strong")
        limit = self.tr("no budget") if total is None else self.tr("of {total}")
        self._total.setText(limit if total is None else limit.format(total=two_places(total)))
        within = self.tr("Privacy budget per respondent")
        if of_others:
            within = self.tr("Apart from the budget of the records")
        loss = PrivacyCost(spent) if cost is None else cost
        self._protection = protection_of(loss) if loss.epsilon else ""
        strength = strength_of(loss.epsilon)
        if over > 0:
            self._caption.set_text(self.tr("Over by {over}").format(over=two_places(over)))
        elif not self._protection:
            self._caption.set_text(self.tr("Budget"))
        else:
            protection = self.tr("Protection: {strength}").format(strength=strength)
            self._caption.set_text(protection)
        self._caption.set_tone("danger" if over > 0 else "muted")
        self._mark.setVisible(over > 0)
        self._track.set_parts(
            tuple((segment.epsilon, segment.series) for segment in self._segments),
            spent if total is None else total,
            adds_up=adds_up,
        )
        self._track.set_current(self._current if self.hasFocus() else -1)
        self._place()
        self.setAccessibleName(within)
        self.setAccessibleDescription(self._spoken())

    def sizeHint(self) -> QSize:
        return QSize(380, self._words_height() + _ROW_GAP + self._track.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._at(event.pos().x())
            text = self._segment_text(index) if index >= 0 else self._spoken()
            QToolTip.showText(event.globalPos(), plain_tooltip(text), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        index = self._at(event.position().x())
        if index >= 0:
            self._choose(index)
            self.segmentActivated.emit(self._segments[index].name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._segments:
            step = 1 if key == Qt.Key.Key_Right else -1
            self._choose(min(max(self._current + step, 0), len(self._segments) - 1))
            here = self._track.mapToGlobal(self._track.centre_of(self._current))
            QToolTip.showText(here, plain_tooltip(self._segment_text(self._current)), self)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current >= 0:
            self.segmentActivated.emit(self._segments[self._current].name)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._segments:
            self._choose(max(self._current, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._track.set_current(-1)

    def _words_height(self) -> int:
        self._spent.ensurePolished()
        return max(self._spent.fontMetrics().height(), self._mark.height())

    def _place(self) -> None:
        """Caption at the left, numbers at the right, the track below.

        Without a layout: the spent epsilon changes with every step of a slider, and a layout
        would have the whole window laid out anew each time.
        """
        height, right, left = self._words_height(), self.width(), 0
        for label in (self._total, self._spent):
            width = label.sizeHint().width()
            label.setGeometry(right - width, 0, width, height)
            right -= width + _WORD_GAP
        if not self._mark.isHidden():
            self._mark.move(0, (height - self._mark.height()) // 2)
            left = self._mark.width() + _WORD_GAP
        self._caption.setGeometry(left, 0, max(right - left, 0), height)
        self._track.setGeometry(0, height + _ROW_GAP, self.width(), self._track.height())

    def _choose(self, index: int) -> None:
        self._current = index
        self._track.set_current(index)
        self.setAccessibleDescription(f"{self._segment_text(index)} {self._spoken()}")

    def _at(self, x: float) -> int:
        return self._track.part_at(x - self._track.x())

    def _segment_text(self, index: int) -> str:
        segment = self._segments[index]
        template = self.tr("{name}: ε = {epsilon}")
        return template.format(name=segment.name, epsilon=two_places(segment.epsilon))

    def _spoken(self) -> str:
        count = len(self._segments)
        first = [self._segment_text(i) if i < _SPOKEN else "" for i in range(count)]
        parts = first_names(first, _SPOKEN, more=self.tr(AND_MORE))
        said = f"{self._protection} {self._spent.text()} {self._total.text()}. {parts}".lstrip()
        if self._of_others:
            said = f"{said.removesuffix('. ')}. {self._of_others}"
        if self._adds_up or not self._segments:
            return said
        rule = self.tr("A respondent reports one of them, so that the largest counts.")
        return f"{said}. {rule}"
