from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from dpdesk.gui.theme import ThemeSwitch, load_theme
from dpdesk.gui.widgets.plot_axis import GroundAxis
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import Line


@pytest.fixture
def canvas(qtbot: QtBot) -> PlotCanvas:
    made = PlotCanvas("Noise")
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.set_ranges((-0.5, 1.5), (-0.02, 1.02))
    made.show()
    return made


def colours(canvas: PlotCanvas) -> set[str]:
    image: QImage = canvas.grab().toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }


def test_that_the_plot_is_coloured_anew_with_the_theme(
    canvas: PlotCanvas, theme: ThemeSwitch
) -> None:
    canvas.bars(1, "true answer").setOpts(x=np.arange(2), height=np.array([0.7, 0.3]), width=0.5)
    for name in ("light", "dark"):
        theme.set_choice(name)
        tokens = load_theme(name)
        assert {tokens.surface, tokens.series(1)} <= colours(canvas)
        assert canvas.getPlotItem().getAxis("left").textPen().color().name() == tokens.muted


def test_that_axes_stay_where_they_are_put(canvas: PlotCanvas) -> None:
    canvas.line(0).setData([-50.0, 70.0], [3.0, 90.0])
    canvas.grab()
    (left, right), (bottom, top) = canvas.getPlotItem().getViewBox().viewRange()
    assert (left, right) == pytest.approx((-0.5, 1.5))
    assert (bottom, top) == pytest.approx((-0.02, 1.02))


def test_that_small_numbers_are_not_scaled_by_a_prefix(canvas: PlotCanvas) -> None:
    canvas.set_axis_titles("", "Probability")
    canvas.set_ranges((0, 1), (0, 0.004))
    canvas.grab()
    axis = canvas.getPlotItem().getAxis("left")
    assert axis.autoSIPrefixScale == 1.0
    assert "x0.001" not in axis.labelString()


def test_that_names_of_the_data_are_not_rendered(canvas: PlotCanvas) -> None:
    canvas.line(0, "<img src='x'>")
    canvas.set_axis_titles("<b>age</b>", "")
    label = canvas.plotItem.legend.items[0][1]
    assert label.item.toPlainText() == "<img src='x'>"
    assert canvas.getPlotItem().getAxis("bottom").label.toPlainText().strip() == "<b>age</b>"


def test_that_the_legend_keeps_its_text_when_the_theme_changes(
    canvas: PlotCanvas, theme: ThemeSwitch
) -> None:
    canvas.line(0, "<i> a & b")
    theme.set_choice("dark")
    assert canvas.plotItem.legend.items[0][1].item.toPlainText() == "<i> a & b"


def test_that_an_item_that_was_removed_is_gone_from_the_legend(canvas: PlotCanvas) -> None:
    canvas.line(0, "one")
    canvas.bars(1, "two")
    canvas.clear_items()
    assert canvas.plotItem.legend.items == []
    assert canvas.getPlotItem().listDataItems() == []


def test_that_mouse_and_menu_change_nothing(canvas: PlotCanvas, qtbot: QtBot) -> None:
    view = canvas.getPlotItem().getViewBox()
    assert view.mouseEnabled() == [False, False]
    assert not view.menuEnabled()


def test_that_the_numbers_can_be_had_as_a_table(canvas: PlotCanvas, qtbot: QtBot) -> None:
    canvas.set_table(["Answer", "Probability"], [["yes", "0.75"], ["no", "0.25"]])
    canvas.set_description("yes is reported with probability 0.75")
    assert canvas.table_data().rows == (("yes", "0.75"), ("no", "0.25"))
    qtbot.keyClick(canvas, Qt.Key.Key_T)
    dialog = canvas.table_window.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.copy()
    copied = QGuiApplication.clipboard().text()
    assert copied == "Answer\tProbability\nyes\t0.75\nno\t0.25"
    canvas.set_table(["Answer"], [["yes"]])
    assert dialog._view.columnCount() == 1
    dialog.close()


