"""Drives the window with 10, 100 and 200 columns: longest blocks of its thread, steps of sliders.

    python -m tests.benchmarks.wide_window [--rows 1000] [--steps 60]

Each width has a process of its own: it opens a file, protects all columns, goes to Plan and to
Release, and chooses synthetic rows. A block is what the thread of the window works before it looks
at events again, in milliseconds of its own processor time; the floor is 100.

A step of a slider is compared, in the same run, with the bare repaint of its plot: the plot alone
takes the next value and is painted. Synthetic rows have no plot; theirs is the page that is painted
anew. The floor is twice that. Where a step is above it, what else it does is listed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from typing import Any

WIDTHS = (10, 100, 200)
BLOCK_MS, TIMES = 100.0, 2.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--columns", type=int, help="of the process that is measured")
    options = parser.parse_args()
    if options.columns:
        return drive(options.columns, options.rows, options.steps)
    words = ["-m", "tests.benchmarks.wide_window", "--rows", str(options.rows)]
    words += ["--steps", str(options.steps), "--columns"]
    missed = 0
    for columns in WIDTHS:
        print(f"\n{columns} columns", flush=True)
        missed += subprocess.run([sys.executable, *words, str(columns)], check=False).returncode
    print(
        f"\n{missed} above the floors: a block of {BLOCK_MS:.0f} ms, a step of {TIMES:g} repaints"
    )
    return min(missed, 1)


def drive(columns: int, rows: int, steps: int) -> int:
    """Prints what is measured at a width; ends the process with the number of missed floors."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "QT_QPA_PLATFORM": "offscreen",
            "DPDESK_LEDGER": f"{folder}/ledger.sqlite",
            "XDG_CONFIG_HOME": folder,
        }
        missed = _drive(Path(folder), columns, rows, steps)
    # Pages have threads of their own, which nobody waits for here.
    sys.stdout.flush()
    os._exit(missed)


def _drive(folder: Path, columns: int, rows: int, steps: int) -> int:
    from PySide6.QtCore import QSettings

    from dpdesk.gui.app import application, spare_start_up
    from dpdesk.gui.document import Document
    from dpdesk.gui.main_window import MainWindow
    from dpdesk.gui.pages.simulate.value_slider import ValueSlider
    from dpdesk.gui.settings import Settings
    from dpdesk.gui.theme import ThemeSwitch
    from dpdesk.plan import confirm_domains
    from dpdesk.releases.records import RECORDS
    from dpdesk.releases.synthetic import SYNTHETIC
    from tests.benchmarks.wide_plans import write_survey

    data = folder / "survey.csv"
    write_survey(data, columns, rows)
    app = application()
    ThemeSwitch(app, "light")
    store = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
    window = MainWindow(Settings(store))
    window.show()
    document = Document(window)
    window.furnish(document)
    spare_start_up()
    run = Run(app, document)
    plan, release = window.pages["plan"], window.pages["release"]
    run.block(
        "opening the file",
        lambda: document.open_table(data),
        lambda: document.table is not None and not document.loading.is_running,
    )
    document.edit("", confirm_domains(document.plan))
    run.block("Protect all", plan.records.edits.protect_all)
    run.block("Plan", lambda: window.go_to("plan"))
    run.block("Release", lambda: window.go_to("release"))
    run.block("Release, synthetic rows", lambda: document.set_release_kind(SYNTHETIC))
    run.block("Plan, synthetic rows", lambda: window.go_to("plan"))
    run.block("Release again", lambda: window.go_to("release"))
    run.block("Simulate", lambda: window.go_to("simulate"))

    window.go_to("release")
    slider = release.pane().before.promise.form.epsilon.slider
    run.slider("Release, synthetic rows", slider, steps, paint=release.repaint)
    window.go_to("plan")
    slider = plan.synthetic.form.epsilon.slider
    run.slider("Plan, synthetic rows", slider, steps, paint=plan.repaint)
    document.set_release_kind(RECORDS)
    panel = plan.records.panel
    view = panel.tabs.current()
    run.slider("Plan", panel.epsilon.slider, steps, plot=(view, "show_request"))
    window.go_to("simulate")
    simulated = window.pages["simulate"].pane
    for slider in simulated.card.findChildren(ValueSlider):
        if slider.isVisible():
            title = f"Simulate, {slider.field.accessibleName()}"
            plot = (simulated.tabs.current(), "show_scenario")
            run.slider(title, slider.slider, steps, plot=plot, resting=simulated._resting)
    return run.missed


