"""What synthetic rows cost and how many they are, to be edited; and what to expect of them."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.epsilon_edit import EpsilonEdit
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.numbers import exact_number
from dpdesk.numbers.digits import significant
from dpdesk.plan import Plan
from dpdesk.plan.synthesis import Synthesis
from dpdesk.plan.synthetic_columns import synthesis_budget, synthetic_states
from dpdesk.plan.usefulness import RESPONDENTS_ASSUMED
from dpdesk.queries.noise.calibrate import DELTA_MAX, DELTA_MIN
from dpdesk.synthesis.forecast import SynthesisForecast, forecast
from dpdesk.synthesis.states import ROWS_MAX, ColumnStates

COLUMN, STATES, DISTANCE = range(3)


def forecast_of(plan: Plan, rows: int | None) -> tuple[SynthesisForecast | None, str]:
    """Returns what is to be expected of the synthetic rows of a plan, or why nothing is.

    Args:
        plan: The plan.
        rows: Rows of the open file; the plan's respondents come first.
    """
    columns = synthetic_states(plan)
    if not columns:
        return None, ""
    try:
        budget = synthesis_budget(plan, columns)
        supposed = plan.respondents or rows or RESPONDENTS_ASSUMED
        return forecast(budget, [column.size for column in columns], supposed), ""
    except ParameterError as error:
        return None, str(error)


def percent(distance: float) -> str:
    """A distance in per cent with two digits."""
    return f"{significant(100 * distance, 2)} %"


class SyntheticColumnsModel(RowModel[tuple[ColumnStates, float | None]]):
    """One row per column of the synthetic rows, with its states and the distance to expect."""

    def text(self, row: tuple[ColumnStates, float | None], column: int) -> str:
        """The text of a cell."""
        states, distance = row
        if column == COLUMN:
            return states.name
        if column == DISTANCE:
            return "—" if distance is None else percent(distance)
        if states.are_classes:
            return self.tr("{count} classes").format(count=f"{states.size:,}")
        return self.tr("{count} answers").format(count=f"{states.size:,}")

    def tooltip(self, row: tuple[ColumnStates, float | None], column: int) -> str:
        """The states."""
        return ", ".join(row[0].texts[:20]) if column == STATES else self.heads[column].meaning

    def show_plan(self, plan: Plan, found: SynthesisForecast | None) -> None:
        """Shows the columns of a plan.

        Args:
            plan: The plan.
            found: What is to be expected of them.
        """
        columns = synthetic_states(plan)
        distances = [None] * len(columns) if found is None else found.one_way
        same = [row[0].name for row in self.rows] == [column.name for column in columns]
        self.show_rows(tuple(zip(columns, distances, strict=True)), same=same)

    def _make_heads(self) -> tuple[Head, ...]:
        meaning = self.tr(
            "Half the sum of the differences of all shares, as noise alone makes it on average; "
            "fitting all tables together takes part of it away."
        )
        return (
            Head(self.tr("Column")),
            Head(self.tr("Measured in")),
            Head(self.tr("Expected distance"), meaning, number=True),
        )


class SynthesisForm(QWidget):
    """Epsilon, delta and number of the synthetic rows, and the tables to expect.

    Args:
        document: What is edited.
        parent: Qt's owner.

    Attributes:
        epsilon, delta, rows: The fields.
        expected: What to expect of the tables, or why nothing can be made.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.epsilon = EpsilonEdit(parent=self)
        self.rows = CommitLine(self.tr("Number of synthetic rows"), parent=self)
        self.rows.setPlaceholderText(self.tr("as the file"))
        self.delta = CommitLine(self.tr("Delta: chance that the bound fails"), parent=self)
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

    def follow(self) -> SynthesisForecast | None:
        """Shows what the document now says; returns what is to be expected."""
        plan, table = self._document.plan, self._document.table
        wanted = plan.synthesis
        if not self.epsilon.is_dragging():
            self.epsilon.set_epsilon(wanted.epsilon)
        self.rows.show_value("" if wanted.rows is None else f"{wanted.rows}")
        self.delta.show_value(format(wanted.delta.normalize(), "f"))
        found, why = forecast_of(plan, None if table is None else table.rows)
        said = [why] if found is None else [self._words(found)]
        if found is not None and wanted.rows is None and found.rows_error:
            words = self.tr("{rows} will be drawn: their number is noisy.")
            said.append(words.format(rows=found.rows_text.capitalize()))
        self.expected.setText(" ".join(filter(None, said)))
        return found

    def _words(self, found: SynthesisForecast) -> str:
        if found.two_way is None or found.two_way_most is None:
            return ""
        return self.tr(
            "{count} of {pairs} tables of two columns will be chosen and measured; noise moves one "
            "of middle size by {middle}, the largest by up to {most}, before fitting. How far the "
            "others are off depends on the answers."
        ).format(
            count=f"{found.rounds:,}",
            pairs=f"{found.pairs:,}",
            middle=percent(found.two_way),
            most=percent(found.two_way_most),
        )

    def _take_epsilon(self, epsilon: Decimal) -> None:
        self._edit(self.tr("Change ε of the synthetic rows"), "synthesis", epsilon=epsilon)

    def _take_rows(self, typed: str) -> None:
        text = self.tr("Change the number of synthetic rows")
        bare = typed.strip().replace(",", "")
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
