"""The progress of a job as a bar, with the button that cancels it."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from dpdesk.engine import Progress
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.widgets.boxes import lay_row

STEPS = 1000
"""The steps of a bar; 0 of them stand for progress that is not known."""


def progress_bar(name: str, parent: QWidget, steps: int = STEPS) -> QProgressBar:
    """Returns a bar without a text.

    Args:
        name: What it is the progress of, for screen readers.
        parent: The widget that it stands on.
        steps: Its steps; 0 where the progress is not known.
    """
    bar = QProgressBar(parent)
    bar.setRange(0, steps)
    bar.setTextVisible(False)
    bar.setAccessibleName(name)
    return bar


class ProgressLine(QWidget):
    """A bar and Cancel beside each other, which are shown while a job runs.

    Args:
        name: What the bar is the progress of, for screen readers.
        watch: Runs the job; Cancel cancels it.
        unseen: Milliseconds of a job before anything is shown. Where jobs are short and many, a bar
            that comes and goes would only disturb.

    Attributes:
        bar: The bar.
        stop: The button.
    """

    def __init__(
        self, name: str, watch: JobWatch, *, unseen: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._unseen, self._since_start = unseen, QElapsedTimer()
        self.bar = progress_bar(name, self)
        self.stop = QPushButton(self.tr("&Cancel"), self)
        lay_row((self.bar, 1), self.stop, spacing=8, on=self)
        watch.started.connect(lambda _: self._begin())
        watch.progressed.connect(self._show_progress)
        watch.ended.connect(lambda: self._set_shown(False))
        self.stop.clicked.connect(watch.cancel)
        self._set_shown(False)

    def _begin(self) -> None:
        self._since_start.start()
        self.bar.setValue(0)
        self._set_shown(not self._unseen)

    def _show_progress(self, progress: Progress) -> None:
        if self._since_start.elapsed() >= self._unseen:
            self.bar.setValue(round(STEPS * progress.done))
            self.bar.setAccessibleDescription(progress.stage)
            self.bar.setToolTip(progress.stage)
            self._set_shown(True)

    def _set_shown(self, shown: bool) -> None:
        for widget in (self, self.bar, self.stop):
            widget.setVisible(shown)
