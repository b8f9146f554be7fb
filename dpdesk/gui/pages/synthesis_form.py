"""What synthetic rows cost and how many they are, to be edited; and what to expect of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, overload

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.verdict_words import usefulness_meaning, verdict_word
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.epsilon_edit import EpsilonEdit
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.numbers import exact_number, without_groups
from dpdesk.numbers.digits import rough_percent
from dpdesk.plan import Plan
from dpdesk.plan.release_usefulness import table_name, usefulness_of_synthesis
from dpdesk.plan.synthesis import Synthesis
from dpdesk.plan.synthetic_columns import synthesis_budget, synthetic_states
from dpdesk.plan.usefulness import RESPONDENTS_ASSUMED, Usefulness
from dpdesk.plan.verdicts import Verdict
from dpdesk.queries.noise.calibrate import DELTA_MAX, DELTA_MIN
from dpdesk.synthesis.forecast import SynthesisForecast, forecast
from dpdesk.synthesis.released_error import supposed_errors
from dpdesk.synthesis.states import ROWS_MAX, ColumnStates

COLUMN, STATES, DISTANCE, WORTH, OTHERWISE = range(5)


def forecast_of(plan: Plan) -> tuple[SynthesisForecast | None, str]:
    """Returns what is to be expected of the synthetic rows of a plan, or why nothing is."""
    columns = synthetic_states(plan)
    if not columns:
        return None, ""
    try:
        budget = synthesis_budget(plan, columns)
        supposed = plan.judged_respondents or RESPONDENTS_ASSUMED
        sizes = tuple(column.size for column in columns)
        return forecast(supposed_errors(budget, sizes, supposed)), ""
    except ParameterError as error:
        return None, str(error)


def verdict_colour(verdict: Verdict | None) -> QColor:
    """The colour in which a verdict is written, beside its word."""
    theme = theme_in_force()
    return QColor({"coarse": theme.warning, "useless": theme.danger}.get(verdict or "", theme.text))


@dataclass(frozen=True)
class TableRow:
    """A table of one or two columns, with what to expect of it.

    Attributes:
        columns: Its columns.
        expected: The distance to expect of the rows if it is measured; None where it cannot be.
        otherwise: Both distances if it is not; None where it is in any case.
        worth: What its cells are worth if it is measured; None where nothing is known.
    """

    columns: tuple[ColumnStates, ...]
    expected: float | None
    otherwise: tuple[float, float] | None
    worth: Usefulness | None

    @property
    def name(self) -> str:
        """The table, such as "age × sex"."""
        return table_name([column.name for column in self.columns])


class TableRows(Sequence[TableRow]):
    """Tables of one column or of two, each made when it is looked at: there may be thousands.

    Args:
        columns: The columns.
        found: What is to be expected of their tables; None where nothing is.
        worth: What each table is worth, by its name.
        of_pairs: Whether they are those of two columns.
    """

    def __init__(
        self,
        columns: Sequence[ColumnStates],
        found: SynthesisForecast | None,
        worth: Mapping[str, Usefulness],
        *,
        of_pairs: bool,
    ) -> None:
        self._columns, self._found, self._worth = columns, found, worth
        self._of_pairs = of_pairs
        self._row = lru_cache(maxsize=100)(self._make_row)

    def __len__(self) -> int:
        if self._of_pairs:
            return 0 if self._found is None else self._found.pairs
        return len(self._columns)

    @overload
    def __getitem__(self, number: int) -> TableRow: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[TableRow, ...]: ...
    def __getitem__(self, number: int | slice) -> TableRow | tuple[TableRow, ...]:
        if isinstance(number, slice):
            return tuple(map(self.__getitem__, range(*number.indices(len(self)))))
        return self._row(range(len(self))[number])

    def _make_row(self, at: int) -> TableRow:
        found = self._found
        if found is None or not self._of_pairs:
            column = self._columns[at]
            distance = None if found is None else found.one_way[at]
            return TableRow((column,), distance, None, self._worth.get(column.name))
        pair = found.pair(at)
        one, other = (self._columns[at] for at in pair.columns)
        some = found.rounds < found.pairs
        return TableRow(
            (one, other),
            pair.measured,
            (pair.independent, pair.dependent) if some else None,
            self._worth.get(table_name([one.name, other.name])),
        )


class SyntheticTablesModel(RowModel[TableRow]):
    """One row per column of the synthetic rows, or one per table of two of them."""

    _of_pairs = _is_waiting = False
    _last: tuple[Plan, SynthesisForecast | None] | None = None
    _listed: tuple[bool, list[str]] | None = None

    def text(self, row: TableRow, column: int) -> str:
        if column == COLUMN:
            return row.name
        if column == DISTANCE:
            return "—" if row.expected is None else rough_percent(row.expected)
        if column == WORTH:
            return "—" if row.worth is None else verdict_word(row.worth.verdict)
        if column == OTHERWISE:
            if row.otherwise is None:
                return "—"
            least, most = map(rough_percent, row.otherwise)
            return self.tr("{least} or up to {most}").format(least=least, most=most)
        if len(row.columns) > 1:
            cells = row.columns[0].size * row.columns[1].size
            return self.tr("{count} cells").format(count=f"{cells:,}")
        (states,) = row.columns
        told = self.tr("{count} classes") if states.are_classes else self.tr("{count} answers")
        return told.format(count=f"{states.size:,}")

    def tooltip(self, row: TableRow, column: int) -> str:
        if column == STATES and len(row.columns) == 1:
            return ", ".join(row.columns[0].texts[:20])
        if column == WORTH and row.worth is not None:
            told = [usefulness_meaning(row.worth)]
            if self._measures_some:
                told.append(self.tr("A table that is measured makes its columns more exact, too."))
            return "\n".join(told)
        return self.heads[column].meaning

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and self._is_waiting:
            return QColor(theme_in_force().muted)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == WORTH:
            worth = self.row(index.row()).worth
            return verdict_colour(None if worth is None else worth.verdict)
        return super().data(index, role)

    @property
    def _measures_some(self) -> bool:
        found = None if self._last is None else self._last[1]
        return found is not None and found.measures_some

    def show_pairs(self, shown: bool) -> None:
        """Shows tables of two columns instead of columns, or the reverse."""
        self._of_pairs = shown
        if self._last is not None:
            self.show_plan(*self._last)

    def show_plan(self, plan: Plan, found: SynthesisForecast | None) -> None:
        """Shows the tables of a plan.

        Args:
            plan: The plan.
            found: What is to be expected of them.
        """
        self._last, self._is_waiting = (plan, found), False
        heads, self.heads = self.heads, self._make_heads()
        if heads != self.heads:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, WORTH, WORTH)
        columns = synthetic_states(plan)
        worth = usefulness_of_synthesis(plan).by_name
        rows = TableRows(columns, found, worth, of_pairs=self._of_pairs)
        listed = self._of_pairs, [column.name for column in columns]
        same, self._listed = listed == self._listed, listed
        self.show_rows(rows, same=same)

    def show_waiting(self) -> None:
        """Pales what is out of date while a slider moves, until the plan is shown again."""
        if not self._is_waiting and self.rows:
            self._is_waiting = True
            self.announce(0, len(self.rows) - 1)

    def path_of(self, row: int) -> str:
        """The path of the role of a table's first column."""
        return f"columns.{self.row(row).columns[0].column}.role"

    def _make_heads(self) -> tuple[Head, ...]:
        meaning = self.tr(
            "Half the sum of the differences of all shares between rows and file that noise makes "
            "on average, after fitting, where all answers are equally common; rare ones have less."
        )
        otherwise = self.tr(
            "The same if the table is not chosen: from noise, if its columns have nothing to do "
            "with each other; up to the other one, if they have and the rows do not show it."
        )
        worth = self.tr("By what fitting leaves of the noise, against the share of each cell.")
        title = self.tr("Worth")
        if self._measures_some:
            worth += " " + self.tr(
                "Some tables of two columns are measured, nobody knows which: a column is judged "
                "on average, a table as if it was measured, which makes its columns more exact, "
                "too."
            )
            title = self.tr("If measured") if self._of_pairs else title
        return (
            Head(self.tr("Column")),
            Head(self.tr("Measured in")),
            Head(self.tr("Expected distance"), meaning, number=True),
            Head(title, worth),
            Head(self.tr("If not measured"), otherwise, number=True),
        )


