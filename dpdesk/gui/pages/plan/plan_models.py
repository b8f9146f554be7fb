"""What a plan decides as table models: a row per attribute, or a row per statistic."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from dpdesk.cost import two_places
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.words import (
    beyond_words,
    beyond_words_of,
    cells_text,
    error_words,
    level_text,
    mechanism_text,
    noise_text,
    problems_of,
    tr,
    two_parts,
    type_text,
)
from dpdesk.gui.verdict_words import usefulness_meaning, verdict_word
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.numbers.calendar import short_unit
from dpdesk.plan import ColumnPlan, Plan, Problem
from dpdesk.plan.release_usefulness import usefulness_of_statistic
from dpdesk.plan.usefulness import Usefulness, usefulness_of_column
from dpdesk.preview import figures, request_for
from dpdesk.preview.central import query_request

NAME, TYPE, MECHANISM, EPSILON, ERROR = range(5)
ROW_ROLE = Qt.ItemDataRole.UserRole
"""Under this role every cell gives its whole `PlanRow`, which the delegate paints from."""

DASH = "—"
_NOWHERE = QModelIndex()
_UNIT_MAX = 3


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One row of the table, as texts.

    Attributes:
        name: The column's name, or what is asked.
        label: Its label, or groups and conditions; may be empty.
        type: Kind and size of its domain, or what it gives.
        mechanism: What protects it.
        epsilon: Its epsilon, or a dash.
        error: Its error, "exact" where it is kept, or empty.
        muted: Whether it costs nothing, so that it is shown in the second colour.
        locked: Whether a new split leaves its epsilon alone.
        lockable: Whether it has an epsilon that can be locked.
        severity: "error", "warning" or "": the worst of its problems.
        problems: Its problems as sentences.
        verdict: What its error makes of it: "useful", "coarse", "useless", or "".
        beyond: What an error beyond all that is possible means; else "".
        meaning: What the verdict means, and its numbers; else "".
    """

    name: str
    label: str
    type: str
    mechanism: str
    epsilon: str
    error: str
    muted: bool
    locked: bool
    lockable: bool
    severity: str
    problems: str
    verdict: str = ""
    beyond: str = ""
    meaning: str = ""


