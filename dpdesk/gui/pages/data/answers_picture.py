"""The distribution of a column's answers: a small picture, a larger one, and the same in words."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.plain_text import literal, plain_tooltip
from dpdesk.numbers.digits import share_text
from dpdesk.plan.given_answers import GivenAnswers

_DRAWN_MAX = 40
"""Most bars that are drawn in a cell; of more categories the most frequent are."""
_LISTED_MAX = 12
"""Most bars that a tooltip lists."""
_SIDE = 12
"""Width of the bars of missing and outside answers."""
_GAP = 6
_LEAST = 1.0
"""Height of a bar that somebody gave, however few they are."""


def tr(text: str) -> str:
    """Translates one of these texts."""
    return QCoreApplication.translate("AnswersPicture", text)


def share_words(count: int, total: int) -> str:
    """A count with its share of all respondents: "1,234 (19.4 %)"."""
    share = f"{100 * count / total:.1f}" if total else "0"
    return tr("{count} ({share} %)").format(count=f"{count:,}", share=share)


def different_words(given: GivenAnswers) -> str:
    """What differs in a column without a domain: its weights, all its answers, or its texts."""
    if given.are_weights:
        return tr("different weights")
    return tr("all answers differ") if given.all_differ else tr("different texts")


def answers_words(given: GivenAnswers) -> str:
    """The counts, one bar a line: the most frequent where there are many, then what is left."""
    total, lines = given.total, []
    if not given.labels:
        if given.all_differ and not given.are_weights:
            return tr("All answers differ: looks like an identifier")
        return f"{given.distinct:,} {different_words(given)}"
    order = given.shown_order()
    listed = order if len(order) <= 2 * _LISTED_MAX else order[:_LISTED_MAX]
    lines = [f"{given.labels[i]}: {share_words(int(given.counts[i]), total)}" for i in listed]
    others = len(order) - len(listed)
    if others:
        rest = int(given.counts.sum() - given.counts[listed].sum())
        words = tr("{count} others together: {share}")
        lines.append(words.format(count=f"{others:,}", share=share_words(rest, total)))
    for count, words in (
        (given.missing, tr("missing: {share}")),
        (given.below, tr("below the domain: {share}")),
        (given.above, tr("above the domain: {share}")),
        (_elsewhere(given), tr("outside the domain: {share}")),
    ):
        if count:
            lines.append(words.format(share=share_words(count, total)))
    return "\n".join(lines)


def _elsewhere(given: GivenAnswers) -> int:
    """Number of answers outside the domain that lie on neither side of it."""
    return given.outside - given.below - given.above


_SideBars = list[tuple[int, str]]


def _side_bars(given: GivenAnswers) -> tuple[_SideBars, _SideBars]:
    """The bars on the left and on the right of the domain: how many, and the role of the colour."""
    left = [(given.below, "warning")]
    right = [(given.above, "warning"), (given.missing, "muted"), (_elsewhere(given), "warning")]
    return [bar for bar in left if bar[0]], [bar for bar in right if bar[0]]


def _reach(place: QRect, given: GivenAnswers) -> QRect:
    """The part of a place on which the domain is drawn, between the bars beside it."""
    left, right = (len(bars) * (_SIDE + _GAP) for bars in _side_bars(given))
    return place.adjusted(left, 0, -right, 0)


def paint_answers(painter: QPainter, place: QRect, given: GivenAnswers, theme: Theme) -> None:
    """Paints bars on a common base; missing answers as a dashed bar, those outside in orange.

    Numbers outside the domain stand on the side of it on which they lie.

    Args:
        painter: The painter; its pen and brush are changed.
        place: Where the bars stand.
        given: What was answered.
        theme: The colours.
    """
    counts = given.counts[given.shown_order()][:_DRAWN_MAX]
    left, right = _side_bars(given)
    # What has no place on the axis has no say in its scale: where most have no answer, the
    # distribution of the others would be a flat line. A bar that reaches the top says so.
    highest = int(counts.max(initial=0)) or max((count for count, _ in left + right), default=0)
    if not highest:
        return
    room = QRectF(_reach(place, given))
    _paint_bars(painter, room, _heights(counts, highest, room.height()), QColor(theme.accent))
    starts = [float(place.left())] * len(left)
    starts += [room.right() + _GAP + i * (_SIDE + _GAP) for i in range(len(right))]
    for at, (count, role) in zip(starts, left + right, strict=True):
        height = float(_heights(np.array([min(count, highest)]), highest, room.height())[0])
        bar = QRectF(at + 0.5, room.bottom() - height + 0.5, _SIDE - 1, max(height - 1, 1))
        colour = QColor(theme.colour(role))
        painter.setPen(QPen(colour, 1, Qt.PenStyle.DotLine))
        # Both differ from the bars by their outline too: colour is never the only sign.
        painter.setBrush(Qt.BrushStyle.NoBrush if role == "muted" else colour)
        painter.drawRect(bar)
        if count > highest:
            _paint_break(painter, bar, theme)


def _paint_break(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """Paints a gap across a bar that is higher than the axis."""
    middle = bar.top() + bar.height() / 4
    ends = (QPointF(bar.left() - 2, middle + 3), QPointF(bar.right() + 2, middle - 3))
    painter.setPen(QPen(QColor(theme.surface), 4))
    painter.drawLine(*ends)
    painter.setPen(QPen(QColor(theme.muted), 1))
    for shift in (-2.5, 2.5):
        painter.drawLine(*(end + QPointF(0, shift) for end in ends))


def _heights(counts: np.ndarray, highest: int, room: float) -> np.ndarray:
    return np.where(counts > 0, np.maximum(counts * (room / highest), _LEAST), 0.0)


def _paint_bars(painter: QPainter, room: QRectF, heights: np.ndarray, colour: QColor) -> None:
    step = room.width() / len(heights)
    gap = 1.0 if step >= 3 else 0.0
    bars = [
        QRectF(room.left() + i * step, room.bottom() - height, max(step - gap, 1.0), height)
        for i, height in enumerate(heights.tolist())
        if height
    ]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRects(bars)


_PICTURE_HEIGHT = 150


class AnswersPicture(QWidget):
    """The distribution of the numbers of a column, with the ends of its domain below."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given: GivenAnswers | None = None
        self.setAccessibleName(self.tr("What was answered"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(2 * _PICTURE_HEIGHT)
        ThemeSwitch.instance().themeChanged.connect(self.update)
        self.show_answers(None)

    def sizeHint(self) -> QSize:
        return QSize(320, _PICTURE_HEIGHT)

    def show_answers(self, given: GivenAnswers | None) -> None:
        """Shows counted answers; hidden without any."""
        self._given = given if given is not None and len(given.labels) else None
        words = "" if self._given is None else answers_words(self._given)
        self.setAccessibleDescription(words.replace("\n", "; "))
        self.setVisible(self._given is not None)
        self.update()

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        QToolTip.showText(event.globalPos(), plain_tooltip(self.words_at(event.pos().x())), self)
        return True

    def words_at(self, x: int) -> str:
        """The words of the bar at a place; all counts beside the bars."""
        given = self._given
        if given is None:
            return ""
        reach = _reach(self.rect(), given)
        bar = (x - reach.left()) * len(given.labels) // max(reach.width(), 1)
        if not 0 <= bar < len(given.labels):
            return answers_words(given)
        return f"{given.labels[bar]}: {share_words(int(given.counts[bar]), given.total)}"

    def scale_words(self) -> tuple[str, str]:
        """What the upper end of the axis stands for, and how many did not answer or lie outside."""
        given = self._given
        if given is None or not given.total:
            return "", ""
        sides = (
            (given.missing, tr("{share} missing")),
            (given.outside, tr("{share} outside")),
        )
        beside = [
            words.format(share=share_text(count / given.total)) for count, words in sides if count
        ]
        return share_text(int(given.counts.max(initial=0)) / given.total), ", ".join(beside)

    def _write_scale(self, painter: QPainter, colour: QColor) -> None:
        """Writes the share of the highest bar at its height, and those that have no bar."""
        painter.setPen(colour)
        above = self.rect().adjusted(0, 0, 0, self.fontMetrics().height() - self.height())
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
        for text, side in zip(self.scale_words(), sides, strict=True):
            painter.drawText(above, side.value, text)

    def paintEvent(self, event: QPaintEvent) -> None:
        given, theme = self._given, theme_in_force()
        if given is None:
            return
        painter = QPainter(self)
        line = self.fontMetrics().height()
        place = self.rect().adjusted(0, line + 4, 0, -line - 4)
        painter.setPen(QPen(QColor(theme.grid), 1))
        painter.drawLine(QPointF(place.left(), place.top()), QPointF(place.right(), place.top()))
        paint_answers(painter, place, given, theme)
        self._write_scale(painter, QColor(theme.muted))
        painter.setPen(QPen(QColor(theme.axis), 1))
        base = place.bottom() + 1.5
        painter.drawLine(QPointF(place.left(), base), QPointF(place.right(), base))
        painter.setPen(QColor(theme.muted))
        below = self.rect().adjusted(0, self.height() - line, 0, 0)
        ends = (given.labels[0].partition("–")[0], given.labels[-1].rpartition("–")[2])
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
        reach = _reach(below, given)
        for text, side in zip(ends, sides, strict=True):
            painter.drawText(reach, side.value, literal(text))
