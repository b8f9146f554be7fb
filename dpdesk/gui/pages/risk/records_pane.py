"""The pane of the riskiest records: their numbers, and the columns that make them unique."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.disclosure.special_uniques import RiskyRecord
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.i18n import N_
from dpdesk.preview.recognisable import Measured

UNIQUE_ON, RECORD, SCORE = range(3)
_SHOWN_MOST = 200


class RecordsModel(RowModel[RiskyRecord]):
    """One row per record, the easiest to find first."""

    def text(self, row: RiskyRecord, column: int) -> str:
        if column == RECORD:
            return f"{row.row + 1:,}"
        if column == SCORE:
            return row.score_text
        return row.sets_text or self.tr("more columns together")

    def tooltip(self, row: RiskyRecord, column: int) -> str:
        if column != UNIQUE_ON:
            return ""
        return "\n".join(" + ".join(names) for names in row.sets)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Is the only one with its"), self.tr("The fewest columns that do it")),
            Head(self.tr("Record"), self.tr("Its number in the file"), number=True),
            Head(
                self.tr("SUDA score"),
                self.tr(
                    "Without a unit: it is larger where fewer columns are enough to find a record. "
                    "After the point stands the share of answers of others that differ; it orders "
                    "records with the same score."
                ),
                number=True,
            ),
        )


class RecordsPane(RiskPane):
    """The records that are easiest to find."""

    title = N_("Riskiest records")
    shows_risk_of_file = True

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._explanation = PlainLabel("", "muted", wrap=True, parent=self)
        self.model = RecordsModel(self)
        self.view = PlainTable(self.model, self.tr("Riskiest records"), parent=self)
        self.view.setWhatsThis(
            self.tr("Groups of the fewest respondents with the same answers: private.")
        )
        lay_column(self._explanation, (self.view, 1), spacing=8, on=self)
        self.show_answer(None)

    def explanation(self) -> str:
        """What is listed."""
        return self._explanation.text()

    def show_answer(self, answer: Measured | None) -> None:
        if answer is None or answer.special is None or not answer.risk.unique_rows:
            self.model.show_rows(())
            self._explanation.setText(self._why_none(answer))
            return
        special = answer.special
        rows = special.riskiest(_SHOWN_MOST)
        self.model.show_rows(rows)
        sentence = self.tr(
            "For your eyes only. Fewer columns make a record easier to find; sets of at most "
            "{depth} were tried."
        )
        if len(rows) < len(special.rows):
            sentence += " " + self.tr("The {count} riskiest of {all} are listed.").replace(
                "{count}", f"{len(rows):,}"
            ).replace("{all}", f"{len(special.rows):,}")
        self._explanation.setText(sentence.format(depth=special.depth))

    def _why_none(self, answer: Measured | None) -> str:
        if answer is None:
            return ""
        if not answer.risk.unique_rows:
            return self.tr("Nobody is the only one with these answers.")
        return self.tr(
            "Where a missing answer matches any, no set of columns has groups of its own. Take "
            "missing answers as an answer of their own (tab Columns) to see these records."
        )