class PlanModel(RowModel[PlanRow]):
    """One row per thing of the plan; a row is written when it is first looked at.

    It shows the plan of its last `follow`: whoever shows it says when.

    Args:
        document: What is shown.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._plan = document.plan
        self._problems = document.problems
        self._found = self._sorted()
        self._written: dict[int, PlanRow] = {}

    def things(self, plan: Plan) -> Sequence[object]:
        """What the rows stand for."""
        raise NotImplementedError

    def same_rows(self, old: Plan, new: Plan) -> bool:
        """Whether a selected row still is the same after a change of the plan."""
        raise NotImplementedError

    def shared(self, plan: Plan) -> object:
        """What every row depends on."""
        raise NotImplementedError

    def write(self, number: int, problems: Sequence[Problem]) -> PlanRow:
        """Returns a row, given its problems with errors first."""
        raise NotImplementedError

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.things(self._plan))

    def row(self, number: int) -> PlanRow:
        if number not in self._written:
            self._written[number] = self.write(number, self._found.get(self._key(number), ()))
        return self._written[number]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == ROW_ROLE:
            return self.row(index.row())
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and index.column() == NAME:
            return self.row(index.row()).problems
        return super().data(index, role)

    def text(self, row: PlanRow, column: int) -> str:
        return (row.name, row.type, row.mechanism, row.epsilon, row.error)[column]

    def tooltip(self, row: PlanRow, column: int) -> str:
        if column == EPSILON and row.lockable:
            if row.locked:
                return self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            return self.tr("Lock it against a new split of the budget (Ctrl+L)")
        if column == NAME:
            return "\n".join(filter(None, (row.name, row.label, row.type, row.problems)))
        if column == ERROR and row.verdict:
            return "\n".join(filter(None, (row.meaning, row.beyond)))
        return row.mechanism if column == MECHANISM else ""

    def spoken(self, row: PlanRow, column: int) -> str:
        if column == NAME:
            return ", ".join(part for part in (row.name, row.label) if part)
        if column == EPSILON and row.locked:
            return self.tr("{epsilon}, locked").format(epsilon=row.epsilon)
        if column == ERROR and row.verdict:
            return f"{row.error}, {verdict_word(row.verdict)}"
        return self.text(row, column)

    def follow(self) -> None:
        """Shows the plan of the document, and announces the rows that read otherwise."""
        old, new = self._plan, self._document.plan
        before, self._problems = self._problems, self._document.problems
        if old is new and before is self._problems:
            return
        self._plan = new
        found, self._found = self._found, self._sorted()
        if not self.same_rows(old, new):
            self.beginResetModel()
            self._written.clear()
            self.endResetModel()
        elif self.shared(old) != self.shared(new):
            self._announce(range(self.rowCount()))
        else:
            pairs = enumerate(zip(self.things(old), self.things(new), strict=True))
            changed = {number for number, (a, b) in pairs if a is not b}
            if found != self._found:
                changed.update(
                    number
                    for number in range(self.rowCount())
                    if found.get(self._key(number)) != self._found.get(self._key(number))
                )
            self._announce(sorted(changed))

    def _key(self, number: int) -> Hashable:
        """What the problems of a row are sorted under."""
        raise NotImplementedError

    def _sorted(self) -> Mapping[Hashable, tuple[Problem, ...]]:
        """The problems of the plan by the row that they belong to."""
        raise NotImplementedError

    def _announce(self, rows: Sequence[int]) -> None:
        for row in rows:
            self._written.pop(row, None)
        if rows:
            self.announce(rows[0], rows[-1])


class AttributeModel(PlanModel):
    """One row per column of the plan.

    Args:
        document: What is shown.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(document, parent)
        self.heads = (
            Head(self.tr("Attribute")),
            Head(self.tr("Type")),
            Head(self.tr("Mechanism")),
            Head(self.tr("ε"), number=True),
            Head(self.tr("95 % error"), number=True),
        )

    def things(self, plan: Plan) -> Sequence[ColumnPlan]:
        return plan.columns

    def dropped(self) -> frozenset[int]:
        """The rows of the columns that are dropped."""
        columns = enumerate(self._plan.columns)
        return frozenset(number for number, column in columns if column.role == "drop")

    def same_rows(self, old: Plan, new: Plan) -> bool:
        return [c.name for c in old.columns] == [c.name for c in new.columns]

    def shared(self, plan: Plan) -> object:
        return (plan.judged_respondents, None if plan.strategy == "spl" else plan.sampling)

    def write(self, number: int, problems: Sequence[Problem]) -> PlanRow:
        column = self._plan.columns[number]
        chosen = column.mechanism if column.role == "protect" else None
        severity, sentences = _worst_and_all(problems)
        error, beyond = _error_of(self._plan, column)
        plan = self._plan
        worth = usefulness_of_column(column, plan.sampling, plan.judged_respondents)
        if worth is not None and worth.quantity == "share answered":
            # The verdict is on this one, and stands below it.
            told = tr("Of the share who answered, which is known worse than the mean ({error}).")
            error, beyond = worth.told, told.format(error=error)
        return PlanRow(
            name=column.name,
            label=column.label,
            type=type_text(column),
            mechanism=mechanism_text(column),
            epsilon=DASH if chosen is None else two_places(chosen.epsilon),
            error=error,
            **_verdict(worth),
            beyond=beyond,
            muted=column.role in ("keep", "drop"),
            locked=column.locked and chosen is not None,
            lockable=chosen is not None,
            severity=severity,
            problems=sentences,
        )

    def _key(self, number: int) -> str:
        return self._plan.columns[number].name

    def _sorted(self) -> Mapping[Hashable, tuple[Problem, ...]]:
        found: dict[Hashable, tuple[Problem, ...]] = {}
        for problem in self._problems:
            if problem.column is not None:
                found[problem.column] = (*found.get(problem.column, ()), problem)
        return found


