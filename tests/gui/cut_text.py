"""Finds text of a window that is cut without a sign."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QCheckBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QRadioButton,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.read_table import PlainHeader

SMALLEST = (1024, 700)
"""The least width and height of the window."""

_SLACK = 2
_HEAD_PADDING = 16
_LOOKS = 40


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Waits for what is computed beside, then lets the layouts come to rest."""
    watches = window.findChildren(JobWatch)
    qtbot.waitUntil(lambda: not any(watch.is_running for watch in watches))
    before: list[QRect] = []
    for _ in range(_LOOKS):
        # However slow the machine is: at rest is what stays where it was.
        qtbot.wait(80)
        now = [each.geometry() for each in window.findChildren(QWidget) if each.isVisible()]
        if now == before:
            return
        before = now


def cut_texts(window: QWidget) -> list[str]:
    """Returns what is shown of a window and cut without "…", with the kind of widget."""
    found = []
    for widget in window.findChildren(QWidget):
        # A viewport covers the area that it is of.
        seen = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
        if widget.isVisible() and not seen.visibleRegion().isEmpty():
            found += [f"{type(widget).__name__}: {text}" for text in _cut_in(widget)]
    return found


def _cut_in(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        yield from _cut_label(widget)
    elif isinstance(widget, QPushButton | QCheckBox | QRadioButton):
        hint = widget.fontMetrics().horizontalAdvance(widget.text().replace("&", ""))
        if hint > widget.width() + _SLACK:
            yield widget.text()
    elif isinstance(widget, QHeaderView) and widget.orientation() == Qt.Orientation.Horizontal:
        yield from _cut_heads(widget)
    elif isinstance(widget, QTabBar):
        for number in range(widget.count()):
            words = widget.fontMetrics().horizontalAdvance(widget.tabText(number))
            if words > widget.tabRect(number).width() + _SLACK:
                yield widget.tabText(number)
        if widget.sizeHint().width() > widget.width() + _SLACK and not widget.usesScrollButtons():
            yield "tabs beyond the bar"
    elif isinstance(widget, QTableView):
        off = widget.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        beyond = widget.horizontalHeader().length() - widget.viewport().width()
        if off and beyond > _SLACK:
            yield f"{beyond} pixels of columns without a scroll bar"
    elif isinstance(widget, PlotCanvas):
        yield from _cut_axes(widget)


def _cut_label(label: QLabel) -> Iterator[str]:
    text, room, metrics = label.text(), label.contentsRect(), label.fontMetrics()
    if label.buddy() is not None:
        text = text.replace("&", "")
    if not text.strip() or label.textFormat() == Qt.TextFormat.RichText:
        return
    if label.wordWrap():
        area = metrics.boundingRect(0, 0, room.width(), 10**6, int(Qt.TextFlag.TextWordWrap), text)
        wide, high = area.width() > room.width() + _SLACK, area.height() > room.height() + _SLACK
    else:
        longest = max(metrics.horizontalAdvance(line) for line in text.splitlines())
        wide = longest > room.width() + _SLACK
        # The line may touch the edge: its letters are lower than it.
        high = metrics.ascent() * len(text.splitlines()) > room.height() + _SLACK
    if wide or high:
        yield f"{'wide' if wide else 'high'} {text}"
    elif not _scrolls(label):
        seen = label.visibleRegion().boundingRect()
        if seen.width() < label.width() - 4 or seen.height() < label.height() - 6:
            needed = metrics.horizontalAdvance(text) if not label.wordWrap() else label.width()
            if seen.width() < needed or seen.height() < metrics.ascent():
                yield f"covered {text}"


def _cut_heads(heads: QHeaderView) -> Iterator[str]:
    if isinstance(heads, PlainHeader):
        return
    for section in range(heads.count()):
        text = str(heads.model().headerData(section, Qt.Orientation.Horizontal) or "")
        words = heads.fontMetrics().horizontalAdvance(text) + _HEAD_PADDING
        if not heads.isSectionHidden(section) and words > heads.sectionSize(section) + _SLACK:
            yield f"head {text}"


def _cut_axes(plot: PlotCanvas) -> Iterator[str]:
    edge = QRectF(plot.rect()).adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK)
    for side in ("bottom", "left"):
        axis = plot.getPlotItem().getAxis(side)
        if axis.label.isVisible():
            area = axis.label.mapRectToScene(axis.label.boundingRect())
            # Across the line of text its box has a margin that may stand beyond the picture.
            if side == "bottom":
                area.setHeight(1)
                area.moveTop(edge.center().y())
            else:
                area.setWidth(1)
                area.moveLeft(edge.center().x())
            if not edge.contains(area):
                yield f"title {axis.labelText}"
        if not axis.isVisible():
            continue
        canvas = QPixmap(1, 1)
        painter = QPainter(canvas)
        specs = axis.generateDrawSpecs(painter)
        painter.end()
        for rect, _flags, text in specs[2] if specs else ():
            if text.strip() and not edge.contains(axis.mapRectToScene(QRectF(rect))):
                yield f"tick {text}"


def _scrolls(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = parent.parentWidget()
    return False
