"""The card beside the table: everything about the selected query."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from dpdesk.composition.words import delta_text
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.detail_panel import (
    DetailPanel,
    FiguresInWords,
    LockedEpsilon,
    Solver,
    belief_move,
)
from dpdesk.gui.pages.plan.edits import QueryEdits
from dpdesk.gui.pages.plan.plan_forms import QueryForm, field_title
from dpdesk.gui.pages.plan.query_dialogs import ConditionsDialog, GroupsDialog
from dpdesk.gui.pages.plan.query_views import QUERY_VIEWS
from dpdesk.gui.pages.plan.words import (
    amount_text,
    beyond_words_of,
    level_text,
    problems_of,
    query_error_text,
)
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.plan import Problem
from dpdesk.plan.checks.statistics import statistics_domains
from dpdesk.preview import error_text, factor_text
from dpdesk.preview.central import (
    CentralFigures,
    QueryRequest,
    central_figures,
    epsilon_for_half_width,
    query_request,
)
from dpdesk.queries import Query
from dpdesk.queries.condition import columns_holding


class QueryFigures(FiguresInWords):
    """What epsilon means, and four figures in the unit of the statistic."""

    longest = (
        "Protection: very weak. A result is at most e = 1.23 × 10 times as likely under one "
        "respondent's answers as under others, but for a chance of δ = 0.000001."
    )
    stretches = (14, 13, 16, 13)

    def show_request(self, request: QueryRequest) -> None:
        self.say(*self._words_of(request))
        found = central_figures(request)
        self.show_figures(
            self._error(found, request),
            self._against_local(found),
            Figure(
                belief_move(found.posterior),
                self.tr("most it can move a belief about anyone"),
                self.sentence(),
                self.tr("moves a belief"),
            ),
            self._moved(found, request),
        )

    def _words_of(self, request: QueryRequest) -> tuple[str, Decimal]:
        """The sentence and the loss."""
        epsilon, delta = request.query.epsilon, request.query.charged_delta
        replaces = request.unit.relation == "replace"
        if not delta:
            bound = self.tr(
                "Protection: {strength}. A result is at most {ratio} times as likely with a "
                "respondent as without."
            )
            if replaces:
                bound = self.tr(
                    "Protection: {strength}. A result is at most {ratio} times as likely under one "
                    "respondent's answers as under others."
                )
            return bound, epsilon
        bound = self.tr(
            "Protection: {strength}. A result is at most {ratio} times as likely with a respondent "
            "as without, but for a chance of δ = {delta}."
        )
        if replaces:
            bound = self.tr(
                "Protection: {strength}. A result is at most {ratio} times as likely under one "
                "respondent's answers as under others, but for a chance of δ = {delta}."
            )
        return bound.replace("{delta}", delta_text(delta)), epsilon

    def _error(self, found: CentralFigures, request: QueryRequest) -> Figure:
        level = level_text(request.confidence)
        several = found.cells > 1
        caption = (
            self.tr("{level} error of one number, noise only")
            if several
            else self.tr("{level} error, noise only")
        )
        details = [found.error.basis]
        if request.query.averages and request.groups > 1:
            caption = self.tr("{level} error in a group of middle size, noise only")
            if request.errors_by_group is None:
                caption = self.tr("{level} error if groups are equally large, noise only")
                details.append(self.tr("a group half as large has about twice that error"))
            else:
                each = self.tr(
                    "by the groups of the file from {least} in the largest to {most} in "
                    "the smallest"
                )
                least, most = (
                    error_text(half, found.error.unit) for half in request.errors_by_group
                )
                details.append(each.format(least=least, most=most))
        if request.query.error_caption:
            caption = QCoreApplication.translate("Query", request.query.error_caption)
        if found.sampling is not None:
            drawn = self.tr("Drawing the respondents alone leaves {error}")
            details.append(drawn.format(error=error_text(found.sampling, found.error.unit)))
        if found.every is not None and several:
            every = self.tr("all {count} numbers at once lie within {error}")
            error = f"± {amount_text(found.every, found.error.unit)}"
            details.append(every.format(count=f"{found.cells:,}", error=error))
        said = "; ".join(detail for detail in details if detail)
        value = query_error_text(request, found.error.unit)
        said = f"{said[:1].upper()}{said[1:]}." if said else ""
        said = " ".join(filter(None, (said, beyond_words_of(request))))
        short = self.tr("{level} error").format(level=level)
        return Figure(value, caption.format(level=level), said, short)

    def _against_local(self, found: CentralFigures) -> Figure:
        if found.local is not None and found.error.half_width > 0:
            factor = factor_text(found.local / found.error.half_width)
            local = error_text(found.local, found.error.unit)
            caption = self.tr("as large with local noise ({error})")
            short = self.tr("with local noise")
            return Figure(factor, caption.format(error=local), short=short)
        if found.every is not None and found.cells > 1:
            every = f"± {amount_text(found.every, found.error.unit)}"
            caption = self.tr("error that holds for all numbers at once")
            return Figure(every, caption, short=self.tr("error of all at once"))
        if found.sampling is not None:
            drawn = error_text(found.sampling, found.error.unit)
            caption = self.tr("error from drawing the respondents alone")
            return Figure(drawn, caption, short=self.tr("error from sampling"))
        count = f"{found.cells:,}"
        one, many = self.tr("number is released"), self.tr("numbers are released")
        return Figure(count, one if found.cells == 1 else many)

    def _moved(self, found: CentralFigures, request: QueryRequest) -> Figure:
        if found.shift is None:
            rows = f"{request.unit.rows_per_respondent:,}"
            one, many = self.tr("row of one respondent counts"), self.tr("rows of one count")
            is_one = request.unit.rows_per_respondent == 1
            short = self.tr("row of one person") if is_one else ""
            return Figure(rows, one if is_one else many, short=short)
        moved = amount_text(found.shift, found.error.unit)
        caption = self.tr("most that one respondent moves it")
        return Figure(moved, caption, found.error.basis, self.tr("most per person"))


class QueryPanel(DetailPanel):
    """Question, form and epsilon on top; below them what they do.

    Args:
        document: What is shown.
        edits: Where edits go.
    """

    form_first = True

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, edits, self.tr("Add a statistic on the left."), parent=parent)
        self._edits = edits
        self._index = -1
        self.form = QueryForm(self._change, parent=self)
        row = LockedEpsilon(parent=self)
        self.name = CommitLine(self.tr("Name of the statistic"), longest=1000, parent=self)
        self.name.setPlaceholderText(self.tr("Name in report"))
        views = QUERY_VIEWS, self.tr("Views of the statistic")
        self._furnish((), row, self.form, views, QueryFigures, self.name)
        self.name.committed.connect(self._rename)
        self.form.asked.connect(self._ask_for)
        self.show_query(-1)

    def index(self) -> int:
        return self._index

    def show_query(self, index: int) -> None:
        """Shows another query; -1 for none."""
        if index != self._index:
            self._forget_typing()
        self._index = index
        self.refresh()

    def refresh(self) -> None:
        plan, query = self._document.plan, self._query()
        self._show_title("" if query is None else query.name or query.description)
        if query is None:
            return
        self.form.show_query(plan, self._index)
        self._show_epsilon(query.epsilon, locked=query.locked)
        if self.name.value() != query.name or not self.name.isModified():
            self.name.set_value(query.name)
        self._show_problem(problems_of(self._document.problems, plan, self._index))
        self.error.set_level(level_text(float(plan.statistics.confidence)))
        self._show_request(query_request(plan, self._index), plan)
        self._stack.setCurrentWidget(self._filled)

    def set_epsilon(self, epsilon: Decimal) -> None:
        self._edits.set_epsilon(self._index, epsilon)

    def toggle_lock(self) -> None:
        self._edits.toggle_lock(self._index)

    def error_in_force(self, request: QueryRequest) -> tuple[float, str, Solver]:
        found = request.error
        return found.half_width, found.unit, partial(epsilon_for_half_width, request)

    def choose_groups(self) -> None:
        """Opens the columns that the query is grouped by, if it can be."""
        query = self._query()
        if query is None or "by" not in self.form.fields:
            return
        plan = self._document.plan
        listed = columns_holding(statistics_domains(plan), "categories")
        columns = [plan.column(name) for name in listed]
        dialog = GroupsDialog(
            columns, getattr(query, "by", ()), partial(self._change, "by"), self.window()
        )
        dialog.open()

    def choose_conditions(self, field: str = "where") -> None:
        """Opens the conditions of the query: "where", or "meeting" of a share."""
        query = self._query()
        if query is None or field not in self.form.fields:
            return
        title = field_title(type(query), field)
        plan = self._document.plan
        domains = statistics_domains(plan)
        columns = [c for c in plan.columns if c.name in domains]
        conditions = getattr(query, field)
        dialog = ConditionsDialog(
            title, columns, conditions, partial(self._change, field), self.window()
        )
        dialog.open()

    def focus_field(self, field: str) -> None:
        """Gives the focus to a field of the form, else to the first of them."""
        target = self.form.fields.get(field) or next(iter(self.form.fields.values()), None)
        (target or self.epsilon.field).setFocus(Qt.FocusReason.OtherFocusReason)

    def _query(self) -> Query | None:
        queries = self._document.plan.statistics.queries
        return queries[self._index] if 0 <= self._index < len(queries) else None

    def _change(self, field: str, value: object) -> str:
        if self._index < 0:
            return ""
        return self._edits.change(self._index, **{field: value})

    def _show_problem(self, problems: tuple[Problem, ...]) -> None:
        self._problem = problems[0] if problems else None
        if self._problem is None:
            if self.advice.isVisibleTo(self.shown):
                self.advice.hide()
            return
        link = self.tr("Show") if self._problem.column is not None else ""
        self.advice.show_advice(self._problem.severity, self._problem.in_window, link)
        self.advice.show()

    def _ask_for(self, field: str) -> None:
        if field == "by":
            self.choose_groups()
        else:
            self.choose_conditions(field)

    def _rename(self, text: str) -> None:
        sentence = self._change("name", text.strip())
        if sentence:
            self.name.refuse(sentence)