def test_that_the_ground_is_painted_anew_for_the_axes_and_for_nothing_else(
    canvas: PlotCanvas, theme: ThemeSwitch, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, bars, marker, label = canvas.line(0), canvas.bars(1), canvas.marker(), canvas.label()
    canvas.grab()
    painted: list[str] = []
    original = GroundAxis.paint_ground
    monkeypatch.setattr(
        GroundAxis,
        "paint_ground",
        lambda axis, painter: (painted.append(axis.orientation), original(axis, painter))[1],
    )
    pictures = [canvas.grab().toImage()]
    line.setData([0.0, 1.0], [0.2, 0.9])
    bars.setOpts(x=np.arange(2), height=np.array([0.7, 0.3]), width=0.5)
    marker.setValue(0.5)
    label.setText("0.7")
    label.setPos(0.0, 0.7)
    pictures.append(canvas.grab().toImage())
    assert painted == []
    changes: tuple[Callable[[], object], ...] = (
        lambda: canvas.set_ranges((0.0, 3.0), (0.0, 2.0)),
        lambda: canvas.set_categories(("yes", "no")),
        lambda: canvas.set_axis_titles("Report", "Chance"),
        lambda: canvas.resize(420, 300),
        lambda: theme.set_choice("dark"),
    )
    for change in changes:
        painted.clear()
        change()
        canvas.grab()
        pictures.append(canvas.grab().toImage())
        assert {"left", "bottom"} <= set(painted)
    assert all(before != after for before, after in pairwise(pictures))


def test_that_names_below_bars_stand_in_two_lines_before_they_are_cut(canvas: PlotCanvas) -> None:
    names = ("sex", "marital-status", "race", "relationship", "education", "age")
    signs = ("", *["+ "] * 5)
    signed = [sign + name for sign, name in zip(signs, names, strict=True)]

    def shown() -> list[str]:
        return [text for _, text in canvas.getPlotItem().getAxis("bottom")._tickLevels[0]]

    def width(width: int) -> list[str]:
        canvas.resize(width, 300)
        canvas.grab()
        return shown()

    canvas.name_bars(names, signs=signs)
    assert width(900) == signed
    narrow = width(520)
    assert [text.removeprefix("\n") for text in narrow] == signed
    assert [text.startswith("\n") for text in narrow] == [False, True] * 3
    # The outer bars have room beside them for what stands above them and below them.
    low, high = canvas.getPlotItem().getViewBox().viewRange()[0]
    assert (low, high) == pytest.approx((-1.0, 6.0))
    narrower = width(300)
    assert "+ mari" in narrower[1]
    assert narrower[1].endswith("…")
    assert width(900) == signed
    canvas.name_bars(())
    assert canvas.getPlotItem().getAxis("bottom")._tickLevels is None


def test_that_marks_stand_where_their_numbers_are(canvas: PlotCanvas, theme: ThemeSwitch) -> None:
    theme.set_choice("light")
    tokens = load_theme("light")
    canvas.set_ranges((0.0, 10.0), (0.0, 10.0))
    filled, dots = canvas.line(0, filled=True), canvas.line(2)
    filled.setData([0.0, 5.0], [8.0, 8.0])
    dots.setSymbol("o")
    dots.setSymbolSize(12)
    dots.setSymbolBrush(tokens.series(2))
    dots.setData([8.0], [3.0])
    canvas.bars(1).setOpts(x=np.array([7.0]), height=np.array([9.0]), width=1.0)
    image = canvas.grab().toImage()

    def colour(x: float, y: float) -> str:
        place = canvas.mapFromScene(canvas.getPlotItem().getViewBox().mapViewToScene(QPointF(x, y)))
        return image.pixelColor(place).name()

    assert colour(7.0, 5.3) == colour(6.8, 8.7) == tokens.series(1)
    assert colour(8.0, 3.0) == tokens.series(2)
    assert colour(9.0, 5.3) == tokens.surface
    assert colour(2.5, 5.3) not in (tokens.surface, tokens.series(0))
    assert colour(5.6, 5.3) == tokens.surface
    assert dots.getOriginalDataset()[0] == pytest.approx([8.0])
    filled.setData()
    assert filled.getOriginalDataset() == (None, None)


def test_that_every_mark_fills_the_plot_after_other_axes_and_another_size(
    canvas: PlotCanvas,
) -> None:
    bars, line, marker, label = canvas.bars(1), canvas.line(0), canvas.marker(), canvas.label()
    line.setData([0.0, 1.0], [0.0, 1.0])
    box = canvas.getPlotItem().getViewBox()
    for ranges, size in (
        (((0.0, 1.0), (0.0, 1.0)), (500, 400)),
        (((10.0, 20.0), (3.0, 4.0)), (500, 400)),
        (((10.0, 20.0), (300.0, 400.0)), (700, 300)),
    ):
        canvas.set_ranges(*ranges)
        canvas.resize(*size)
        line.setData(ranges[0], ranges[1])
        image = canvas.grab()
        assert not image.isNull()
        # What Qt is told of a mark decides whether it is painted at all.
        for mark in (bars, line, marker, label):
            assert mark.boundingRect() == box.viewRect()
        assert load_theme("light").series(0) in colours(canvas)


def test_that_an_axis_parts_the_thousands_of_its_numbers() -> None:
    axis = GroundAxis("bottom")
    assert axis.tickStrings([500, 1000, -2000], 1.0, 500) == ["500", "1,000", "-2,000"]
    assert axis.tickStrings([0.5, 1.0], 1.0, 0.5) == ["0.5", "1.0"]


def _picture(canvas: PlotCanvas) -> QImage:
    return canvas.grab().toImage()


def _law(peak: float) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-0.4, 1.4, 1000)
    return x, np.exp(-6 * np.abs(x - peak)) + 0.05 * np.sin(40 * x) ** 2


