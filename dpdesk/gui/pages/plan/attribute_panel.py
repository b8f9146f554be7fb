"""The card beside the table: everything about the selected attribute."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.domains import Categorical
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.assignment_box import DROP, AssignmentBox
from dpdesk.gui.pages.plan.attribute_dialogs import AnswersDialog, ExpectedDialog, MatrixDialog
from dpdesk.gui.pages.plan.attribute_views import ATTRIBUTE_VIEWS
from dpdesk.gui.pages.plan.best_choice import advice_on, worth_on
from dpdesk.gui.pages.plan.choice_view import ChoiceView
from dpdesk.gui.pages.plan.detail_panel import (
    DetailPanel,
    FiguresInWords,
    LockedEpsilon,
    Solver,
    belief_move,
)
from dpdesk.gui.pages.plan.edits import Edits, mechanism_with
from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
from dpdesk.gui.pages.plan.plan_forms import ParameterForm, parameter_fields
from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.pages.plan.unprotected_panel import UnprotectedPanel
from dpdesk.gui.pages.plan.words import beyond_words, error_caption, truth_figure
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.mechanisms import Mechanism
from dpdesk.plan import ColumnPlan, total_epsilon
from dpdesk.preview import (
    PRIOR,
    PreviewRequest,
    epsilon_for_error,
    error_text,
    factor_text,
    figures,
    highest_belief_text,
    posterior,
    ratio_text,
    request_for,
)

_NOTE_MAX = 20_000


class AttributeFigures(FiguresInWords):
    """What epsilon means, and four figures in the attribute's own unit."""

    longest = (
        "Protection: very weak. A report is at most e = 1.23 × 10 times as likely under one answer "
        "as under another."
    )
    # The move of a belief needs most of the width.
    stretches = (13, 13, 16, 13)

    record: Decimal | None = None
    """The loss of the whole record that the attribute is part of; None where it is not known."""

    def show_request(self, request: PreviewRequest) -> None:
        self.say(
            self.tr(
                "Protection: {strength}. A report is at most {ratio} times as likely under one "
                "answer as under another."
            ),
            request.mechanism.epsilon,
        )
        found = figures(request)
        people = self.tr("{count} respondents").format(count=f"{request.respondents:,}")
        parts = self.tr(
            "Noise {noise}, sampling {sampling}, with {people}; together the root of the sum of "
            "their squares."
        ).format(
            noise=error_text(found.noise, found.unit),
            sampling=error_text(found.sampling, found.unit),
            people=people,
        )
        alone = self.tr("So many times {people} give the error of {people} without noise.")
        if request.domain.holds_numbers:
            alone += " " + self.tr("Answers are taken as spread evenly over the bounds.")
        self.show_figures(
            Figure(
                found.told,
                error_caption(request),
                f"{parts} {beyond_words(found.error, found.unit, found.half_range)}".strip(),
                self.tr("95 % error"),
            ),
            Figure(
                factor_text(found.factor),
                self.tr("sample needed against no protection"),
                alone.format(people=people),
                self.tr("sample needed"),
            ),
            Figure(
                belief_move(found.posterior),
                self._belief_caption(request.mechanism.epsilon),
                self.tr("From even odds to odds of {ratio} to 1.").format(
                    ratio=ratio_text(request.mechanism.epsilon)
                ),
                self.tr("moves a belief"),
            ),
            truth_figure(found),
        )

    def _belief_caption(self, epsilon: Decimal) -> str:
        """What one report can do to a belief, beside what all of the record can."""
        if self.record is None or self.record == epsilon:
            return self.tr("most a report can move a belief")
        whole = highest_belief_text(posterior(PRIOR, float(self.record)))
        return self.tr("most this report moves a belief; the whole record: {whole}").format(
            whole=whole.replace(" %", "\u00a0%")
        )


