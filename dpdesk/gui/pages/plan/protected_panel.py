"""The panel of a protected attribute: epsilon, plot and figures on one screen."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.column_words import error_caption, truth_words
from dpdesk.gui.pages.plan.error_edit import ErrorEdit
from dpdesk.gui.pages.plan.parameter_form import ParameterForm
from dpdesk.gui.pages.plan.preview_tabs import PreviewTabs
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.epsilon_edit import EpsilonEdit
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.steady import Steady
from dpdesk.plan import ColumnPlan
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


_NOTE_MAX = 20_000


class ProtectedPanel(QWidget):
    """Edits the epsilon of an attribute and shows what it does.

    Args:
        advice: The line that is shown between epsilon and plot.
        parameters: The form that is shown below epsilon.
        parent: Qt's owner.

    Attributes:
        noteTyped: Emitted with a new note.
        lockToggled: The lock was clicked.
    """

    noteTyped = Signal(str)
    lockToggled = Signal()

    def __init__(
        self, advice: QWidget, parameters: ParameterForm, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.parameters = parameters
        self.epsilon = EpsilonEdit(parent=self)
        self._locked: bool | None = None
        self.lock = QToolButton(self)
        self.lock.setCheckable(True)
        self.lock.setAutoRaise(True)
        self.lock.setIconSize(QSize(16, 16))
        self._lock_icon = IconBond(self.lock, "lock-open-variant", "muted")
        self.lock.clicked.connect(self.lockToggled)
        self.tabs = PreviewTabs(parent=self)
        self.words = FigureWords(parent=self)
        self.error = ErrorEdit(parent=self)
        self._refusal = PlainLabel("", "danger", wrap=True, parent=self)
        self._refusal.hide()
        self.note = QLineEdit(self)
        limit_length(self.note, _NOTE_MAX)
        self.note.setPlaceholderText(self.tr("Note: why this ε"))
        self.note.setAccessibleName(self.tr("Note: why this mechanism and this epsilon"))
        self.note.setToolTip(self.tr("Kept in the plan, beside this attribute"))
        self.note.editingFinished.connect(self._take_note)
        self.error.refused.connect(self._show_refusal)
        self._lay_out(advice)

    def show_column(self, column: ColumnPlan, request: PreviewRequest | None) -> None:
        """Shows a column and, where its mechanism fits, what that does."""
        mechanism = column.mechanism
        if mechanism is not None and mechanism.epsilon != self.epsilon.epsilon():
            self.epsilon.set_epsilon(mechanism.epsilon)
        if mechanism is not None:
            self.parameters.show_mechanism(mechanism)
            if self.epsilon.isEnabled() != mechanism.adjustable:
                self.epsilon.setEnabled(mechanism.adjustable)
                self.lock.setEnabled(mechanism.adjustable)
        self._show_lock(column.locked)
        if not self.note.isModified():
            self.note.setText(" ".join(column.note.splitlines()))
            self.note.setCursorPosition(0)
        for part in (self.tabs, self.words, self.error):
            if part.isHidden() == (request is not None):
                part.setVisible(request is not None)
        if request is not None:
            self.tabs.show_request(request)
            self.words.show_request(request)
            self.error.show_request(request)

    def forget_typing(self) -> None:
        """Forgets what was typed and not yet taken: another attribute is shown from now on."""
        self.note.setModified(False)
        self.error.field.clear()
        self.parameters.forget_typing()
        self._show_refusal("")

    def _show_lock(self, locked: bool) -> None:
        if locked == self._locked:
            return
        self._locked = locked
        self.lock.setChecked(locked)
        self._lock_icon.set_icon("lock" if locked else "lock-open-variant", "muted")
        name = self.tr("Epsilon is locked") if locked else self.tr("Lock epsilon")
        self.lock.setAccessibleName(name)
        self.lock.setToolTip(
            self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            if locked
            else self.tr("Lock it against a new split of the budget (Ctrl+L)")
        )

    def _take_note(self) -> None:
        if self.note.isModified():
            self.note.setModified(False)
            self.noteTyped.emit(self.note.text().strip())

    def _show_refusal(self, sentence: str) -> None:
        self._refusal.setText(sentence)
        self._refusal.setVisible(bool(sentence))

    def _lay_out(self, advice: QWidget) -> None:
        upper = QHBoxLayout()
        upper.setSpacing(4)
        upper.addWidget(self.epsilon, 1)
        upper.addWidget(self.lock)
        lower = QHBoxLayout()
        lower.setSpacing(16)
        lower.addWidget(self.error)
        lower.addWidget(self.note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(upper)
        column.addWidget(self.parameters)
        column.addWidget(advice)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.words)
        column.addLayout(lower)
        column.addWidget(self._refusal)
