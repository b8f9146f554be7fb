"""Frame times of the stage while pictures change, and of a fresh draw, offscreen.

Run: python -m tests.benchmarks.stage_frames [--frames 60] [--width 1920] [--height 1080]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from dpdesk.demonstrations import demonstrations
from dpdesk.gui.stage.stage import Stage
from dpdesk.gui.theme import ThemeSwitch

LIMIT = 16.0
"""Milliseconds of the processor for a frame."""


def _frames(app: QApplication, stage: Stage, frames: int) -> list[float]:
    """Milliseconds of the processor from a moment of the change to the repainted stage."""
    view = stage.view
    stage.play()
    view._change.stop()
    view.set_progress(0.0)
    app.processEvents()
    spent = []
    for frame in range(1, frames):
        start = time.process_time()
        view.set_progress(frame / frames)
        view.repaint(view.step_layout().pictures.toAlignedRect())
        spent.append(1000 * (time.process_time() - start))
    view.set_progress(1.0)
    app.processEvents()
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--width", type=int, default=1920)
    parser.add_argument("--height", type=int, default=1080)
    options = parser.parse_args()
    app = QApplication([])
    ThemeSwitch(app, "light")
    print(f"{'step that moves':<44} {'p50 ms':>8} {'p99 ms':>8} {'draw ms':>8}")
    everything: list[float] = []
    for demonstration in demonstrations():
        demonstration.prepare()
        stage = Stage(demonstration, where=lambda: QPoint(-9, -9))
        stage.resize(options.width, options.height)
        stage.show()
        while stage.watch.is_running:
            app.processEvents()
        for number, step in enumerate(demonstration.steps):
            stage.show_step(number)
            if step.choices:
                stage.choose(len(step.choices) - 1)
            if not step.draws_again and not step.choices:
                continue
            start = time.process_time()
            step.scene(choice=stage.choice())
            draw = 1000 * (time.process_time() - start)
            spent = sorted(_frames(app, stage, options.frames))
            everything += spent
            p99 = spent[int(0.99 * (len(spent) - 1))]
            name = f"{demonstration.key}, step {number + 1}"
            print(f"{name:<44} {statistics.median(spent):8.2f} {p99:8.2f} {draw:8.2f}")
        stage.close()
    everything.sort()
    p99 = everything[int(0.99 * (len(everything) - 1))]
    print(
        f"All: p50 {statistics.median(everything):.2f} ms, p99 {p99:.2f} ms; limit {LIMIT:.0f} ms."
    )
    return 0 if p99 <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