class AttributePanel(DetailPanel):
    """Title and mechanism on top; below them epsilon and plot, or why there are none.

    Args:
        document: What is shown.
        edits: Where edits go.
    """

    figures: AttributeFigures

    def __init__(self, document: Document, edits: Edits, *, parent: QWidget | None = None) -> None:
        super().__init__(
            document, edits, self.tr("Choose an attribute on the left."), parent=parent
        )
        self._edits = edits
        self._name = ""
        self._answers: dict[str, tuple[int, int]] = {}
        self._request: PreviewRequest | None = None
        self._better: Mechanism | None = None
        self.assignment = AssignmentBox(parent=self)
        row = LockedEpsilon(parent=self)
        self.parameters = ParameterForm(self._set_parameter, parent=self)
        self.note = QLineEdit(self)
        limit_length(self.note, _NOTE_MAX)
        self.note.setPlaceholderText(self.tr("Note: why this ε"))
        self.note.setAccessibleName(self.tr("Note: why this mechanism and this epsilon"))
        self.note.setToolTip(self.tr("Kept in the plan, beside this attribute"))
        views = ATTRIBUTE_VIEWS, self.tr("Views of the attribute")
        self._furnish((self.assignment,), row, self.parameters, views, AttributeFigures, self.note)
        self.unprotected = UnprotectedPanel(parent=self)
        self._stack.addWidget(self.unprotected)
        self._connect()
        self.show_attribute("")

    def name(self) -> str:
        """The column that is shown; empty if there is none."""
        return self._name

    def show_attribute(self, name: str) -> None:
        """Shows another column; "" for none."""
        if name != self._name:
            self.note.setModified(False)
            self._forget_typing()
        self._name = name
        self.refresh()

    def edit_expected(self) -> None:
        """Opens the expected distribution of the column, if it has categories."""
        column = self._column()
        if column is None or not isinstance(column.effective_domain, Categorical):
            return
        dialog = ExpectedDialog(
            column.title,
            column.effective_domain,
            column.expected,
            partial(self._edits.set_expected, column.name),
            self.window(),
        )
        dialog.open()

    def edit_matrix(self) -> None:
        """Opens the matrix of the column's mechanism, if it has one."""
        column = self._column()
        if column is None or column.mechanism is None or column.effective_domain is None:
            return
        mechanism, domain = column.mechanism, column.effective_domain
        fields = parameter_fields(type(mechanism))
        name = next((field.name for field in fields if field.form == "button"), "")
        if not name:
            return

        def epsilon_of(rows: object) -> str:
            return format_epsilon(mechanism_with(mechanism, name, rows).epsilon)

        dialog = MatrixDialog(
            column.title,
            [domain.label(code) for code in range(domain.size)],
            getattr(mechanism, name),
            epsilon_of,
            partial(self._edits.set_parameter, column.name, name),
            self.window(),
        )
        dialog.open()

    def choose_answers(self) -> None:
        """Opens the choice of the two true answers that the plots compare."""
        column = self._column()
        domain = None if column is None else column.effective_domain
        if column is None or domain is None or not self.shown.isVisible():
            return
        answers = self._answers_of(column) or domain.two_answers
        dialog = AnswersDialog(column.title, domain, answers, self.window())
        dialog.answersChosen.connect(partial(self._compare, column.name))
        dialog.open()

    def compare_mechanisms(self) -> None:
        """Shows the mechanisms that fit side by side."""
        if self.shown.isVisible():
            self.tabs.go_to(ChoiceView)

    def refresh(self) -> None:
        column = self._column()
        self._show_title("" if column is None else column.title)
        if column is None:
            return
        self.assignment.show_column(column, self._document.plan.sampling)
        if column.role == "protect" and column.mechanism is not None:
            self._show_protected(column, column.mechanism)
        else:
            self.unprotected.show_column(column, self._document.plan)
            self._stack.setCurrentWidget(self.unprotected)

    def set_epsilon(self, epsilon: Decimal) -> None:
        self._edits.set_epsilon(self._name, epsilon)

    def toggle_lock(self) -> None:
        self._edits.toggle_lock(self._name)

    def take_advice(self) -> None:
        # The sentence may be a moment older than epsilon.
        self._document.end_gesture()
        if self._better is not None:
            self._edits.take_mechanism(self._name, self._better)

    def error_in_force(self, request: PreviewRequest) -> tuple[float, str, Solver]:
        found = figures(request)
        return found.error, found.unit, partial(epsilon_for_error, request)

    def _answers_of(self, column: ColumnPlan) -> tuple[int, int] | None:
        """The answers that were chosen to be compared, as long as the domain has them."""
        answers, domain = self._answers.get(column.name), column.effective_domain
        if answers is None or domain is None or max(answers) >= domain.size:
            return None
        return answers

    def _compare(self, name: str, first: int, second: int) -> None:
        self._answers[name] = (first, second)
        if name == self._name:
            self.refresh()

    def _column(self) -> ColumnPlan | None:
        columns = self._document.plan.columns
        return next((column for column in columns if column.name == self._name), None)

    def _show_protected(self, column: ColumnPlan, mechanism: Mechanism) -> None:
        plan = self._document.plan
        answers = self._answers_of(column)
        request = request_for(column, plan.judged_respondents, answers, plan.sampling)
        self._show_epsilon(mechanism.epsilon, locked=column.locked)
        self.parameters.show_mechanism(mechanism)
        if self.epsilon.isEnabled() != mechanism.adjustable:
            self.epsilon.setEnabled(mechanism.adjustable)
            self.lock.setEnabled(mechanism.adjustable)
        note = " ".join(column.note.splitlines())
        if not self.note.isModified() and note != self.note.text():
            self.note.setText(note)
            self.note.setCursorPosition(0)
        weight = "" if plan.weight_column is None else plan.weight_column.name
        self.tabs.view(OutcomePlot).set_answers(self._document.answers.of(column), weight)
        self.figures.record = total_epsilon(plan)
        self._show_request(request)
        self._request, self._problem = request, None
        found = [p for p in self._document.problems if p.column == column.name]
        if found:
            self._problem = found[0]
            text = found[0].in_window
            if len(found) > 1:
                more = self.tr("({count} more)").format(count=len(found) - 1)
                text = f"{text} {more}"
            on_data = found[0].severity == "error"
            link = self.tr("Show") if on_data else ""
            self.advice.show_advice(found[0].severity, text, link)
        elif self._document.is_judged:
            self._advise()
        # What is advised of another epsilon is pale until the slider rests.
        self.advice.setEnabled(self._document.is_judged)
        self._stack.setCurrentWidget(self._filled)

    def _advise(self) -> None:
        """Compares the mechanism in force with the others that fit."""
        if self._request is None or self._problem is not None:
            return
        only = self._document.plan.wanted.answers_only
        found = advice_on(self._request, answers_only=only)
        self._better = found.better
        link = "" if found.better is None else self.tr("Use {short}")
        if found.better is not None:
            link = link.format(short=found.better.short)
        column = self._column()
        plan = self._document.plan
        worth = "" if column is None else worth_on(plan, column)
        if worth:
            self.advice.show_advice("warning", worth, link)
            return
        proposed = found.better is None and self._request.mechanism.adjustable
        self.advice.show_advice("success" if proposed else "info", found.text, link)

    def _connect(self) -> None:
        unprotected = self.unprotected
        self.tabs.viewMade.connect(self._connect_view)
        self.parameters.asked.connect(lambda _name: self.edit_matrix())
        self.note.editingFinished.connect(self._take_note)
        unprotected.protectWanted.connect(lambda: self._edits.protect(self._name))
        unprotected.keepWanted.connect(self._keep)
        unprotected.protectAllWanted.connect(self._edits.protect_all)
        unprotected.dropWanted.connect(lambda: self._edits.drop(self._name))
        self.assignment.mechanismChosen.connect(
            lambda kind: self._edits.set_mechanism(self._name, kind)
        )
        self.assignment.roleChosen.connect(self._set_role)

    def _connect_view(self, view: PlanView) -> None:
        view.answersAsked.connect(self.choose_answers)
        view.expectedAsked.connect(self.edit_expected)
        view.mechanismChosen.connect(
            lambda mechanism: self._edits.take_mechanism(self._name, mechanism)
        )

    def _take_note(self) -> None:
        if self.note.isModified():
            self.note.setModified(False)
            self._edits.set_note(self._name, self.note.text().strip())

    def _set_parameter(self, parameter: str, value: object) -> str:
        return self._edits.set_parameter(self._name, parameter, value)

    def _keep(self) -> None:
        column = self._column()
        # The second click on the same button is the confirmation.
        self._edits.keep(self._name, confirmed=column is not None and column.role == "keep")

    def _set_role(self, role: str) -> None:
        if role == DROP:
            self._edits.drop(self._name)
        else:
            self._edits.keep(self._name)