class Run:
    """One window that is driven.

    Args:
        app: The application.
        document: Its document.
    """

    def __init__(self, app: Any, document: Any) -> None:
        from PySide6.QtCore import QTimer

        self.missed = 0
        self._parts = Parts()
        self._app, self._document = app, document
        self._blocks: list[float] = []
        self._last = time.thread_time()
        # A timer without an interval fires once each time the thread looks at its events.
        self._timer = QTimer()
        self._timer.timeout.connect(self._note)
        self._timer.start(0)

    def block(
        self, name: str, work: Callable[[], object], done: Callable[[], bool] = lambda: True
    ) -> None:
        """Prints the longest block of the thread from some work until the window rests."""
        self._settle(0.3)
        self._blocks, self._last = [], time.thread_time()
        work()
        self._settle(1.0, done)
        longest = 1000 * max(self._blocks)
        self.missed += longest > BLOCK_MS
        print(f"  block {name:<32} {longest:7.0f} ms{' ABOVE' * (longest > BLOCK_MS)}", flush=True)

    def slider(
        self,
        name: str,
        slider: Any,
        steps: int,
        *,
        plot: tuple[Any, str] | None = None,
        paint: Callable[[], object] | None = None,
        resting: Any = None,
    ) -> None:
        """Prints the median step of a slider that is held, and of the repaint of its plot.

        Args:
            name: What is printed.
            slider: The slider.
            steps: Number of steps.
            plot: What shows the plot, and the name of its method that fills it.
            paint: What paints where there is no plot.
            resting: The timer of its rest; the document's if None.
        """
        self._settle(0.3)
        resting = self._document._resting if resting is None else resting
        filled: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        if plot is not None:
            self._record(*plot, filled)
        # However slow the machine is, the slider does not rest between two steps.
        resting.setInterval(600_000)
        low, high = slider.maximum() // 4, 3 * slider.maximum() // 4
        sweep = [*range(low, high, 7), *range(high, low, -7)]
        slider.setSliderDown(True)
        for position in sweep[:5]:
            slider.setValue(position)
            self._app.processEvents()
        filled.clear()
        self._parts.begin()
        taken = []
        for step in range(steps):
            self._app.processEvents()
            _rest()
            begun = time.thread_time()
            slider.setValue(sweep[(5 + step) % len(sweep)])
            self._app.processEvents()
            taken.append(time.thread_time() - begun)
        parts = self._parts.words(steps)
        repaint = self._repaint(plot, filled, paint)
        resting.setInterval(100)
        self._blocks, self._last = [], time.thread_time()
        slider.setSliderDown(False)
        resting.flush()
        self._settle(0.5)
        step = 1000 * median(taken)
        ratio = step / max(repaint, 0.01)
        self.missed += ratio > TIMES
        print(
            f"  step  {name:<32} {step:7.2f} ms (mean {1000 * mean(taken):.2f})"
            f"  repaint {repaint:5.2f} ms  x {ratio:.1f}"
            f"{' ABOVE' * (ratio > TIMES)}; when it rests {1000 * max(self._blocks):.0f} ms",
            flush=True,
        )
        if ratio > TIMES:
            print(f"        {parts}", flush=True)

    def _repaint(
        self,
        plot: tuple[Any, str] | None,
        filled: list[tuple[tuple[Any, ...], dict[str, Any]]],
        paint: Callable[[], object] | None,
    ) -> float:
        """Milliseconds of the bare repaint."""
        taken = []
        works: list[Callable[[], object]] = [paint] * 30 if paint else []
        if plot is not None:
            view, method = plot
            fill = getattr(type(view), method)
            delattr(view, method)
            works = [lambda a=args, k=more: fill(view, *a, **k) for args, more in filled]  # type: ignore[misc]
        for work in works:
            self._app.processEvents()
            _rest()
            begun = time.thread_time()
            work()
            self._app.processEvents()
            taken.append(time.thread_time() - begun)
        return 1000 * median(taken)

    def _record(self, view: Any, method: str, filled: list[Any]) -> None:
        fill = getattr(view, method)

        def recorded(*args: Any, **more: Any) -> Any:
            filled.append((args, more))
            return fill(*args, **more)

        setattr(view, method, recorded)

    def _note(self) -> None:
        now = time.thread_time()
        self._blocks.append(now - self._last)
        self._last = now

    def _settle(self, seconds: float, done: Callable[[], bool] = lambda: True) -> None:
        end = 0.0
        while not end or time.monotonic() < end:
            if not end and done():
                end = time.monotonic() + seconds
            self._app.processEvents()
            time.sleep(0.001)


