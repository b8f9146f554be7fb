"""The card beside the table: everything about the selected query."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesk.composition.words import delta_text
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconButton
from dpdesk.gui.pages.plan.advice_line import AdviceLine
from dpdesk.gui.pages.plan.detail_parts import (
    Figure,
    FiguresInWords,
    LockedEpsilon,
    belief_move,
)
from dpdesk.gui.pages.plan.edits import QueryEdits
from dpdesk.gui.pages.plan.error_edit import ErrorEdit
from dpdesk.gui.pages.plan.plan_view import ViewTabs
from dpdesk.gui.pages.plan.query_dialogs import ConditionsDialog, GroupsDialog
from dpdesk.gui.pages.plan.query_views import QUERY_VIEWS
from dpdesk.gui.pages.plan.statistics.query_form import QueryForm, field_title
from dpdesk.gui.pages.plan.words import amount_text, error_sign, level_text, problems_of
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.plan import Problem
from dpdesk.plan.check_statistics import statistics_domains
from dpdesk.preview import error_text, factor_text, ratio_text
from dpdesk.preview.central import (
    CentralFigures,
    QueryRequest,
    central_figures,
    epsilon_for_half_width,
    query_request,
)
from dpdesk.queries import Query
from dpdesk.queries.condition import columns_holding

_LONGEST = (
    "Any result is at most e = 1.23 × 10 times likelier with any one respondent than without, but "
    "for a chance of δ = 0.000001."
)
_STRETCHES = (14, 13, 16, 13)


class QueryFigures(FiguresInWords):
    """What epsilon means, and four figures in the unit of the statistic.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(_LONGEST, _STRETCHES, parent=parent)

    def show_request(self, request: QueryRequest) -> None:
        """Shows the figures of a request."""
        template = self._template(request.unit.relation == "replace", request.query.charged_delta)
        self.say(template, ratio_text(request.query.epsilon))
        found = central_figures(request)
        self.show_figures(
            self._error(found, request),
            self._against_local(found),
            (
                belief_move(found.posterior),
                self.tr("most it can move a belief about anyone"),
                self.sentence(),
            ),
            self._moved(found, request),
        )

    def _template(self, replaces: bool, delta: Decimal) -> str:
        if replaces:
            bound = self.tr(
                "Any result is at most {ratio} times likelier under one respondent's answers "
                "than under others"
            )
        else:
            bound = self.tr(
                "Any result is at most {ratio} times likelier with any one respondent than without"
            )
        if not delta:
            return f"{bound}."
        but = self.tr("{bound}, but for a chance of δ = {delta}.")
        return but.replace("{bound}", bound).replace("{delta}", delta_text(delta))

    def _error(self, found: CentralFigures, request: QueryRequest) -> Figure:
        level = level_text(request.confidence)
        several = found.cells > 1
        caption = (
            self.tr("{level} error of one number, noise only")
            if several
            else self.tr("{level} error, noise only")
        )
        if request.query.error_caption:
            caption = QCoreApplication.translate("Query", request.query.error_caption)
        details = [found.error.basis]
        if found.sampling is not None:
            drawn = self.tr("Drawing the respondents alone leaves {error}")
            details.append(drawn.format(error=error_text(found.sampling, found.error.unit)))
        if found.every is not None and several:
            every = self.tr("all {count} numbers at once lie within {error}")
            error = f"± {amount_text(found.every, found.error.unit)}"
            details.append(every.format(count=f"{found.cells:,}", error=error))
        said = "; ".join(detail for detail in details if detail)
        value = f"{error_sign(found.error)} {amount_text(found.error.half_width, found.error.unit)}"
        said = f"{said[:1].upper()}{said[1:]}." if said else ""
        return value, caption.format(level=level), said

    def _against_local(self, found: CentralFigures) -> Figure:
        if found.local is not None and found.error.half_width > 0:
            factor = factor_text(found.local / found.error.half_width)
            local = error_text(found.local, found.error.unit)
            caption = self.tr("as large with local noise ({error})")
            return factor, caption.format(error=local), ""
        if found.every is not None and found.cells > 1:
            every = f"± {amount_text(found.every, found.error.unit)}"
            return every, self.tr("error that holds for all numbers at once"), ""
        if found.sampling is not None:
            drawn = error_text(found.sampling, found.error.unit)
            return drawn, self.tr("error from drawing the respondents alone"), ""
        count = f"{found.cells:,}"
        one, many = self.tr("number is released"), self.tr("numbers are released")
        return count, one if found.cells == 1 else many, ""

    def _moved(self, found: CentralFigures, request: QueryRequest) -> Figure:
        if found.shift is None:
            rows = f"{request.unit.rows_per_respondent:,}"
            one, many = self.tr("row of one respondent counts"), self.tr("rows of one count")
            return rows, one if request.unit.rows_per_respondent == 1 else many, ""
        moved = amount_text(found.shift, found.error.unit)
        return moved, self.tr("most that one respondent moves it"), found.error.basis


_LOW_BELOW = 620
"""Height below which the plot would have no room beside all sentences."""


