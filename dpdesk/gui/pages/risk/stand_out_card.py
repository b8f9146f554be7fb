"""Who stands out as columns are added, and what would help."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from dpdesk.disclosure.measure import THRESHOLD, DisclosureRisk
from dpdesk.gui.pages.risk.pane import RiskState
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.numbers.digits import chance_percent, error_text
from dpdesk.preview.recognisable import PROTECTED_AT, ChangeLoss, Measured

WHAT, ALONE, BELOW, LOST = range(4)
_WIDTH = 0.52
_BARS_MOST = 12
_HEADROOM = 1.16
_TICKS = 5
_BARS_LEAST = 3
_PICTURE_LEAST = 240
_TOPS = (1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0, 75.0, 100.0)
_SMALL = "control_border"
"""The colour of small groups, which stands out from the ground in both themes."""


def _share_text(rows: int, of: int) -> str:
    """A share in whole per cent, without the sign, which the axis has."""
    share = 100 * rows / of
    return f"{share:.0f}" if share >= 0.5 or not rows else "<\u00a01"


class StepPlot(PlotCanvas):
    """Bars of who is alone before bars of who is in a small group, column after column.

    Of many columns the last ones are drawn, which add the most; the table has all.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.setAccessibleName(self.tr("Who stands out, as columns are added"))
        self.set_axis_titles("", self.tr("Respondents (%)"))

    def show_risk(self, risk: DisclosureRisk) -> None:
        """Shows the steps of an answer."""
        self.clear_items()
        steps, rows = risk.steps[-_BARS_MOST:], risk.rows
        x = np.arange(len(steps), dtype=float)
        below = np.array([100 * step.groups.rows_below / rows for step in steps])
        alone = np.array([100 * step.groups.unique_rows / rows for step in steps])
        # A threshold of 2 counts those who are alone.
        for heights, colour in ((below, _SMALL), (alone, 0)):
            self.bars(colour).setOpts(x=x, height=heights, width=_WIDTH)
        top = _round_top(max(below.max(), 1.0))
        self.set_ranges((-0.5, max(len(steps), _BARS_LEAST) - 0.5), (0.0, _HEADROOM * top))
        ticks = [(end * top / _TICKS, f"{end * top / _TICKS:g}") for end in range(_TICKS + 1)]
        self.getPlotItem().getAxis("left").setTicks([ticks, []])
        skipped = len(risk.steps) - len(steps)
        first = f"{skipped} + " if skipped else ""
        names = [one.column for one in steps]
        signs = [first, *["+ "] * (len(names) - 1)]
        for place, step in enumerate(steps):
            label = self.label(role="muted", anchor=(0.5, 1.0))
            label.setPos(float(place), float(below[place]))
            label.setText(_share_text(step.groups.rows_below, rows))
        self.name_bars(names, signs=signs, slots=_BARS_LEAST)
        self.set_table(
            (self.tr("Column"), self.tr("Alone"), self.tr("In small groups")),
            [
                (
                    step.column,
                    f"{step.groups.unique_rows:,}",
                    f"{step.groups.rows_below:,}",
                )
                for step in risk.steps
            ],
        )
        last = risk.steps[-1]
        template = self.tr(
            "With all {count} columns {alone} are alone and {below} in groups below {k}."
        )
        self.set_description(
            template.format(
                count=len(risk.steps),
                alone=chance_percent(last.groups.unique_rows / rows),
                below=chance_percent(last.groups.rows_below / rows),
                k=risk.threshold,
            )
        )


def _round_top(highest: float) -> float:
    """The upper end of the axis in per cent, whose fifths are round."""
    return next(end for end in _TOPS if highest <= end * (1 + 1e-9))