class Parts:
    """Where the time of a step goes: each part without those inside of it."""

    def __init__(self) -> None:
        from pyqtgraph import GraphicsView

        from dpdesk.gui.document import Document
        from dpdesk.gui.pages.plan.attribute_panel import AttributeFigures
        from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
        from dpdesk.gui.pages.plan.plan_header import PlanHeader
        from dpdesk.gui.pages.plan.plan_models import PlanModel
        from dpdesk.gui.pages.plan.plan_table import PlanDelegate
        from dpdesk.gui.pages.simulate.estimator_plot import EstimatorPlot
        from dpdesk.gui.pages.simulate.survey_pane import SurveyFigureRow
        from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetTrack

        methods = (
            ("the plot, filled", OutcomePlot, "show_request"),
            ("the plot, filled", EstimatorPlot, "show_scenario"),
            ("the plot, painted", GraphicsView, "paintEvent"),
            ("plan and undo", Document, "_apply"),
            ("head", PlanHeader, "refresh"),
            ("budget", BudgetBar, "set_budget"),
            ("budget", BudgetTrack, "paintEvent"),
            ("row of the table", PlanModel, "follow"),
            ("row of the table", PlanDelegate, "paint"),
            ("sentence and figures", AttributeFigures, "show_request"),
            ("sentence and figures", SurveyFigureRow, "show_scenario"),
        )
        self._spent: defaultdict[str, float] = defaultdict(float)
        self._inside: list[float] = []
        # For good: Qt's bindings keep the functions that they call, and do not own them.
        for name, owner, method in methods:
            setattr(owner, method, self._timed(name, getattr(owner, method)))

    def begin(self) -> None:
        """Forgets what was measured."""
        self._spent.clear()

    def words(self, steps: int) -> str:
        """The parts of a step, the largest first."""
        largest = sorted(self._spent.items(), key=lambda each: -each[1])
        return ", ".join(f"{name} {1000 * spent / steps:.2f}" for name, spent in largest)

    def _timed(self, name: str, run: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **more: Any) -> Any:
            self._inside.append(0.0)
            begun = time.thread_time()
            try:
                return run(*args, **more)
            finally:
                taken = time.thread_time() - begun
                self._spent[name] += taken - self._inside.pop()
                if self._inside:
                    self._inside[-1] += taken

        return timed


def _rest() -> None:
    """Waits busily: a hand on a slider keeps the processor awake, and rests longer than a frame."""
    end = time.perf_counter() + 0.017
    while time.perf_counter() < end:
        pass


if __name__ == "__main__":
    sys.exit(main())
