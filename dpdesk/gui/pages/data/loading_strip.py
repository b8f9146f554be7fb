"""What is being read, how far it is, how long it still takes, and Cancel."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from dpdesk.engine.jobs import Progress
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel

_STEPS = 1_000


class LoadingStrip(Card):
    """Follows a watch; hidden while nothing runs.

    Args:
        watch: The watch of the job that reads data.
        parent: Qt's owner.
    """

    def __init__(self, watch: JobWatch, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self._title = ElidedLabel("", "strong", parent=self)
        self._stage = PlainLabel("", "muted", parent=self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of reading"))
        self.cancel_button = QPushButton(self.tr("&Cancel"), self)
        self.cancel_button.clicked.connect(watch.cancel)
        words = QHBoxLayout()
        words.addWidget(self._title, 1)
        words.addWidget(self._stage)
        words.addWidget(self.cancel_button)
        self.body.addLayout(words)
        self.body.addWidget(self.bar)
        watch.started.connect(self._begin)
        watch.progressed.connect(self._show)
        watch.ended.connect(self.hide)
        self.hide()

    def _begin(self, title: str) -> None:
        self._title.set_text(title)
        self._stage.setText("")
        self.bar.setValue(0)
        self.show()

    def _show(self, progress: Progress) -> None:
        stage = QCoreApplication.translate("Stage", progress.stage)
        if progress.seconds_left is not None and progress.seconds_left >= 1:
            left = self.tr("{stage} · about {seconds} s left")
            stage = left.format(stage=stage, seconds=f"{progress.seconds_left:,.0f}")
        self._stage.setText(stage)
        self.bar.setValue(round(progress.done * _STEPS))