class ChangesModel(RowModel[ChangeLoss]):
    """One row per change of one column."""

    _rows = 1
    _threshold = THRESHOLD

    def show_changes(self, answer: Measured | None) -> None:
        """Shows the changes of an answer, or none."""
        if answer is not None and answer.risk.threshold != self._threshold:
            self._threshold = answer.risk.threshold
            self.heads = self._make_heads()
        self._rows = 1 if answer is None else answer.risk.rows
        self.show_rows(() if answer is None else answer.changes)

    def text(self, row: ChangeLoss, column: int) -> str:
        change = row.change
        if column == ALONE:
            return chance_percent(change.groups.unique_rows / self._rows)
        if column == BELOW:
            return chance_percent(change.groups.rows_below / self._rows)
        return self._what(row) if column == WHAT else self._lost(row)

    def tooltip(self, row: ChangeLoss, column: int) -> str:
        if column == LOST:
            return self._lost_in_full(row)
        if column in (ALONE, BELOW):
            groups = row.change.groups
            count = groups.unique_rows if column == ALONE else groups.rows_below
            return self.tr("{count} respondents").format(count=f"{count:,}")
        if column == WHAT and row.change.kind == "protect":
            return self.tr(
                "What is released of a protected column is noise in part: a match can be wrong."
            )
        return ""

    def _what(self, row: ChangeLoss) -> str:
        change, name = row.change, row.change.column
        if change.kind == "drop":
            return self.tr("drop {name}").format(name=name)
        if change.kind == "protect":
            words = self.tr("protect {name} at ε = {epsilon}")
            return words.format(name=name, epsilon=PROTECTED_AT)
        if change.coarser is None or change.kind == "merge":
            return self.tr("merge rare answers of {name}").format(name=name)
        width = change.coarser.width
        if width == 10:
            return self.tr("give {name} in tens").format(name=name)
        return self.tr("give {name} in steps of {width}").format(name=name, width=f"{width:g}")

    def _lost(self, row: ChangeLoss) -> str:
        """What is lost, in few words: the table is half a page wide at the most."""
        change, coarser = row.change, row.change.coarser
        if change.kind == "drop":
            return self.tr("all of it")
        if coarser is not None and change.kind == "bands":
            return self.tr("known to ± {half}").format(half=f"{coarser.width / 2:g}")
        if coarser is not None:
            merged = self.tr("{merged} of {all} answers")
            return merged.format(merged=coarser.merged, all=change.distinct)
        if row.protected is None:
            return self.tr("single answers")
        error = error_text(row.protected.error, row.protected.unit)
        if row.protected.unit == "pp":
            return self.tr("shares {error}").format(error=error)
        return self.tr("mean {error}").format(error=error)

    def _lost_in_full(self, row: ChangeLoss) -> str:
        change, name, coarser = row.change, row.change.column, row.change.coarser
        if change.kind == "drop":
            return self.tr("Nothing can be said of {name} any longer.").format(name=name)
        if coarser is not None and change.kind == "bands":
            words = self.tr("{name} is known to ± {half}, for {share} of the respondents.")
            return words.format(
                name=name,
                half=f"{coarser.width / 2:g}",
                share=chance_percent(coarser.moved / self._rows),
            )
        if coarser is not None:
            words = self.tr(
                "{merged} of {all} answers of {name} become one; {share} of the respondents gave "
                "them."
            )
            return words.format(
                merged=coarser.merged,
                all=change.distinct,
                name=name,
                share=chance_percent(coarser.moved / self._rows),
            )
        if row.protected is None:
            return self.tr(
                "Single answers of {name} are noise in part. Its error is known once it has a "
                "domain."
            ).format(name=name)
        error = error_text(row.protected.error, row.protected.unit)
        words = (
            self.tr("Shares of {name} are estimated with a 95 % error of {error}.")
            if row.protected.unit == "pp"
            else self.tr("The mean of {name} is estimated with a 95 % error of {error}.")
        )
        return words.format(name=name, error=error)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("If you …")),
            Head(self.tr("alone"), self.tr("Share that is the only one then"), number=True),
            Head(
                self.tr("below {k}").format(k=self._threshold),
                self.tr("Share in small groups then"),
                number=True,
            ),
            Head(self.tr("what is lost")),
        )


class StandOutCard(Card):
    """The picture above the table of changes.

    Args:
        state: What is asked and answered.
    """

    def __init__(self, state: RiskState, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._state = state
        words = self.tr("Who stands out, as columns are added")
        title = PlainLabel(words, "heading", wrap=True, parent=self)
        self.legend = LegendRow(parent=self)
        self.order = ChoiceBox(
            self.tr("In which order columns are added"),
            ((self.tr("least telling first"), False), (self.tr("as listed"), True)),
            parent=self,
        )
        self.order.setWhatsThis(self.tr("From the column that tells least, or most, or as chosen."))
        self.plot = StepPlot(parent=self)
        self.plot.setMinimumHeight(_PICTURE_LEAST)
        self.model = ChangesModel(self)
        self.table = PlainTable(self.model, self.tr("What would help"), parent=self)
        self.table.setWhatsThis(
            self.tr("Columns whose dropping or coarsening hides most respondents.")
        )
        self.table.wrap()
        # Those who are alone are counted among the small groups as well.
        self.table.setColumnHidden(ALONE, True)
        self.body.addWidget(title)
        self.body.addLayout(lay_row((self.legend, 1), self.order, spacing=12))
        self.body.addWidget(self.plot, 1)
        self.body.addWidget(self.table, 1)
        self.order.activated.connect(lambda _: state.order_by_hand(self.order.currentData()))
        state.answered.connect(self.show_answer)

    def show_answer(self, answer: Measured | None) -> None:
        """Shows an answer; what it replaces stays while there is none."""
        self.model.show_changes(answer)
        self.order.setCurrentIndex(self.order.findData(self._state.wish.in_order))
        if answer is None:
            self.plot.clear_items()
            return
        small = self.tr("in a group below {k}: the number above").format(k=answer.risk.threshold)
        short = self.tr("below {k}, above").format(k=answer.risk.threshold)
        self.legend.set_entries(
            [
                LegendEntry(self.tr("alone"), 0, "bars"),
                LegendEntry(small, _SMALL, "bars", short),
            ]
        )
        self.plot.show_risk(answer.risk)