class QueryModel(PlanModel):
    """One row per query.

    Args:
        document: What is shown.
        in_full: Whether the first column says all that is asked in one line.
    """

    def __init__(
        self, document: Document, parent: QObject | None = None, *, in_full: bool = False
    ) -> None:
        super().__init__(document, parent)
        self._in_full = in_full
        self.heads = (
            Head(self.tr("Statistic")),
            Head(self.tr("Gives")),
            Head(self.tr("Noise")),
            Head(self.tr("ε"), number=True),
            self._error_head(),
        )

    def things(self, plan: Plan) -> Sequence[object]:
        return plan.statistics.queries

    def same_rows(self, old: Plan, new: Plan) -> bool:
        return len(old.statistics.queries) == len(new.statistics.queries)

    def shared(self, plan: Plan) -> object:
        statistics = plan.statistics
        return (plan.columns, plan.judged_respondents, statistics.unit, statistics.confidence)

    def write(self, number: int, problems: Sequence[Problem]) -> PlanRow:
        query = self._plan.statistics.queries[number]
        request = query_request(self._plan, number)
        first, rest = two_parts(query)
        severity, sentences = _worst_and_all(problems)
        return PlanRow(
            name=query.name or first,
            label=query.description if query.name else rest,
            type=cells_text(request),
            mechanism=noise_text(query),
            epsilon=two_places(query.epsilon),
            error=error_words(request),
            beyond=beyond_words_of(request),
            **_verdict(usefulness_of_statistic(self._plan, number)),
            muted=False,
            locked=query.locked,
            lockable=True,
            severity=severity,
            problems=sentences,
        )

    def follow(self) -> None:
        super().follow()
        head = self._error_head()
        if head != self.heads[ERROR]:
            self.heads = (*self.heads[:ERROR], head)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, ERROR, ERROR)

    def text(self, row: PlanRow, column: int) -> str:
        if column == NAME and self._in_full:
            return f"{row.name} {row.label}".strip()
        return super().text(row, column)

    def tooltip(self, row: PlanRow, column: int) -> str:
        return self._basis(row) if column == ERROR else super().tooltip(row, column)

    def spoken(self, row: PlanRow, column: int) -> str:
        if column == NAME or (column == EPSILON and row.locked):
            return super().spoken(row, column)
        return f"{self.heads[column].text}: {self.text(row, column)}"

    def _error_head(self) -> Head:
        level = level_text(float(self._plan.statistics.confidence))
        meaning = self.tr("Of one number, from the noise alone")
        return Head(self.tr("{level} error").format(level=level), meaning, number=True)

    def _basis(self, row: PlanRow) -> str:
        found = next((i for i, written in self._written.items() if written is row), None)
        request = None if found is None else query_request(self._plan, found)
        basis = "" if request is None else request.error.basis
        return "\n".join(filter(None, (basis, row.beyond)))

    def _key(self, number: int) -> int:
        return number

    def _sorted(self) -> Mapping[Hashable, tuple[Problem, ...]]:
        numbers = range(len(self._plan.statistics.queries))
        return {number: problems_of(self._problems, self._plan, number) for number in numbers}


def _worst_and_all(problems: Sequence[Problem]) -> tuple[str, str]:
    """The worst of the problems, errors first, and all of them as sentences."""
    severity = problems[0].severity if problems else ""
    return severity, "\n".join(problem.in_window for problem in problems)


def _verdict(found: Usefulness | None) -> dict[str, str]:
    if found is None:
        return {}
    return {"verdict": found.verdict, "meaning": usefulness_meaning(found)}


def _error_of(plan: Plan, column: ColumnPlan) -> tuple[str, str]:
    """The error in a cell, and what it means where it is beyond all that is possible."""
    if column.role == "keep":
        return tr("exact") if column.kept_coarser is None else tr("coarser"), ""
    request = request_for(column, plan.judged_respondents, sampling=plan.sampling)
    if request is None:
        return "", ""
    shown = figures(request)
    # A cell has room for a letter of the unit, not for the word.
    short = replace(shown, unit=short_unit(shown.unit, _UNIT_MAX)).told
    return short, beyond_words(shown.error, shown.unit, shown.half_range)