def test_that_the_area_below_a_line_is_painted_in_one_part_and_looks_as_in_many(
    canvas: PlotCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Qt waits for several threads at every part of some height.
    parts: list[object] = []
    whole = Line._getFillPathList

    def in_parts(line: Line, widget: object) -> list[object]:
        parts.extend(whole(line, widget))
        return whole(line, widget)

    monkeypatch.setattr(Line, "_getFillPathList", in_parts)
    line = canvas.line(1, filled=True)
    line.setData(*_law(0.3))
    in_one = _picture(canvas)
    assert not parts
    # A line with gaps is left to pyqtgraph.
    line.setData(*_law(0.3), connect="finite")
    assert _picture(canvas) == in_one
    assert len(parts) > 5


def test_that_the_area_below_a_line_follows_its_data(canvas: PlotCanvas) -> None:
    line = canvas.line(1, filled=True)
    line.setData(*_law(0.3))
    before = _picture(canvas)
    line.setData(*_law(0.8))
    after = _picture(canvas)
    assert after != before
    canvas.remove(line)
    canvas.line(1, filled=True).setData(*_law(0.8))
    assert _picture(canvas) == after


def lowest_ink(canvas: PlotCanvas, word: str) -> int:
    """The lowest row of the picture that a word below the axis paints."""
    canvas.set_categories([word, word])
    canvas.grab()
    # The axis takes its room after it was painted.
    QGuiApplication.processEvents()
    image: QImage = canvas.grab().toImage()
    surface = image.pixelColor(image.width() - 1, image.height() - 1)
    inked = (
        y
        for y in range(image.height() - 1, 0, -1)
        if any(image.pixelColor(x, y) != surface for x in range(image.width()))
    )
    return next(inked)


def test_that_words_at_the_ticks_are_not_cut_below(canvas: PlotCanvas) -> None:
    canvas.set_axis_titles("", "Share")
    # Only after taller words does the axis take no more room than it needs.
    lowest_ink(canvas, "a\nb\nc")
    hangs = canvas.fontMetrics().tightBoundingRect("p").bottom()
    assert hangs > 1
    assert lowest_ink(canvas, "p") - lowest_ink(canvas, "x") >= hangs


_AS_THICK = """
from PySide6.QtWidgets import QApplication
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
app = QApplication([])
theme = ThemeSwitch(app, "light")
canvas = PlotCanvas("Noise")
canvas.resize(300, 300)
canvas.set_ranges((0, 1), (0, 1))
canvas.line(0).setData([0.2, 0.8], [0.45, 0.45])
canvas.show()
image = canvas.grab().toImage()
middle = image.width() // 2
column = [image.pixelColor(middle, y).name() for y in range(image.height())]
print(image.devicePixelRatioF(), column.count(theme.theme.series(0)))
"""


@pytest.mark.parametrize(("scale", "pixels"), [("1", 2), ("1.25", 2), ("1.5", 3), ("2", 4)])
def test_that_lines_are_as_thick_on_a_dense_screen_as_on_any_other(scale: str, pixels: int) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    told = subprocess.run(
        [sys.executable, "-c", _AS_THICK], capture_output=True, text=True, env=environment
    )
    assert told.stdout.split() == [str(float(scale)), str(pixels)], told.stderr


def test_that_a_plot_that_moves_to_a_denser_screen_takes_other_pens(
    canvas: PlotCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, axis = canvas.line(0), canvas.getPlotItem().getAxis("left")
    assert (line.opts["pen"].widthF(), axis.pen().widthF()) == (2, 1)
    monkeypatch.setattr(canvas, "devicePixelRatioF", lambda: 1.5)
    QGuiApplication.sendEvent(canvas, QEvent(QEvent.Type.DevicePixelRatioChange))
    assert (line.opts["pen"].widthF(), axis.pen().widthF()) == (3, 2)
