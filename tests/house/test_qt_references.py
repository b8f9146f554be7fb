"""A canary for the binding between Python and Qt.

PySide6 6.12.0 loses a reference to `None` with every void call and one to `True` with every
emit; a window then aborts after some hundreds of repaints, long after a short test has passed.
"""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject, Signal

# Qt's widgets cannot be loaded on a system without the libraries of a desktop.
pg = pytest.importorskip("pyqtgraph", exc_type=ImportError)

# From CPython 3.12 on both live for ever, and their counts say nothing.
pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="None and True are immortal on this Python"
)

ROUNDS = 300
SLACK = 50  # other code takes and drops some references meanwhile


class Bell(QObject):
    """Something that emits."""

    rung = Signal(bool)


def test_that_emits_and_repaints_lose_no_references(qtbot) -> None:
    bell = Bell()
    bell.rung.connect(lambda loud: None)
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    curve = plot.plot([0.0, 1.0], [0.0, 1.0])
    plot.show()
    qtbot.waitExposed(plot)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for round_ in range(ROUNDS):
        bell.rung.emit(True)
        curve.setData([0.0, 1.0], [0.0, float(round_)])
        plot.viewport().repaint()
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert all(late > early - SLACK for early, late in zip(before, after, strict=True))
