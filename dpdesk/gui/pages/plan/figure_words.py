"""The sentence and the four figures below the plot."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpdesk.gui.pages.plan.column_words import error_caption, truth_words
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.steady import Steady
from dpdesk.preview import (
    PRIOR,
    PreviewRequest,
    belief_text,
    error_text,
    factor_text,
    figures,
    ratio_text,
)

_STRETCHES = (13, 13, 16, 13)
"""Parts of the width: the move of a belief needs most of it."""

_BELIEF_MAX = len("99 %")

_LONGEST = (
    "Any report is at most e = 1.23 × 10 times likelier under one true answer than under another."
)


class FigureWords(QWidget):
    """What epsilon means, and four figures in the attribute's own unit.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The one label with markup; it holds no text of the data.
        self._sentence = QLabel(self)
        self._sentence.setTextFormat(Qt.TextFormat.RichText)
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.figures = FigureRow(4, stretches=_STRETCHES, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Steady(self._sentence, _LONGEST, parent=self))
        column.addWidget(self.figures)

    def sentence(self) -> str:
        """The sentence as it is spoken."""
        return self._sentence.accessibleName()

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the figures of a request."""
        ratio = ratio_text(request.mechanism.epsilon)
        template = self.tr(
            "Any report is at most {ratio} times likelier under one true answer than under another."
        )
        shown = f"<b>e<sup>ε</sup>&nbsp;=&nbsp;{escape(ratio)}</b>"
        self._sentence.setText(template.format(ratio=shown))
        self._sentence.setAccessibleName(template.format(ratio=f"e^ε = {ratio}"))
        found = figures(request)
        error, sample, belief, truth = self.figures.tiles
        people = self.tr("{count} respondents").format(count=f"{request.respondents:,}")
        parts = self.tr(
            "Noise {noise}, sampling {sampling}, with {people}; together the root of the sum of "
            "their squares."
        )
        error.set_figure(
            error_text(found.error, found.unit),
            error_caption(request),
            parts.format(
                noise=error_text(found.noise, found.unit),
                sampling=error_text(found.sampling, found.unit),
                people=people,
            ),
        )
        sample.set_figure(
            factor_text(found.factor),
            self.tr("sample needed against no protection"),
            self.tr("So many times {people} give the error of {people} without noise.").format(
                people=people
            ),
        )
        before, after = belief_text(PRIOR), belief_text(found.posterior)
        if len(after) > _BELIEF_MAX:
            # Beside many digits there is room for one sign of per cent.
            before = before.removesuffix("%").rstrip()
        belief.set_figure(
            f"{before} → {after}",
            self.tr("most a report can move a belief"),
            self.tr("From even odds to odds of {ratio} to 1.").format(ratio=ratio),
        )
        truth.set_figure(*truth_words(found))
