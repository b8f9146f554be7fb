"""The card beside the table: what attributes and statistics have in common when one is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from html import escape
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QStackedWidget, QToolButton, QWidget

from dpdesk.composition.strength import strength_of
from dpdesk.domains import parse_typed
from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.advice_line import AdviceLine
from dpdesk.gui.pages.plan.edits import PlanEdits
from dpdesk.gui.pages.plan.plan_view import PlanView, ViewTabs
from dpdesk.gui.widgets.boxes import Yielding, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import RefusalLabel, limit_length
from dpdesk.gui.widgets.declared_form import DeclaredForm
from dpdesk.gui.widgets.epsilon_edit import EpsilonEdit
from dpdesk.gui.widgets.figure_tile import Figure, FigureRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, MarkupLabel, PlainLabel, caption_font
from dpdesk.gui.widgets.steady import Steady
from dpdesk.plan import Problem
from dpdesk.preview import PRIOR, belief_text, highest_belief_text, ratio_text, significant


class LockedEpsilon(QWidget):
    """An epsilon beside its lock against a new split of the budget.

    Attributes:
        lockToggled: The lock was clicked.
    """

    lockToggled = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked: bool | None = None
        self.epsilon = EpsilonEdit(parent=self)
        self.lock = QToolButton(self)
        self.lock.setCheckable(True)
        self.lock.setAutoRaise(True)
        self.lock.setIconSize(QSize(16, 16))
        self._icon = IconBond(self.lock, "lock-open-variant", "muted")
        self.lock.clicked.connect(self.lockToggled)
        lay_row((self.epsilon, 1), self.lock, spacing=4, on=self)

    def show_lock(self, locked: bool) -> None:
        """Shows whether a new split leaves epsilon alone."""
        if locked == self._locked:
            return
        self._locked = locked
        self.lock.setChecked(locked)
        self._icon.set_icon("lock" if locked else "lock-open-variant", "muted")
        name = self.tr("Epsilon is locked") if locked else self.tr("Lock epsilon")
        self.lock.setAccessibleName(name)
        self.lock.setToolTip(
            self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            if locked
            else self.tr("Lock it against a new split of the budget (Ctrl+L)")
        )


class FiguresInWords(QWidget):
    """What epsilon means in a sentence, and four figures below it.

    Attributes:
        longest: The longest sentence, which room is kept for.
        stretches: The part of the width of each figure.
    """

    longest: ClassVar[str]
    stretches: ClassVar[tuple[int, ...]]

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = MarkupLabel(parent=self)
        self._sentence.setFont(caption_font(self.font()))
        self.figures = FigureRow(4, stretches=self.stretches, tone="strong", parent=self)
        said = Steady(self._sentence, self.longest, parent=self)
        lay_column(said, self.figures, spacing=3, on=self)

    def sentence(self) -> str:
        """The sentence as it is spoken."""
        return self._sentence.accessibleName()

    def say(self, template: str, epsilon: Decimal) -> None:
        """Shows a sentence on the protection and on the ratio of chances that epsilon allows.

        Args:
            template: The sentence; `{strength}` stands for the word, `{ratio}` for the number.
            epsilon: The loss.
        """
        words = {"ratio": ratio_text(epsilon), "strength": strength_of(epsilon)}
        shown = f"<b>e<sup>ε</sup>&nbsp;=&nbsp;{escape(words['ratio'])}</b>"
        self._sentence.setText(template.format_map(words | {"ratio": shown}))
        read = template.format_map(words | {"ratio": f"e^ε = {words['ratio']}"})
        self._sentence.setAccessibleName(read)

    def show_request(self, request: Any) -> None:
        """Shows the figures of a `PreviewRequest` or a `QueryRequest`."""
        raise NotImplementedError

    def show_figures(self, *figures: Figure) -> None:
        """Shows the four figures."""
        for tile, figure in zip(self.figures.tiles, figures, strict=True):
            tile.set_figure(*figure)


def belief_move(posterior: float) -> str:
    """The most that even odds can become, such as "50 → 73.2 %"."""
    # There is room for one sign of per cent.
    return f"{belief_text(PRIOR).removesuffix(' %')} → {highest_belief_text(posterior)}"


class ErrorEdit(QWidget):
    """Takes an error at Enter and announces the least epsilon that keeps it.

    Attributes:
        epsilonSolved: Emitted with the `Decimal` that was solved for.
        refused: Emitted with a sentence about what was typed; empty when all is well again.
    """

    epsilonSolved = Signal(object)
    refused = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: object = None
        self._unit_name = ""
        self._solver: Callable[[float], Decimal] | None = None
        self.field = QLineEdit(self)
        limit_length(self.field, 30)
        self.field.setFixedWidth(self.fontMetrics().horizontalAdvance("00,000.0") + 10)
        self._label = QLabel(self)
        self._label.setBuddy(self.field)
        self.set_level("95 %")
        self._unit = PlainLabel("", "muted", parent=self)
        lay_row(self._label, self.field, self._unit, spacing=6, on=self)
        self.field.returnPressed.connect(self._solve)
        self.field.textEdited.connect(self._mark_right)

    def set_level(self, level: str) -> None:
        """Says which confidence the error has, such as "95 %"."""
        self._label.setText(self.tr("{level} error I can &live with:").format(level=level))
        self.field.setAccessibleName(self.tr("{level} error I can live with").format(level=level))
        self.field.setWhatsThis(self.tr("The least epsilon that reaches this error is taken."))

    def show_error(
        self, shown: object, error: float, unit: str, solve: Callable[[float], Decimal]
    ) -> None:
        """Shows an error in force as a hint.

        Args:
            shown: What the error is of; while it stays, so does what was typed.
            error: The half-width in force.
            unit: Its unit.
            solve: Returns the least epsilon that keeps an error, or raises `ParameterError`.
        """
        if shown == self._shown:
            return
        self._shown, self._unit_name, self._solver = shown, unit, solve
        self.field.clear()
        self.field.setPlaceholderText(significant(error, 2))
        self._unit.setText(unit[:8])
        self._mark_right()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
            self._mark_right()
        else:
            super().keyPressEvent(event)

    def _solve(self) -> None:
        if self._solver is None or not self.field.text().strip():
            return
        typed = self.field.text().replace("±", "").removesuffix(self._unit_name).strip()
        number = parse_typed(typed)
        try:
            if number is None:
                raise ParameterError(
                    self.tr("This is not an error in numbers."),
                    remedy=self.tr("Type a number above 0, such as 2.5."),
                )
            epsilon = self._solver(number)
        except ParameterError as error:
            self._mark(wrong=True)
            self.field.setAccessibleDescription(str(error))
            self.refused.emit(str(error))
            return
        self.epsilonSolved.emit(epsilon)

    def _mark_right(self) -> None:
        if self.field.property("wrong"):
            self._mark(wrong=False)
            self.field.setAccessibleDescription("")
            self.refused.emit("")

    def _mark(self, *, wrong: bool) -> None:
        self.field.setProperty("wrong", wrong)
        self.field.style().unpolish(self.field)
        self.field.style().polish(self.field)


Solver = Callable[[float], Decimal]
"""Returns the least epsilon that keeps an error, or raises `ParameterError`."""


class DetailPanel(Card):
    """A head; below it epsilon with a form, what it does, and the error that one can live with.

    A subclass makes what is its own, calls `_furnish`, and says what differs.

    Args:
        document: What is shown.
        edits: Where edits go.
        nothing: What is said where nothing is selected.

    Attributes:
        problemActivated: Emitted with the path of the problem whose link was clicked.
        form_first: Whether the form is above epsilon; it then says what a head would.
        shown: All that is below the head while something with an epsilon is selected.
        epsilon, lock: The epsilon and its lock.
        advice: What is wrong, or how this compares with what else there is.
        tabs: The views.
        figures: What epsilon means, in words and numbers.
        error: The field of the error.
    """

    problemActivated = Signal(str)

    form_first: ClassVar[bool] = False

    def __init__(
        self,
        document: Document,
        edits: PlanEdits,
        nothing: str,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        self._document = document
        self._end_drag = edits.end_drag
        self._problem: Problem | None = None
        self._title = ElidedLabel("", "heading", parent=self)
        self.shown = Yielding(self)
        self._nothing = PlainLabel(nothing, "muted", wrap=True, parent=self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._stack = QStackedWidget(self)
        self._filled = scrolled(self.shown, on_card=True)
        for page in (self._filled, self._nothing):
            self._stack.addWidget(page)

    def title(self) -> str:
        """The words above the panel, in full."""
        return self._title.full_text()

    def refresh(self) -> None:
        """Shows what the document now says."""
        raise NotImplementedError

    def set_epsilon(self, epsilon: Decimal) -> None:
        """Changes the epsilon of what is shown."""
        raise NotImplementedError

    def toggle_lock(self) -> None:
        """Locks the epsilon of what is shown, or unlocks it."""
        raise NotImplementedError

    def take_advice(self) -> None:
        """Follows the link of an advice that is no problem."""

    def error_in_force(self, request: Any) -> tuple[float, str, Solver]:
        """The error of a request, its unit, and what solves for another one."""
        raise NotImplementedError

    def _furnish(
        self,
        head: Sequence[QWidget],
        row: LockedEpsilon,
        form: DeclaredForm,
        tabs: tuple[tuple[type[PlanView], ...], str],
        figures: type[FiguresInWords],
        line: QLineEdit,
    ) -> None:
        """Lays out what a kind has of its own with what every panel has.

        Args:
            head: What stands beside the title.
            row: Epsilon.
            form: Everything else that is declared.
            tabs: The views, and the accessible name of their tabs.
            figures: What says what epsilon means.
            line: What is typed beside the error.
        """
        self._head = (self._title, *head)
        self._row, self._form = row, form
        self.epsilon, self.lock = row.epsilon, row.lock
        self.advice = AdviceLine(parent=self)
        self.tabs = ViewTabs(*tabs, parent=self)
        self.figures = figures(parent=self)
        self.error = ErrorEdit(parent=self)
        QWidget.setTabOrder(self.error.field, line)
        self._refusal = RefusalLabel(parent=self)
        self._room = QWidget(self)
        self._room.hide()
        self.body.addLayout(lay_row((self._title, 1), *((each, 1) for each in head), spacing=12))
        self.body.addWidget(self._stack, 1)
        lay_column(
            *((form, row) if self.form_first else (row, form)),
            self.advice,
            (self.tabs, 1),
            (self._room, 1),
            self.figures,
            lay_row(self.error, (line, 1), spacing=10),
            self._refusal,
            spacing=5,
            on=self.shown,
        )
        self.epsilon.epsilonChanged.connect(self.set_epsilon)
        self.epsilon.editingFinished.connect(self._end_drag)
        self._row.lockToggled.connect(self.toggle_lock)
        self.error.epsilonSolved.connect(self._take_solved)
        self.error.refused.connect(self._refusal.show_sentence)
        self.advice.linkClicked.connect(self._follow_advice)

    def _show_title(self, title: str) -> None:
        """Shows the head with a title; for an empty one there is nothing to show."""
        self._title.set_text(title)
        self._show_head()
        if not title:
            self._stack.setCurrentWidget(self._nothing)

    def _show_head(self) -> None:
        shown = bool(self.title()) and not self.form_first
        for widget in self._head:
            widget.setVisible(shown)

    def _show_epsilon(self, epsilon: Decimal, *, locked: bool) -> None:
        if epsilon != self.epsilon.epsilon():
            self.epsilon.set_epsilon(epsilon)
        self._row.show_lock(locked)

    def _show_request(self, request: Any, *more: object) -> None:
        """Shows what epsilon does, as far as it is known; None where it is not.

        Args:
            request: What the views, the figures and the error are of.
            more: What the views are given besides.
        """
        for part in (self.tabs, self.figures, self.error):
            if part.isHidden() == (request is not None):
                part.setVisible(request is not None)
        self._room.setVisible(request is None)
        if request is not None:
            self.tabs.show_request(request, *more)
            self.figures.show_request(request)
            # A hint of what can be typed, which nobody does while a slider moves.
            if self._document.is_judged:
                self.error.show_error(request, *self.error_in_force(request))

    def _forget_typing(self) -> None:
        """Forgets what was typed and not yet taken: something else is shown from now on."""
        self._end_drag()
        self._form.forget_typing()
        self.error.field.clear()
        self._refusal.show_sentence("")

    def _take_solved(self, epsilon: Decimal) -> None:
        self._end_drag()
        self.set_epsilon(epsilon)
        self._end_drag()

    def _follow_advice(self) -> None:
        if self._problem is not None:
            self.problemActivated.emit(self._problem.path)
        else:
            self.take_advice()
