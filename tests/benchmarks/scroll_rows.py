"""Times scrolling through a million rows of ten columns in the view of the Data page.

    python -m tests.benchmarks.scroll_rows [rows]

A frame is the change of the scroll bar with everything that is painted for it, in the whole page,
without a display. Steps are those of a wheel, of Page Down and of a drag of the bar to anywhere,
sideways too; the bar for each is 16 ms, a frame at 60 Hz.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyarrow as pa
from PySide6.QtWidgets import QApplication, QScrollBar

from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.gui.app import application
from dpdesk.gui.document import Document
from dpdesk.gui.pages.data import DataPage
from dpdesk.gui.pages.data.column_editor import ROWS
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import draft_table

COLUMNS = 10
FRAMES = 400
BAR_MS = 16.0


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    app = application()
    ThemeSwitch(app, "light")
    document = Document()
    page = DataPage(document)
    page.resize(1260, 790)
    page.show()
    settle(app)
    table = table_of(rows)
    document.reset(draft_table(table))
    page.editor.tabs.setTabVisible(ROWS, True)
    page.editor.tabs.setCurrentIndex(ROWS)
    settle(app)
    begun = time.perf_counter()
    document._set_table(table, None)
    app.processEvents()
    shown = 1000 * (time.perf_counter() - begun)
    view = page.editor.rows
    if not view.isVisible():
        raise SystemExit("the rows are not shown: nothing to measure")
    size = view.viewport().size()
    print(f"{rows:,} rows x {COLUMNS} columns shown after {shown:.0f} ms, in a view of")
    print(f"{size.width()} x {size.height()} pixels")
    vertical, sideways = view.verticalScrollBar(), view.horizontalScrollBar()
    generator = np.random.default_rng(1974)
    anywhere = generator.integers(0, vertical.maximum(), FRAMES).tolist()
    series: dict[str, tuple[QScrollBar, list[int]]] = {
        "wheel, 3 rows": (vertical, [3 * step for step in range(FRAMES)]),
        "Page Down": (vertical, [vertical.pageStep() * step for step in range(FRAMES)]),
        "dragged anywhere": (vertical, anywhere),
        "sideways, 20 pixels": (
            sideways,
            [20 * step % max(sideways.maximum(), 1) for step in range(FRAMES)],
        ),
    }
    print(f"{'step':<22}{'p50 ms':>8}{'p99 ms':>8}{'worst':>8}")
    for title, (bar, values) in series.items():
        frames = np.array([frame(app, bar, value) for value in values])
        p50, p99 = np.percentile(frames, [50, 99])
        verdict = "" if p99 <= BAR_MS else f"  above {BAR_MS:.0f} ms"
        print(f"{title:<22}{p50:8.2f}{p99:8.2f}{frames.max():8.2f}{verdict}")


def frame(app: QApplication, bar: QScrollBar, value: int) -> float:
    begun = time.perf_counter()
    bar.setValue(value)
    app.processEvents()
    return 1000 * (time.perf_counter() - begun)


def settle(app: QApplication) -> None:
    for _ in range(20):
        app.processEvents()


def table_of(rows: int) -> SurveyTable:
    """Columns as surveys have them: an identifier, categories, long free text."""
    generator = np.random.default_rng(2)
    columns = []
    for place in range(COLUMNS):
        if place == 0:
            texts = pa.array([f"r{row:07d}" for row in range(rows)])
            codes = np.arange(rows, dtype=np.int32)
        elif place % 3 == 0:
            texts = pa.array([f"{k}: a long answer that somebody typed " * 3 for k in range(5000)])
            codes = generator.integers(0, 5000, rows).astype(np.int32)
        else:
            texts = pa.array([f"answer {number}" for number in range(50)])
            codes = generator.integers(0, 50, rows).astype(np.int32)
        columns.append(TextColumn(f"question_{place}", codes, texts))
    return SurveyTable(tuple(columns), rows)


if __name__ == "__main__":
    main()
