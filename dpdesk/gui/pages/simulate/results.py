"""What is kept of a hypothetical survey: its results as a table, and a view as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QComboBox, QGraphicsView, QWidget

from dpdesk.data.write_csv import table_csv
from dpdesk.data.write_file import write_file
from dpdesk.designs.behaviour import SHARE_OF
from dpdesk.designs.probability import parameter_text
from dpdesk.errors import InputError
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import Theme
from dpdesk.preview.survey import QuantityResult

HEADERS = (
    "source",
    "question",
    "design",
    "parameters",
    "epsilon",
    "quantity",
    "truth",
    "respondents",
    "deny",
    "refuse",
    "careless",
    "understate",
    "surveys",
    "seed",
    "error_95",
    "error_95_sampling",
    "error_95_privacy",
    "sample_factor",
    "belief_lowest",
    "belief_highest",
    "planned_error",
    "mean_estimate",
    "standard_error",
    "coverage",
    "share_beyond",
)
"""Names of the columns.

Shares and errors of shares lie between 0 and 1, numbers are in their unit. The errors at 95 % are
of everybody following the device, the planned one is of those who do; `share_beyond` is the share
of the estimates below 0, or outside of the bounds of the numbers.
"""

_MARGIN = 16
_HEAD = 48
_FINE = 2.0
"""Pixels of a PNG for each of the screen."""


def result_rows(scenario: Scenario[Any]) -> tuple[tuple[str, ...], ...]:
    """One row for each estimate and design, of as many texts as `HEADERS`.

    Direct, truthful answers that no device takes have no row: nothing of them is drawn.

    Raises:
        ParameterError: A survey cannot be held.
    """
    shown = (scenario, *scenario.others)
    return tuple(row for each in shown for row in _rows(each))


def result_csv(scenario: Scenario[Any]) -> str:
    """The table as CSV, lines ending in LF; no text is taken for a formula by a spreadsheet.

    Raises:
        ParameterError: A survey cannot be held.
    """
    return table_csv(HEADERS, result_rows(scenario))


def save_results(scenario: Scenario[Any], path: Path) -> None:
    """Writes the table to a file.

    Raises:
        ReleaseError: The file cannot be written.
    """
    write_file(path, result_csv(scenario))


def _rows(scenario: Scenario[Any]) -> Iterator[tuple[str, ...]]:
    survey = scenario.survey
    parameters = "; ".join(
        f"{name}={parameter_text(value, rounded=True)}"
        for name, value in scenario.design
        if name != "kind"
    )
    for quantity, found in zip(scenario.quantities, survey.results(), strict=True):
        numbers = (
            *_errors(found, survey.quantile / sqrt(survey.respondents)),
            *(found.beliefs or (None, None)),
            found.outcomes.planned_error,
            found.outcomes.mean,
            found.outcomes.spread,
            found.outcomes.coverage,
            found.outcomes.beyond,
        )
        yield (
            "all outcomes, hypothetical" if survey.is_exact else "simulation",
            scenario.question,
            scenario.design.word,
            parameters,
            f"{scenario.epsilon:.9g}",
            quantity,
            f"{found.truth:.9g}",
            str(survey.respondents),
            *(_text(found.departures.get(way)) for way in SHARE_OF),
            str(survey.repetitions),
            "" if survey.is_exact else str(survey.seed),
            *map(_text, numbers),
        )


def _errors(found: QuantityResult, scale: float) -> tuple[float, ...]:
    sampling, privacy = found.parts
    return (
        scale * sqrt(sampling + privacy),
        scale * sqrt(sampling),
        scale * sqrt(privacy),
        1 + privacy / sampling if sampling else float("inf"),
    )


def _text(number: float | None) -> str:
    return "" if number is None else f"{number:.9g}"


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
    # What one chooses the picture by is no part of it.
    choices = [box for box in view.findChildren(QComboBox) if box.isVisibleTo(view)]
    for box in choices:
        box.hide()
    view.render(painter, QPoint(0, 0), renderFlags=QWidget.RenderFlag.DrawChildren)
    for box in choices:
        box.show()
