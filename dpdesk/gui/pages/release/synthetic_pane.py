"""Synthetic rows on the Release page: their loss, what to expect, and what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.estimation.released import SyntheticRows
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release.comparing_pane import ComparingPane
from dpdesk.gui.pages.release.interval_table import (
    PLOT,
    IntervalModel,
    IntervalTable,
    scale_for,
)
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.private_panel import (
    PrivatePanel,
    TruthBesideRelease,
    TruthDelegate,
)
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.pages.release.release_pane import PaneWords
from dpdesk.gui.pages.release.results_view import ComparedResults, ListEntry
from dpdesk.gui.pages.synthesis_form import (
    SynthesisForm,
    SyntheticTablesModel,
    TablesTabs,
)
from dpdesk.gui.verdict_words import verdict_word
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.budget_bar import BudgetSegment
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.i18n import N_
from dpdesk.numbers.digits import rough_percent, significant
from dpdesk.plan import Plan
from dpdesk.plan.release_usefulness import table_name
from dpdesk.plan.verdicts import PartVerdicts, Verdict
from dpdesk.releases.private_distances import (
    PRIVATE_DISTANCES,
    PrivateDistances,
    TrueDistance,
    private_distances,
)
from dpdesk.releases.release import Release
from dpdesk.releases.synthetic import SYNTHETIC
from dpdesk.reports.synthetic.public import SyntheticReport, worth_of_rows
from dpdesk.synthesis.synthetic_rows import counted as counts_of

_LIST_WIDTH = 236
_CELLS_SHOWN = 500


class SyntheticPromise(PromiseCard):
    """The guarantee, the loss to be edited, and every column with what to expect of it."""

    heading = N_("What these rows promise")
    content = N_("Tables of the synthetic rows")

    def __init__(
        self, document: Document, account: AccountWatch, *, parent: QWidget | None = None
    ) -> None:
        self._tables = SyntheticTablesModel()
        super().__init__(self._tables, account, parent=parent)
        self.form = SynthesisForm(document, self._tables, parent=self)
        self.tabs = TablesTabs(self._tables, self.table, parent=self)
        self.body.insertWidget(self.body.indexOf(self.people), self.form)
        self.body.insertWidget(self.body.indexOf(self.table), self.tabs)

    def show_plan(self, plan: Plan) -> None:
        self.form.follow()
        if not plan.synthetic:
            nothing = self.tr("Nothing yet: no column of the plan is to be released.")
            self._show_promise("", nothing)
            return
        cost = SYNTHETIC.cost(plan)
        said = self._loss_in_words(self.tr("All rows"), cost, plan.statistics.unit)
        nobody = self.tr(
            "They are nobody's rows, but show what the measured tables show; they are not a "
            "sample. Whoever holds the file is trusted with the answers."
        )
        self._show_promise(SYNTHETIC.protection(plan), f"{said} {nobody}")
        self.people.show_cost(cost)

    def path_of(self, row: int) -> str:
        return self._tables.path_of(row)


CELL, _, SYNTHETIC_SHARE, MEASURED_SHARE = range(4)


@dataclass(frozen=True)
class CellShare:
    """A cell of a measured table.

    Attributes:
        name: Its answers.
        synthetic: Its share of the synthetic rows.
        measured: Its share as it was measured, with noise.
        half_width: The 95 % noise of that.
    """

    name: str
    synthetic: float
    measured: float
    half_width: float


class SharesModel(IntervalModel[CellShare]):
    """One row per cell of a measured table: its share of the synthetic rows, and as measured."""

    shares = True

    def drawn(self, row: CellShare) -> Any:
        ends = (row.measured - row.half_width, row.measured + row.half_width)
        return TruthBesideRelease(row.synthetic, row.measured, *ends, row.measured, is_share=True)

    def text(self, row: CellShare, column: int) -> str:
        if column == CELL:
            return row.name
        if column == PLOT:
            told = self.tr("{share} ± {noise} pp")
            return told.format(
                share=rough_percent(row.measured), noise=significant(100 * row.half_width, 2)
            )
        return rough_percent(row.synthetic if column == SYNTHETIC_SHARE else row.measured)

    def tooltip(self, row: CellShare, column: int) -> str:
        return self.text(row, column) if column in (CELL, PLOT) else ""

    def show_table(self, released: SyntheticRows, place: int, half_width: float) -> None:
        """Shows a measured table in the order of its domains; of many cells the fullest.

        Args:
            released: The synthetic rows.
            place: Which of the measured tables.
            half_width: The 95 % noise of a cell, in rows.
        """
        made = released.synthesized
        table = made.tables[place]
        own = counts_of(made.states, released.sizes, table.columns) / released.rows
        noisy = table.counts / made.measured_rows
        order = np.sort(np.argsort(-own, axis=None, kind="stable")[:_CELLS_SHOWN])
        names = [released.columns[column].texts for column in table.columns]
        places = np.unravel_index(order, own.shape)
        noise = half_width / made.measured_rows
        rows = [
            CellShare(
                " / ".join(texts[at] for texts, at in zip(names, cell, strict=True)),
                float(own[cell]),
                float(noisy[cell]),
                noise,
            )
            for cell in zip(*(axis.tolist() for axis in places), strict=True)
        ]
        ends = [end for r in rows for end in (r.synthetic, r.measured - noise, r.measured + noise)]
        self._scale = scale_for(ends or (0.0, 1.0), share=True)
        self.show_rows(rows)

    def _make_heads(self) -> tuple[Head, ...]:
        noise = self.tr("As it was drawn, with its noise; it can be below 0")
        return (
            Head(self.tr("Answer")),
            Head(
                self.tr("Synthetic and measured"),
                self.tr("Bar: the synthetic rows. Dot and line: as measured, with its 95 % noise."),
            ),
            Head(self.tr("Synthetic rows"), number=True),
            Head(self.tr("Measured with noise"), noise, number=True),
        )


class SharesTable(IntervalTable):
    """Synthetic rows and measurement in a picture, then in numbers.

    Args:
        model: The cells.
        name: Accessible name.
    """

    def __init__(self, model: SharesModel, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(model, TruthDelegate, name, parent=parent)


TABLE, MEASURED, EXPECTED, TRUE = range(4)


class DistancesModel(RowModel[TrueDistance]):
    """One row per table of one or two columns, with its true distance."""

    def show_distances(self, found: PrivateDistances | None) -> None:
        """Shows the columns, then the tables of two, those furthest off first; or nothing."""
        self.show_rows(() if found is None else (*found.columns, *found.pairs))

    def text(self, row: TrueDistance, column: int) -> str:
        if column == TABLE:
            return table_name(row.columns)
        if column == MEASURED:
            return self.tr("yes") if row.measured else self.tr("no")
        return rough_percent(row.expected if column == EXPECTED else row.distance)

    def _make_heads(self) -> tuple[Head, ...]:
        expected = self.tr(
            "As the report tells it: what fitting leaves of the noise, and of a table that was not "
            "measured as if its columns had nothing to do with each other"
        )
        true = self.tr("Half the sum of the differences of all shares from those of the file")
        return (
            Head(self.tr("Table")),
            Head(self.tr("Measured")),
            Head(self.tr("Expected distance"), expected, number=True),
            Head(self.tr("True distance"), true, number=True),
        )


class DistancesPanel(PrivatePanel):
    """The true distances of all tables from those of the file."""

    template = PRIVATE_DISTANCES

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self._model = DistancesModel()
        name = QCoreApplication.translate("DistancesPanel", "True distances of the synthetic rows")
        warning = QCoreApplication.translate(
            "DistancesPanel",
            "Here the synthetic rows are compared with the true answers. Distances depend on every "
            "answer, are not protected, and are not in the released folder: never publish them, "
            "and do not project them. To release again because of what you see here would leak it "
            "too.",
        )
        self._chosen: tuple[str, ...] = ()
        self._view = PlainTable(self._model, name)
        super().__init__(self._view, warning, parent=parent)
        self._model.setParent(self)

    def show_table(self, columns: tuple[str, ...]) -> None:
        """Selects a table, so that its distance is seen."""
        self._chosen = columns
        for row, own in enumerate(self._model.rows):
            if set(own.columns) == set(columns):
                self._view.selectRow(row)
                self._view.scrollTo(self._model.index(row, 0))

    def _show(self, diagnostics: Any) -> None:
        self._model.show_distances(diagnostics)
        self.show_table(self._chosen)
        if diagnostics is not None and diagnostics.mean_of_pairs is not None:
            told = self.tr("Mean distance of all {count} tables of two columns: {mean}.")
            count, mean = len(diagnostics.pairs), rough_percent(diagnostics.mean_of_pairs)
            self._facts.setText(told.format(count=f"{count:,}", mean=mean))


class SyntheticResults(ComparedResults):
    """The measured tables one at a time, beside the synthetic rows; the truth in another tab."""

    private: DistancesPanel

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Measured tables"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        return [self.entries, self.tabs, self.table, self.private]

    def _fill(self, shown: Card) -> None:
        self._shares = SharesModel()
        self._shares.setParent(self)
        self.table = SharesTable(self._shares, self.tr("Shares of the measured table"), parent=self)
        self._worth = PlainLabel("", wrap=True, parent=self)
        part = QWidget(self)
        lay_column((self.table, 1), self._worth, self._note, self.figures, spacing=8, on=part)
        titles = self.tr("Measured tables"), self.tr("Measured tables or private comparison")
        self._fill_tabs(shown, titles, part, DistancesPanel(parent=self))

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        one, many = self.tr("1 synthetic row made"), self.tr("{count} synthetic rows made")
        facts = self.tr("ε = {epsilon} per respondent, charged once · {tables} noisy tables")
        released = result.released
        return (
            counted(released.rows, one, many),
            facts.format(
                epsilon=format_epsilon(released.budget.epsilon),
                tables=f"{len(released.synthesized.tables):,}",
            ),
        )

    def _verdicts_of(
        self, result: Release[Any, Any], of_file: Mapping[Any, Verdict]
    ) -> PartVerdicts:
        report: SyntheticReport = result.report
        parts = tuple((table_name(table.columns), table.usefulness) for table in report.tables)
        return PartVerdicts(parts, report.usefulness)

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{verdict} · {cells} cells · {error}")
        worth = worth_of_rows(result.released).by_name
        return tuple(
            ListEntry(
                " × ".join(table.columns),
                caption.format(
                    verdict=verdict_word(table.usefulness),
                    cells=f"{table.cells:,}",
                    error=worth[table_name(table.columns)].told,
                ),
                ", ".join(table.columns),
            )
            for table in result.report.tables
        )

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        table, released = result.report.tables[row], result.released
        self._title.set_text(" × ".join(table.columns))
        self._shares.show_table(released, row, table.half_width)
        self.private.show_table(table.columns)
        chosen = len(table.columns) > 1
        note = (
            self.tr("Chosen privately: the rows so far were likely to be far from the data here.")
            if chosen
            else self.tr("Of every column the shares were measured.")
        )
        drawn = self.tr("Dots and lines are as measured, with that noise; fitting leaves less.")
        self._note.setText(f"{note} {drawn}")
        told = self.tr("In the rows this table is {verdict}: {reason}")
        verdict = verdict_word(table.usefulness)
        self._worth.setText(told.format(verdict=verdict, reason=table.usefulness_reason))
        figures = (
            Figure(f"{released.rows:,}", self.tr("synthetic rows")),
            Figure(
                f"{released.synthesized.measured_rows:,}",
                self.tr("rows of the file, as the noisy tables tell")
                if released.public_rows is None
                else self.tr("rows of the file, which is public"),
            ),
            Figure(
                worth_of_rows(released).by_name[table_name(table.columns)].told,
                self.tr("95 % error of a cell in the rows, after fitting"),
                self.tr("As measured, before fitting: ± {noise} rows.").format(
                    noise=significant(table.half_width, 2)
                ),
            ),
            Figure(
                rough_percent(table.expected_distance),
                self.tr("distance of the rows from the file that noise makes, on average"),
            ),
        )
        self._show_figures(figures)


class SyntheticPane(ComparingPane):
    """Makes synthetic rows."""

    kind = SYNTHETIC
    words = PaneWords(
        start=N_("&Make rows"),
        tip=N_("Measure tables with noise, and write rows that fit them (Ctrl+Return)"),
        sentence=N_("The file is trusted; noisy tables of it are made into new rows."),
        job=N_("Making synthetic rows"),
    )
    promise_type = SyntheticPromise
    results_type = SyntheticResults
    results: SyntheticResults
    compare = staticmethod(private_distances)

    def _facts_of(self, plan: Plan, table: SurveyTable) -> str:
        words = self.tr("{rows} rows · {count} columns · central model")
        return words.format(rows=f"{table.rows:,}", count=f"{len(plan.synthetic):,}")

    def _running_title(self, plan: Plan, table: SurveyTable) -> str:
        words = self.tr("Making synthetic rows from {rows} rows")
        return words.format(rows=f"{table.rows:,}")

    def _show_budget(self, plan: Plan) -> None:
        # What the rows may spend is chosen as a whole; all their tables share it.
        whole = plan.synthesis.epsilon
        segment = BudgetSegment(self.tr("Synthetic rows"), whole, 0)
        self.budget.set_budget((segment,), whole, cost=SYNTHETIC.cost(plan))
