"""While a release runs: how far it is, and the way to stop it."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from dpdesk.engine import Progress
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel

_STEPS = 1000
_WIDTH = 560
_KNOWN_FROM = 0.08
"""Before this share is done, the time left is a guess that would jump."""


class RunningView(QWidget):
    """Progress, stage, time left and Cancel in one card.

    Args:
        parent: Qt's owner.

    Attributes:
        cancelAsked: The user wants to stop.
    """

    cancelAsked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = Card(margin=28, parent=self)
        card.setFixedWidth(_WIDTH)
        self._title = ElidedLabel("", "heading", parent=card)
        self._target = ElidedLabel("", "muted", parent=card)
        self.bar = QProgressBar(card)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the release"))
        self._stage = PlainLabel("", parent=card)
        self._left = PlainLabel("", "muted", parent=card)
        self._left.setAlignment(Qt.AlignmentFlag.AlignRight)
        note = PlainLabel(
            self.tr(
                "The plan as it stood at the start is run; edits made meanwhile do not touch "
                "this release. Nothing appears in the folder before all of it is written."
            ),
            "caption",
            wrap=True,
            parent=card,
        )
        self.cancel = QPushButton(self.tr("Cancel"), card)
        self.cancel.setToolTip(self.tr("Stop and leave nothing behind (Esc)"))
        self.cancel.clicked.connect(self.cancelAsked)
        facts = QHBoxLayout()
        facts.addWidget(self._stage, 1)
        facts.addWidget(self._left)
        end = QHBoxLayout()
        end.addStretch(1)
        end.addWidget(self.cancel)
        for part in (self._title, self._target):
            card.body.addWidget(part)
        card.body.addSpacing(8)
        card.body.addWidget(self.bar)
        card.body.addLayout(facts)
        card.body.addSpacing(8)
        card.body.addWidget(note)
        card.body.addLayout(end)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(card)
        middle.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addStretch(2)
        whole.addLayout(middle)
        whole.addStretch(3)

    def start(self, rows: int, target: str, title: str = "") -> None:
        """Shows the beginning of a release of so many respondents into a folder.

        Args:
            rows: Number of respondents.
            target: Name of the folder.
            title: What is done; that answers are sanitized when empty.
        """
        sanitizing = self.tr("Sanitizing the answers of {rows} respondents")
        self._title.set_text(title or sanitizing.format(rows=f"{rows:,}"))
        self._target.set_text(self.tr("into {folder}").format(folder=target))
        self.bar.setValue(0)
        self._stage.setText(self.tr("Starting"))
        self._left.setText("")
        self.cancel.setEnabled(True)
        self.cancel.setFocus()

    def show_progress(self, progress: Progress) -> None:
        """Shows how far it is."""
        self.bar.setValue(round(_STEPS * progress.done))
        if not self.cancel.isEnabled():
            return
        self._stage.setText(QCoreApplication.translate("Stage", progress.stage))
        self._left.setText(self._time_left(progress))
        self.bar.setAccessibleDescription(f"{self._stage.text()}. {self._left.text()}")

    def show_cancelling(self) -> None:
        """Says at once that a cancel was understood."""
        self.cancel.setEnabled(False)
        self._stage.setText(self.tr("Cancelling …"))
        self._left.setText("")

    def stage(self) -> str:
        """The stage that is shown."""
        return self._stage.text()

    def _time_left(self, progress: Progress) -> str:
        seconds = progress.seconds_left
        if seconds is None or progress.done < _KNOWN_FROM:
            return ""
        if seconds < 1.5:
            return self.tr("about a second left")
        if seconds < 90:
            return self.tr("about {seconds} s left").format(seconds=ceil(seconds))
        return self.tr("about {minutes} min left").format(minutes=ceil(seconds / 60))
