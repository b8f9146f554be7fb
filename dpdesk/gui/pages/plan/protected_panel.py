"""The panel of a protected attribute: epsilon, plot and figures on one screen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.gui.pages.plan.attribute_views import ATTRIBUTE_VIEWS
from dpdesk.gui.pages.plan.detail_parts import FiguresInWords, LockedEpsilon, belief_move
from dpdesk.gui.pages.plan.error_edit import ErrorEdit
from dpdesk.gui.pages.plan.parameter_form import ParameterForm
from dpdesk.gui.pages.plan.plan_view import ViewTabs
from dpdesk.gui.pages.plan.words import error_caption, truth_words
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import ColumnPlan
from dpdesk.preview import PreviewRequest, error_text, factor_text, figures, ratio_text

_STRETCHES = (13, 13, 16, 13)
"""Parts of the width: the move of a belief needs most of it."""

_LONGEST = (
    "Any report is at most e = 1.23 × 10 times likelier under one true answer than under another."
)


class FigureWords(FiguresInWords):
    """What epsilon means, and four figures in the attribute's own unit.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(_LONGEST, _STRETCHES, parent=parent)

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the figures of a request."""
        ratio = ratio_text(request.mechanism.epsilon)
        self.say(
            self.tr(
                "Any report is at most {ratio} times likelier under one true answer than under "
                "another."
            ),
            ratio,
        )
        found = figures(request)
        people = self.tr("{count} respondents").format(count=f"{request.respondents:,}")
        parts = self.tr(
            "Noise {noise}, sampling {sampling}, with {people}; together the root of the sum of "
            "their squares."
        )
        alone = self.tr("So many times {people} give the error of {people} without noise.")
        self.show_figures(
            (
                error_text(found.error, found.unit),
                error_caption(request),
                parts.format(
                    noise=error_text(found.noise, found.unit),
                    sampling=error_text(found.sampling, found.unit),
                    people=people,
                ),
            ),
            (
                factor_text(found.factor),
                self.tr("sample needed against no protection"),
                alone.format(people=people),
            ),
            (
                belief_move(found.posterior),
                self.tr("most a report can move a belief"),
                self.tr("From even odds to odds of {ratio} to 1.").format(ratio=ratio),
            ),
            (*truth_words(found), ""),
        )


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
        self._row = LockedEpsilon(parent=self)
        self.epsilon, self.lock = self._row.epsilon, self._row.lock
        self._row.lockToggled.connect(self.lockToggled)
        self.tabs = ViewTabs(ATTRIBUTE_VIEWS, self.tr("Views of the attribute"), parent=self)
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
        self._row.show_lock(column.locked)
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

    def _take_note(self) -> None:
        if self.note.isModified():
            self.note.setModified(False)
            self.noteTyped.emit(self.note.text().strip())

    def _show_refusal(self, sentence: str) -> None:
        self._refusal.setText(sentence)
        self._refusal.setVisible(bool(sentence))

    def _lay_out(self, advice: QWidget) -> None:
        lower = lay_row(self.error, (self.note, 1), spacing=16)
        lay_column(
            self._row,
            self.parameters,
            advice,
            (self.tabs, 1),
            self.words,
            lower,
            self._refusal,
            spacing=8,
            on=self,
        )
