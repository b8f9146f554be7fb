"""A view of a hypothetical survey as a picture: SVG of lines and letters, or PNG."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView, QWidget

from dpdesk.errors import InputError
from dpdesk.gui.theme import Theme

_MARGIN = 16
_HEAD = 48
_FINE = 2.0
"""Pixels of a PNG for each of the screen."""


def save_picture(view: QWidget, path: Path, title: str, note: str, theme: Theme) -> None:
    """Writes what a view shows, under a title and a note that says what it is.

    Args:
        view: The view; it is on the screen.
        path: A file that ends in .svg or .png.
        title: First line, cut where it is too long.
        note: Second line, muted.
        theme: Where the colours come from.

    Raises:
        InputError: The file cannot be written.
    """
    size = QSize(view.width() + 2 * _MARGIN, view.height() + _HEAD + 2 * _MARGIN)
    if path.suffix.lower() == ".svg":
        generator = QSvgGenerator()
        generator.setFileName(str(path))
        # As the screen: letters have the size that the layout gave them room for.
        generator.setResolution(view.logicalDpiX())
        generator.setSize(size)
        generator.setViewBox(QRect(QPoint(0, 0), size))
        generator.setTitle(title)
        generator.setDescription(note)
        painter = QPainter()
        written = painter.begin(generator)
        if written:
            _draw(painter, size, view, title, note, theme)
            painter.end()
    else:
        image = QImage(size * _FINE, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(_FINE)
        painter = QPainter(image)
        _draw(painter, size, view, title, note, theme)
        painter.end()
        written = image.save(str(path))
    if not written:
        raise InputError(
            "The picture cannot be written there.",
            remedy="Choose a folder in which you may write, and a disk with room.",
        )


def _draw(
    painter: QPainter, size: QSize, view: QWidget, title: str, note: str, theme: Theme
) -> None:
    painter.fillRect(QRectF(QPoint(0, 0), size), QColor(theme.surface))
    font = view.font()
    width = size.width() - 2 * _MARGIN
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    shown = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, width)
    painter.drawText(QPoint(_MARGIN, _MARGIN + 12), shown)
    font.setBold(False)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    shown = QFontMetrics(font).elidedText(note, Qt.TextElideMode.ElideRight, width)
    painter.drawText(QPoint(_MARGIN, _MARGIN + 32), shown)
    painter.translate(_MARGIN, _MARGIN + _HEAD)
    for plot in view.findChildren(QGraphicsView):
        # A background that is kept would come as points among the lines.
        plot.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
    view.render(painter, QPoint(0, 0), renderFlags=QWidget.RenderFlag.DrawChildren)
