"""Frame times while the table of attributes of a wide survey is scrolled, offscreen.

Run: python -m tests.benchmarks.scroll_table [--columns 2000] [--frames 300]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from decimal import Decimal

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from dpdesk.domains import Categorical
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.mechanisms import ranked
from dpdesk.plan import ColumnPlan, Plan

LIMIT = 16.0


def _wide_plan(columns: int) -> Plan:
    made = []
    for number in range(columns):
        domain = Categorical(values=tuple(f"answer {i}" for i in range(2 + number % 40)))
        made.append(
            ColumnPlan(
                name=f"q{number}",
                label=f"Question {number}",
                kind="nominal",
                domain=domain,
                confirmed=True,
                role="protect",
                mechanism=ranked(domain, Decimal(1))[0].mechanism,
            )
        )
    return Plan(respondents=1_000_000, columns=tuple(made))


def _scroll(app: QApplication, area: QAbstractScrollArea, frames: int) -> list[float]:
    """Milliseconds from a step of the scroll bar to the repainted table, sorted."""
    bar = area.verticalScrollBar()
    spent = []
    for frame in range(frames):
        target = bar.minimum() + frame * (bar.maximum() - bar.minimum()) // max(frames - 1, 1)
        start = time.perf_counter()
        bar.setValue(target)
        app.processEvents()
        spent.append(1000 * (time.perf_counter() - start))
    return sorted(spent)


def _report(name: str, spent: list[float]) -> float:
    p99 = spent[int(0.99 * (len(spent) - 1))]
    print(f"{name:<40} {statistics.median(spent):8.2f} {p99:8.2f} {spent[-1]:8.2f}")
    return p99


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--columns", type=int, default=2000)
    parser.add_argument("--frames", type=int, default=300)
    options = parser.parse_args()
    app = QApplication([])
    ThemeSwitch(app, "light")
    document = Document()
    print(f"{'table':<40} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>8}")
    document.reset(_wide_plan(options.columns))
    plan_page = PlanPage(document)
    plan_page.resize(1240, 780)
    plan_page.show()
    app.processEvents()
    worst = _report(
        f"attributes, {options.columns:,} rows",
        _scroll(app, plan_page.records.table, options.frames),
    )
    document.shut_down()
    print(f"Largest p99: {worst:.2f} ms; one frame is {LIMIT:.0f} ms.")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