class TablesTabs(UnderlineTabs):
    """Switches a table between columns and tables of two columns.

    Args:
        model: What is shown.
        table: Where it is shown.
    """

    def __init__(
        self, model: SyntheticTablesModel, table: PlainTable, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self.addTab(self.tr("Columns"))
        self.addTab(self.tr("Tables of two columns"))
        self.setAccessibleName(self.tr("Which tables are listed"))
        self.setWhatsThis(self.tr("Those that are kept, those that could be, or all of them."))
        self._model, self._table = model, table
        table.setColumnHidden(OTHERWISE, True)
        self.currentChanged.connect(self._show)

    def _show(self, index: int) -> None:
        self._table.setColumnHidden(OTHERWISE, index == 0)
        self._model.show_pairs(index > 0)


class SynthesisForm(QWidget):
    """Epsilon, delta and number of the synthetic rows, and the tables to expect.

    Args:
        document: What is edited.
        tables: The tables that are to be expected.

    Attributes:
        epsilon, delta, rows: The fields.
        expected: What to expect of the tables, or why nothing can be made.
    """

    def __init__(
        self, document: Document, tables: SyntheticTablesModel, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._tables = document, tables
        self.epsilon = EpsilonEdit(parent=self)
        self.rows = CommitLine(self.tr("Number of synthetic rows"), parent=self)
        self.rows.setWhatsThis(
            self.tr("How many rows are made up; it needs not be the true number.")
        )
        self.rows.setPlaceholderText(self.tr("as the file"))
        self.delta = CommitLine(self.tr("Delta: chance that the bound fails"), parent=self)
        self.delta.setWhatsThis(self.tr("Zero, or much less than one in all respondents."))
        for line, widest in ((self.rows, "10,000,000"), (self.delta, "0.0000001")):
            line.setFixedWidth(self.fontMetrics().horizontalAdvance(widest) + 22)
        delta, rows = QLabel("δ", self), QLabel(self.tr("ro&ws"), self)
        delta.setBuddy(self.delta)
        rows.setBuddy(self.rows)
        self.expected = PlainLabel("", "muted", wrap=True, parent=self)
        fields = lay_row((self.epsilon, 1), delta, self.delta, rows, self.rows, spacing=9)
        refusal = RefusalLabel(parent=self)
        lay_column(fields, refusal, self.expected, spacing=5, on=self)
        for line in (self.rows, self.delta):
            line.refused.connect(refusal.show_sentence)
        self.epsilon.epsilonChanged.connect(self._take_epsilon)
        self.epsilon.editingFinished.connect(document.end_gesture)
        self.rows.committed.connect(self._take_rows)
        self.delta.committed.connect(self._take_delta)

    def follow(self) -> None:
        """Shows what the document now says; what is to be expected waits until a slider rests."""
        plan = self._document.plan
        wanted = plan.synthesis
        if self.epsilon.epsilon() != wanted.epsilon:
            self.epsilon.set_epsilon(wanted.epsilon)
        self.rows.show_value("" if wanted.rows is None else f"{wanted.rows}")
        self.delta.show_value(format(wanted.delta.normalize(), "f"))
        self.expected.setEnabled(self._document.is_judged)
        if not self._document.is_judged:
            self._tables.show_waiting()
            return
        found, why = forecast_of(plan)
        said = [why] if found is None else [self._verdict(plan), self._words(found)]
        if found is not None and wanted.rows is None and found.rows_error:
            words = self.tr("{rows} will be drawn: their number is noisy.")
            said.append(words.format(rows=found.rows_text.capitalize()))
        self.expected.setText(" ".join(filter(None, said)))
        self._tables.show_plan(plan, found)

    def _verdict(self, plan: Plan) -> str:
        verdict = usefulness_of_synthesis(plan).verdict
        if verdict is None:
            return ""
        told = self.tr("As a whole the rows would be {verdict}.")
        return told.format(verdict=verdict_word(verdict))

    def _words(self, found: SynthesisForecast) -> str:
        if found.two_way is None or found.two_way_most is None:
            return ""
        return self.tr(
            "{count} of {pairs} tables of two columns will be chosen and measured; noise leaves "
            "the rows {middle} off in one of middle size, up to {most} in the largest. How far the "
            "others are off depends on the answers."
        ).format(
            count=f"{found.rounds:,}",
            pairs=f"{found.pairs:,}",
            middle=rough_percent(found.two_way),
            most=rough_percent(found.two_way_most),
        )

    def _take_epsilon(self, epsilon: Decimal) -> None:
        self._edit(self.tr("Change ε of the synthetic rows"), "synthesis", epsilon=epsilon)

    def _take_rows(self, typed: str) -> None:
        text = self.tr("Change the number of synthetic rows")
        bare = without_groups(typed.strip())
        number = exact_number(bare) if bare else None
        is_whole = number is not None and number == number.to_integral_value()
        if bare and (number is None or not is_whole or not 1 <= number <= ROWS_MAX):
            said = self.tr(
                "Type a whole number of rows up to {most}, or nothing for as many as the file has."
            )
            self.rows.refuse(said.format(most=f"{ROWS_MAX:,}"))
            return
        self._edit(text, rows=None if number is None else int(number))

    def _take_delta(self, typed: str) -> None:
        delta = exact_number(typed.strip())
        if delta is None or not (delta == 0 or DELTA_MIN <= delta < DELTA_MAX):
            self.delta.refuse(
                self.tr("Type 0 for a pure ε, or a chance below 0.01 such as 0.000001.")
            )
            return
        self._edit(self.tr("Change δ of the synthetic rows"), delta=delta)

    def _edit(self, text: str, merge_key: str | None = None, **changes: object) -> None:
        plan = self._document.plan
        changed: Synthesis = plan.synthesis.with_fields(**changes)
        self._document.edit(text, plan.with_fields(synthesis=changed), merge_key)
