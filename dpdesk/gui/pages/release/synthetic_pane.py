"""Synthetic rows on the Release page: their loss, what to expect, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from dpdesk.data.table import SurveyTable
from dpdesk.estimate.released import SyntheticRows
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.pages.release.release_pane import PaneWords, ReleasePane
from dpdesk.gui.pages.release.results_view import ListEntry, ResultsView
from dpdesk.gui.pages.synthesis_form import SynthesisForm, SyntheticColumnsModel, percent
from dpdesk.gui.widgets.budget_bar import BudgetSegment
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import counted
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.numbers.digits import significant
from dpdesk.plan import Plan
from dpdesk.release.release import Release
from dpdesk.release.synthetic import SYNTHETIC
from dpdesk.report.number_text import epsilon_text
from dpdesk.synthesis.synthetic_rows import counted as counts_of

_LIST_WIDTH = 236
_CELLS_SHOWN = 500


class SyntheticPromise(PromiseCard):
    """The guarantee, the loss to be edited, and every column with what to expect of it.

    Args:
        document: The document.
        account: The ledger's account of the data.
        parent: Qt's owner.
    """

    def __init__(
        self, document: Document, account: AccountWatch, *, parent: QWidget | None = None
    ) -> None:
        title = self.tr("What these rows promise")
        self._columns = SyntheticColumnsModel()
        name = self.tr("Columns of the synthetic rows")
        super().__init__(title, self._columns, name, account, parent=parent)
        self.form = SynthesisForm(document, parent=self)
        self.body.insertWidget(self.body.indexOf(self.people), self.form)

    def show_plan(self, plan: Plan) -> None:
        """Shows what the synthetic rows of a plan promise, and what they do to the budget."""
        found = self.form.follow()
        self._columns.show_plan(plan, found)
        if not self._columns.rows:
            self._promise.setText(self.tr("Nothing yet: no column of the plan is to be released."))
            return
        cost = SYNTHETIC.cost(plan)
        said = self._loss_in_words(self.tr("All rows"), cost, plan.statistics.unit)
        nobody = self.tr(
            "They are nobody's rows, but show what the measured tables show; they are no sample. "
            "Whoever holds the file is trusted with the answers."
        )
        self._promise.setText(f"{said} {nobody}")
        self.people.show_cost(cost)

    def path_of(self, row: int) -> str:
        """The path of the column's role."""
        return f"columns.{self._columns.row(row)[0].name}.role"


CELL, SYNTHETIC_SHARE = range(2)


class SharesModel(RowModel[tuple[str, float, float]]):
    """One row per cell of a measured table: its share of the synthetic rows, and as measured."""

    def text(self, row: tuple[str, float, float], column: int) -> str:
        """The text of a cell."""
        cell, synthetic, measured = row
        if column == CELL:
            return cell
        return percent(synthetic if column == SYNTHETIC_SHARE else measured)

    def show_table(self, released: SyntheticRows, place: int) -> None:
        """Shows a measured table; of many cells those with most synthetic rows.

        Args:
            released: The synthetic rows.
            place: Which of the measured tables.
        """
        made = released.synthesized
        table = made.tables[place]
        own = counts_of(made.states, released.sizes, table.columns) / released.rows
        noisy = table.counts / made.measured_rows
        order = np.argsort(-own, axis=None, kind="stable")[:_CELLS_SHOWN]
        names = [released.columns[column].texts for column in table.columns]
        places = np.unravel_index(order, own.shape)
        rows = [
            (
                " / ".join(texts[at] for texts, at in zip(names, cell, strict=True)),
                float(own[cell]),
                float(noisy[cell]),
            )
            for cell in zip(*(axis.tolist() for axis in places), strict=True)
        ]
        self.show_rows(rows)

    def _make_heads(self) -> tuple[Head, ...]:
        noise = self.tr("As it was drawn, with its noise; it can be below 0")
        return (
            Head(self.tr("Answer")),
            Head(self.tr("Synthetic rows"), number=True),
            Head(self.tr("Measured with noise"), noise, number=True),
        )


