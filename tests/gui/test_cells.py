"""What is painted into cells and heads stays in its room, and what is reserved is enough."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QStandardItemModel
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTableView, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.pages.plan.assignment_box import SUMMARY_ROLE, SummaryDelegate
from dpdesk.gui.pages.release.interval_table import IntervalDelegate, IntervalScale
from dpdesk.gui.theme import ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PADDING, PaddedDelegate
from dpdesk.gui.widgets.steady import Steady
from dpdesk.gui.widgets.typed_table import TYPED_ROLE, _FieldDelegate

WIDTH, HEIGHT = 90, 28
_GROUND = QColor("magenta")


def painted(
    delegate: PaddedDelegate, text: str, right: bool = False, selected: bool = False
) -> QImage:
    """A cell in the middle of a ground of another colour."""
    model = QStandardItemModel(1, 1)
    cell = model.index(0, 0)
    model.setData(cell, text)
    model.setData(cell, True, TYPED_ROLE)
    if right:
        alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        model.setData(cell, alignment.value, Qt.ItemDataRole.TextAlignmentRole)
    image = QImage(3 * WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(_GROUND)
    option = QStyleOptionViewItem()
    option.rect = QRect(WIDTH, 0, WIDTH, HEIGHT)
    option.state = QStyle.StateFlag.State_Selected if selected else QStyle.StateFlag.State_None
    painter = QPainter(image)
    delegate.paint(painter, option, cell)
    painter.end()
    return image


def inked(image: QImage) -> list[int]:
    """Where in the cell something stands, from its left edge; the ground counts as nothing."""
    nothing = {
        _GROUND.rgb(),
        QColor(theme_in_force().surface).rgb(),
        QColor(theme_in_force().selection).rgb(),
    }
    return [
        x - WIDTH
        for x in range(image.width())
        if any(image.pixel(x, y) not in nothing for y in range(HEIGHT - 2))
    ]


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QTableView()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("right", [False, True])
def test_that_a_text_stands_at_its_side_of_a_cell_with_the_padding_of_the_head(
    right: bool, parent: QWidget
) -> None:
    ink = inked(painted(PaddedDelegate(parent), "HH", right))
    aside = WIDTH - 1 - max(ink) if right else min(ink)
    assert PADDING <= aside <= PADDING + 3
    assert max(ink) - min(ink) < WIDTH / 2


def test_that_a_long_text_is_cut_within_its_cell(parent: QWidget) -> None:
    for right in (False, True):
        ink = inked(painted(PaddedDelegate(parent), "HHHH " * 20, right))
        assert min(ink) >= PADDING
        assert max(ink) <= WIDTH - PADDING
        assert max(ink) - min(ink) > WIDTH / 2


@pytest.mark.parametrize("selected", [False, True])
def test_that_a_cell_to_type_in_has_a_frame_in_its_middle(
    selected: bool, theme: ThemeSwitch, parent: QWidget
) -> None:
    image = painted(_FieldDelegate(parent), "", selected=selected)
    ink = inked(image)
    assert min(ink) == WIDTH - 1 - max(ink) == 3
    middle = QColor(image.pixel(WIDTH + 3, HEIGHT // 2))
    assert middle == QColor(theme.theme.accent if selected else theme.theme.control_border)
    column = [image.pixel(WIDTH + WIDTH // 2, y) == middle.rgb() for y in range(HEIGHT)]
    assert [y for y, is_frame in enumerate(column) if is_frame] == [3, HEIGHT - 1 - 3]


def test_that_an_item_has_its_summary_below_its_name_and_both_within_its_room(
    theme: ThemeSwitch, parent: QWidget
) -> None:
    delegate = SummaryDelegate(parent)
    model = QStandardItemModel(3, 1)
    for row, (name, summary) in enumerate((("HHHH", ""), ("HHHH", "HH"), ("HHHH" * 9, "HH" * 40))):
        model.setData(model.index(row, 0), name)
        model.setData(model.index(row, 0), summary, SUMMARY_ROLE)
    option = QStyleOptionViewItem()
    lines, ends = [], []
    for row in range(model.rowCount()):
        height = delegate.sizeHint(option, model.index(row, 0)).height()
        image = QImage(WIDTH, height, QImage.Format.Format_RGB32)
        option.rect = QRect(0, 0, WIDTH, height)
        painter = QPainter(image)
        delegate.paint(painter, option, model.index(row, 0))
        painter.end()
        ground = QColor(theme.theme.surface).rgb()
        inked = [[image.pixel(x, y) != ground for x in range(WIDTH)] for y in range(height)]
        rows = [any(line) for line in inked]
        assert not rows[0]
        assert not rows[-1]
        lines.append(sum(rows[y] and not rows[y - 1] for y in range(1, height)))
        columns = [x for x in range(WIDTH) if any(line[x] for line in inked)]
        ends.append((columns[0], WIDTH - 1 - columns[-1]))
    assert lines == [1, 2, 2]
    assert len({left for left, _ in ends}) == 1
    assert all(min(end) >= 8 for end in ends)


def test_that_a_changing_sentence_has_room_for_its_longest_text(qtbot: QtBot) -> None:
    longest = "Every answer is reported as it is with a chance of 73 %. " * 4
    label = PlainLabel(longest, wrap=True)
    steady = Steady(label, longest)
    qtbot.addWidget(steady)
    line = label.fontMetrics().height()
    for width in (250, 300, 500, 900, 5000):
        assert steady.heightForWidth(width) >= label.heightForWidth(width)
        lines = label.heightForWidth(width) / line
        assert steady.heightForWidth(width) <= (lines + 2) * (line + 3)
    assert steady.heightForWidth(5000) < 2 * line


def test_that_an_interval_is_painted_where_its_numbers_are(
    theme: ThemeSwitch, parent: QWidget
) -> None:
    # 26 points at each side of the cell, 40 for a tenth between them.
    rect = QRect(0, 0, 26 + 160 + 26, HEIGHT)
    scale = IntervalScale(-0.1, 0.3, ((0.0, "0"), (0.2, "20")))
    row = SimpleNamespace(lower=-0.05, upper=0.15, estimate=0.1, truncated=0.1)
    moved = SimpleNamespace(lower=-0.05, upper=0.15, estimate=-0.02, truncated=0.0)
    images = []
    for drawn in (row, moved):
        image = QImage(rect.size(), QImage.Format.Format_RGB32)
        image.fill(_GROUND)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        IntervalDelegate(parent).paint_interval(painter, rect, drawn, scale)
        painter.end()
        images.append(image)
    heights = [
        sum(QColor(images[0].pixel(x, y)) != _GROUND for y in range(HEIGHT))
        for x in range(rect.width())
    ]
    drawn_at = [x for x, height in enumerate(heights) if height]
    assert (min(drawn_at), max(drawn_at)) == pytest.approx((26 + 20, 26 + 100), abs=1)
    dot = [x for x in range(60, 120) if heights[x] > 4]
    assert sum(dot) / len(dot) == pytest.approx(26 + 80, abs=0.6)
    # The dot is a little lower than the marks at the ends of the interval.
    assert 6 <= max(heights[60:120]) < heights[26 + 20] < 12
    ring = QColor(images[1].pixel(26 + 40, HEIGHT // 2))
    assert ring == QColor(theme.theme.surface)
    assert QColor(images[0].pixel(26 + 80, HEIGHT // 2)) == QColor(theme.theme.accent)
