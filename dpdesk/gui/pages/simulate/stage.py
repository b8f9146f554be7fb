"""One respondent in large letters: the device, the truth, the answer, the estimate."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.widgets.plain_text import PlainLabel

_STRETCHES = (5, 3, 3, 4)
_LINES = {False: 3, True: 4}
_SIZES = {False: ("stage", "stage-muted", "stage-accent"), True: ("figure", "muted", "figure")}
_NARROW = 700
"""Width below which the letters are smaller, so that words need not be cut."""


class Stage(QWidget):
    """Four captions with what is true of the respondent below, readable from two metres.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._truth_shown = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.device = PlainLabel("", "stage", wrap=True, parent=self)
        self.truth = PlainLabel("", "stage-muted", wrap=True, parent=self)
        self.answer = PlainLabel("", "stage-accent", wrap=True, parent=self)
        self.estimate = PlainLabel("", "stage", wrap=True, parent=self)
        captions = (
            self.tr("the device shows"),
            self.tr("true answer"),
            self.tr("the respondent says"),
            self.tr("estimate so far"),
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 6, 4, 6)
        row.setSpacing(16)
        values = (self.device, self.truth, self.answer, self.estimate)
        for caption, value, stretch in zip(captions, values, _STRETCHES, strict=True):
            value.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            # The words have no say in the width: nothing moves from respondent to respondent.
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(PlainLabel(caption, "muted", parent=self))
            column.addWidget(value, 1)
            row.addLayout(column, stretch)
        self._dress(narrow=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Takes smaller letters where there is little room."""
        super().resizeEvent(event)
        self._dress(narrow=self.width() < _NARROW)

    def _dress(self, *, narrow: bool) -> None:
        strong, muted, accent = _SIZES[narrow]
        self.device.set_tone(strong)
        self.truth.set_tone(strong if self._truth_shown else muted)
        self.answer.set_tone(accent)
        self.estimate.set_tone(strong)
        self.device.ensurePolished()
        height = _LINES[narrow] * self.device.fontMetrics().lineSpacing() + 4
        for value in (self.device, self.truth, self.answer, self.estimate):
            value.setFixedHeight(height)

    def show_words(self, device: str, truth: str, answer: str, estimate: str) -> None:
        """Shows a respondent.

        Args:
            device: What the device shows.
            truth: Their true answer; empty while it is hidden.
            answer: What they say.
            estimate: The estimate so far.
        """
        self.device.setText(device)
        self.truth.setText(truth or self.tr("hidden"))
        if bool(truth) != self._truth_shown:
            self._truth_shown = bool(truth)
            self._dress(narrow=self.width() < _NARROW)
        self.answer.setText(answer)
        self.estimate.setText(estimate)