class QueryPanel(Card):
    """Question, form and epsilon on top; below them what they do.

    Args:
        document: What is shown.
        edits: Where edits go.
        parent: Qt's owner.

    Attributes:
        problemActivated: Emitted with the path of the problem whose link was clicked.
    """

    problemActivated = Signal(str)

    def __init__(
        self, document: Document, edits: QueryEdits, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._document = document
        self._edits = edits
        self._index = -1
        self._low = False
        self._problem: Problem | None = None
        self._title = ElidedLabel("", "heading", parent=self)
        self.duplicate = IconButton(
            "content-copy", self.tr("Duplicate this statistic"), parent=self
        )
        self.remove = IconButton("delete", self.tr("Remove this statistic (Del)"), parent=self)
        self.form = QueryForm(self._change, parent=self)
        self._row = LockedEpsilon(parent=self)
        self.epsilon, self.lock = self._row.epsilon, self._row.lock
        self.advice = AdviceLine(parent=self)
        self.tabs = ViewTabs(QUERY_VIEWS, self.tr("Views of the statistic"), parent=self)
        self.figures = QueryFigures(parent=self)
        self.error = ErrorEdit(parent=self)
        self.name = CommitLine(self.tr("Name of the statistic"), longest=1000, parent=self)
        self.name.setPlaceholderText(self.tr("Name in the report"))
        self._refusal = PlainLabel("", "danger", wrap=True, parent=self)
        self._refusal.hide()
        self._shown = QWidget(self)
        self._nothing = PlainLabel(
            self.tr("Add a statistic on the left."), "muted", wrap=True, parent=self
        )
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._shown)
        self._stack.addWidget(self._nothing)
        self.body.addWidget(self._stack, 1)
        self._lay_out()
        self._connect()
        self.show_query(-1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the plot gets the room of the sentences."""
        super().resizeEvent(event)
        low = self.height() < _LOW_BELOW
        if low != self._low:
            self._low = low
            self.tabs.set_low(low)
            self.figures.set_low(low)

    def is_dragging(self) -> bool:
        """Whether the slider of epsilon is held."""
        return self.epsilon.is_dragging()

    def index(self) -> int:
        """Position of the query that is shown; -1 if there is none."""
        return self._index

    def title(self) -> str:
        """The words above the form, in full."""
        return self._title.full_text()

    def show_query(self, index: int) -> None:
        """Shows another query; -1 for none."""
        if index != self._index:
            self._edits.end_drag()
            self.form.forget_typing()
            self.error.field.clear()
            self._show_refusal("")
        self._index = index
        self.refresh()

    def refresh(self) -> None:
        """Shows what the document now says of the query."""
        plan = self._document.plan
        if not 0 <= self._index < len(plan.statistics.queries):
            self._stack.setCurrentWidget(self._nothing)
            return
        query = plan.statistics.queries[self._index]
        self._title.set_text(query.name or query.description)
        self.form.show_query(plan, self._index)
        if query.epsilon != self.epsilon.epsilon():
            self.epsilon.set_epsilon(query.epsilon)
        self._row.show_lock(query.locked)
        if self.name.value() != query.name or not self.name.isModified():
            self.name.set_value(query.name)
        self._show_problem(problems_of(self._document.problems, plan, self._index))
        request = query_request(plan, self._index)
        for part in (self.tabs, self.figures, self.error):
            if part.isHidden() == (request is not None):
                part.setVisible(request is not None)
        self._room.setVisible(request is None)
        if request is not None:
            self.tabs.show_request(request, plan)
            self.figures.show_request(request)
            found = request.error
            self.error.set_level(level_text(request.confidence))
            solve = partial(epsilon_for_half_width, request)
            self.error.show_error(request, found.half_width, found.unit, solve)
        self._stack.setCurrentWidget(self._shown)

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
        columns = [c for c in self._document.plan.columns if c.effective_domain is not None]
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
            if self.advice.isVisibleTo(self._shown):
                self.advice.hide()
            return
        link = self.tr("Show") if self._problem.column is not None else ""
        self.advice.show_advice(self._problem.severity, str(self._problem), link)
        self.advice.show()

    def _show_refusal(self, sentence: str) -> None:
        self._refusal.setText(sentence)
        self._refusal.setVisible(bool(sentence))

    def _connect(self) -> None:
        self.epsilon.epsilonChanged.connect(
            lambda epsilon: self._edits.set_epsilon(self._index, epsilon)
        )
        self.epsilon.editingFinished.connect(self._edits.end_drag)
        self.error.epsilonSolved.connect(self._take_solved)
        self.error.refused.connect(self._show_refusal)
        self._row.lockToggled.connect(lambda: self._edits.toggle_lock(self._index))
        self.name.committed.connect(self._rename)
        self.form.asked.connect(self._ask_for)
        self.duplicate.clicked.connect(lambda: self._edits.duplicate(self._index))
        self.remove.clicked.connect(lambda: self._edits.remove(self._index))
        self.advice.linkClicked.connect(self._follow_problem)

    def _ask_for(self, field: str) -> None:
        if field == "by":
            self.choose_groups()
        else:
            self.choose_conditions(field)

    def _rename(self, text: str) -> None:
        sentence = self._change("name", text.strip())
        if sentence:
            self.name.refuse(sentence)

    def _take_solved(self, epsilon: object) -> None:
        self._edits.end_drag()
        self._edits.set_epsilon(self._index, epsilon)  # type: ignore[arg-type]
        self._edits.end_drag()

    def _follow_problem(self) -> None:
        if self._problem is not None:
            self.problemActivated.emit(self._problem.path)

    def _lay_out(self) -> None:
        head = lay_row((self._title, 1), self.duplicate, self.remove, spacing=4)
        lower = lay_row(self.error, (self.name, 1), spacing=16)
        self._room = QWidget(self)
        lay_column(
            head,
            self.form,
            self._row,
            self.advice,
            (self.tabs, 1),
            (self._room, 1),
            self.figures,
            lower,
            self._refusal,
            spacing=8,
            on=self._shown,
        )