class SyntheticResults(ResultsView):
    """The measured tables one at a time, beside the synthetic rows.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Measured tables"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        """The list and the table."""
        return [self.entries, self.table]

    def _fill(self, shown: Card) -> None:
        self._shares = SharesModel()
        self._shares.setParent(self)
        self.table = PlainTable(self._shares, self.tr("Shares of the measured table"), parent=self)
        shown.body.addWidget(self._title)
        shown.body.addWidget(self.table, 1)
        shown.body.addWidget(self._note)
        shown.body.addWidget(self.figures)

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        one, many = self.tr("1 synthetic row made"), self.tr("{count} synthetic rows made")
        facts = self.tr("ε = {epsilon} per respondent, charged once · {tables} noisy tables")
        released = result.released
        return (
            counted(released.rows, one, many),
            facts.format(
                epsilon=epsilon_text(released.budget.epsilon),
                tables=f"{len(released.synthesized.tables):,}",
            ),
        )

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{cells} cells · ± {noise} rows")
        return tuple(
            ListEntry(
                " × ".join(table.columns),
                caption.format(cells=f"{table.cells:,}", noise=significant(table.half_width, 2)),
                ", ".join(table.columns),
            )
            for table in result.report.tables
        )

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        table, released = result.report.tables[row], result.released
        self._title.set_text(" × ".join(table.columns))
        self._shares.show_table(released, row)
        chosen = len(table.columns) > 1
        note = (
            self.tr("Chosen privately: the rows so far were likely to be far from the data here.")
            if chosen
            else self.tr("Of every column the shares were measured.")
        )
        self._note.setText(note)
        figures: Sequence[tuple[str, str, str]] = (
            (f"{released.rows:,}", self.tr("synthetic rows"), ""),
            (
                f"{released.synthesized.measured_rows:,}",
                self.tr("rows of the file, as the noisy tables tell")
                if released.public_rows is None
                else self.tr("rows of the file, which is public"),
                "",
            ),
            (
                f"± {significant(table.half_width, 2)}",
                self.tr("95 % noise of a cell, in rows"),
                "",
            ),
            (
                percent(table.expected_distance),
                self.tr("distance that noise makes, before fitting"),
                "",
            ),
        )
        self._show_figures(figures)


class SyntheticPane(ReleasePane):
    """Makes synthetic rows.

    Args:
        document: The document.
        account: The ledger's account of the data.
        parent: Qt's owner.
    """

    kind = SYNTHETIC
    results: SyntheticResults

    def _make_words(self) -> PaneWords:
        return PaneWords(
            start=self.tr("&Make rows"),
            tip=self.tr("Measure tables with noise, and write rows that fit them (Ctrl+Return)"),
            sentence=self.tr("The file is trusted; noisy tables of it are made into new rows."),
            job=self.tr("Making synthetic rows"),
        )

    def _make_promise(self, account: AccountWatch) -> SyntheticPromise:
        return SyntheticPromise(self.document, account, parent=self)

    def _make_results(self) -> SyntheticResults:
        return SyntheticResults(parent=self)

    def _facts_of(self, plan: Plan, table: SurveyTable) -> str:
        words = self.tr("{rows} rows · {count} columns · central model")
        return words.format(rows=f"{table.rows:,}", count=f"{len(plan.synthetic):,}")

    def _running_title(self, plan: Plan, table: SurveyTable) -> str:
        words = self.tr("Making synthetic rows from {rows} rows")
        return words.format(rows=f"{table.rows:,}")

    def _show_budget(self, plan: Plan) -> None:
        segment = BudgetSegment(self.tr("Synthetic rows"), plan.synthesis.epsilon, 0)
        self.budget.set_budget((segment,), None)
