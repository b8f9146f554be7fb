"""Strata by hand: a table of parts of the population, and how respondents go to them."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.designs.planning import (
    Allocation,
    StratifiedPlan,
    Stratum,
    allocate,
    plan_of_strata,
    require_share,
    respondents_for_strata,
)
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.planning.cell import Cell, NumberCell
from dpdesk.gui.pages.simulate.planning.entry_model import EntryColumn, EntryModel
from dpdesk.gui.pages.simulate.planning.entry_table import EntryTable
from dpdesk.gui.pages.simulate.planning.interval_plot import Interval
from dpdesk.gui.pages.simulate.planning.outcome import Figure, Outcome, design_cells, number, tr
from dpdesk.gui.pages.simulate.planning.readers import (
    margin_text,
    read_any_share,
    read_count,
    read_positive,
)
from dpdesk.gui.pages.simulate.planning.table_pane import TablePane
from dpdesk.gui.pages.simulate.scales import percent_text
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant
from dpdesk.report.survey import PlannedStrata

_HEADS = (
    "stratum",
    "share_of_population",
    "supposed_share",
    "respondents",
    "margin",
    "confidence",
    "allocation",
    "design",
    "parameters",
)


def strata_outcome(found: PlannedStrata, scenario: ShareScenario) -> Outcome:
    """Returns the whole in a sentence and figures, and every stratum in the table."""
    plan = found.plan
    margin = error_text(100 * plan.margin, "pp")
    sure = percent_text(found.confidence).replace(" ", "\N{NO-BREAK SPACE}")
    sentence = tr(
        "{people} respondents in {count} strata give a margin of {margin} for all ({sure}), with "
        "{design}."
    ).format(
        people=f"{plan.total:,}",
        count=len(found.strata),
        margin=margin,
        sure=sure,
        design=design_title(scenario.design),
    )
    gain = 1 - (plan.margin / plan.unstratified_margin) ** 2
    saved = tr("Without strata as many respondents would give {margin}.").format(
        margin=error_text(100 * plan.unstratified_margin, "pp")
    )
    figures = (
        Figure(f"{plan.total:,}", tr("respondents in all strata")),
        Figure(margin, tr("margin of the whole estimate, {sure}").format(sure=sure)),
        Figure(
            f"{significant(100 * plan.prevalence, 3)} %",
            tr("share of all that the supposed shares come to"),
        ),
        Figure(
            f"{significant(100 * abs(gain), 2)} %",
            tr("of the respondents saved by strata")
            if gain >= 0
            else tr("more respondents needed than without strata"),
            saved,
        ),
    )
    kind, parameters = design_cells(scenario.design)
    common = (number(found.confidence), found.allocation, kind, parameters)
    rows = [
        (name, number(s.share), number(s.prevalence), str(n), number(own), *common)
        for name, s, n, own in zip(
            found.names, found.strata, plan.respondents, plan.margins, strict=True
        )
    ]
    whole = ("all", "1", number(plan.prevalence), str(plan.total), number(plan.margin), *common)
    return Outcome(
        sentence=sentence,
        notes=(saved,),
        figures=figures,
        table=PlotTable(_HEADS, (*rows, whole)),
        respondents=plan.total,
    )


NAME, WEIGHT, SHARE, PEOPLE, MARGIN = range(5)
BY_HAND = "by_hand"


class StrataPane(TablePane):
    """The table, the rule of allocation, and n or margin of the whole.

    Args:
        parent: Qt's owner.

    Attributes:
        changed: Emitted when something else is wanted.
        table: The strata.
        allocation: How respondents go to strata.
        wanted: Whether n or the margin of the whole is given.
        margin: The margin of the whole.
    """

    changed = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._found: PlannedStrata | None = None
        self.allocation = ChoiceBox(self.tr("Allocation"), parent=self)
        for title, rule in (
            (self.tr("Neyman (best)"), "neyman"),
            (self.tr("proportional"), "proportional"),
            (self.tr("n by hand"), BY_HAND),
        ):
            self.allocation.addItem(title, rule)
        self.wanted = ChoiceBox(self.tr("What is given"), parent=self)
        self.wanted.addItem(self.tr("the n on the left"), False)
        self.wanted.addItem(self.tr("margin of the whole"), True)
        self.margin = NumberCell(
            self.tr("&Margin of all"),
            0.03,
            read_any_share,
            margin_text,
            self.tr("Half-width of the interval of the whole estimate, in percentage points"),
            parent=self,
        )
        columns = (
            EntryColumn(self.tr("Stratum"), words=True),
            EntryColumn(
                self.tr("People"),
                hint=self.tr("Number of people, or a weight or per cent: proportions count"),
            ),
            EntryColumn(self.tr("Share"), hint=self.tr("Supposed share of carriers")),
            EntryColumn(self.tr("n"), typed=False),
            EntryColumn(self.tr("Margin"), typed=False),
        )
        example = ((50, 5), (30, 10), (20, 25))
        rows = [
            (self.tr("Stratum {number}").format(number=i), f"{part} %", f"{share} %", "", "")
            for i, (part, share) in enumerate(example, start=1)
        ]
        self.model = EntryModel(columns, rows, self)
        self.table = EntryTable(
            self.tr("Strata of the population"),
            self.model,
            self._new_row,
            self.tr("Add a stra&tum"),
            parent=self,
        )
        self._lay_out()
        self.allocation.activated.connect(lambda _: self._choose())
        self.wanted.activated.connect(lambda _: self._choose())
        self.margin.changed.connect(self.changed)
        self.table.edited.connect(self.changed)
        self._arrange()

    def found(self) -> PlannedStrata | None:
        """The plan; None where there is none."""
        return self._found

    def plan(self, scenario: ShareScenario, confidence: float) -> Outcome | str:
        """Returns what the strata come to, or why there is no plan."""
        self._found = None
        self.margin.say("")
        names, strata, counts = self._read()
        if strata is None:
            self._clear()
            return self.tr("There is no plan yet: see the cell that is marked.")
        rule = str(self.allocation.currentData())
        try:
            plan = self._planned(scenario, confidence, strata, counts, rule)
        except ParameterError as error:
            self._clear()
            if self._margin_is_given():
                self.margin.say(str(error))
                return self.tr("There is no plan yet: see the field that is marked.")
            return str(error)
        self._found = PlannedStrata(names, strata, plan, rule, confidence)
        for row, (n, margin) in enumerate(zip(plan.respondents, plan.margins, strict=True)):
            if rule != BY_HAND:
                self.model.set_text(row, PEOPLE, f"{n:,}")
            self.model.set_text(row, MARGIN, error_text(100 * margin, "pp"))
        shown = zip(
            (*names, self.tr("All")), (*strata, None), (*plan.margins, plan.margin), strict=True
        )
        self.show_intervals(
            [Interval(n, s.prevalence if s else plan.prevalence, m) for n, s, m in shown]
        )
        return strata_outcome(self._found, scenario)

    def _planned(
        self,
        scenario: ShareScenario,
        confidence: float,
        strata: tuple[Stratum, ...],
        counts: tuple[int, ...],
        rule: str,
    ) -> StratifiedPlan:
        design = scenario.design
        if rule == BY_HAND:
            return plan_of_strata(design, strata, counts, confidence)
        allocation = cast("Allocation", rule)
        if self._margin_is_given():
            return respondents_for_strata(
                design, strata, self.margin.number(), allocation, confidence
            )
        counts = allocate(design, strata, scenario.respondents, allocation)
        return plan_of_strata(design, strata, counts, confidence)

    def _read(self) -> tuple[tuple[str, ...], tuple[Stratum, ...] | None, tuple[int, ...]]:
        """Reads the table and marks what is wrong; None for strata where something is."""
        refusals: dict[tuple[int, int], str] = {}
        weights, shares, counts = [], [], []
        by_hand = self.allocation.currentData() == BY_HAND
        for row, texts in enumerate(self.model.texts()):
            try:
                weights.append(read_positive(texts[WEIGHT]))
            except ParameterError as error:
                refusals[row, WEIGHT] = str(error)
            try:
                share = read_any_share(texts[SHARE])
                shares.append(require_share(share, self.tr("supposed share")))
            except ParameterError as error:
                refusals[row, SHARE] = str(error)
            if by_hand:
                try:
                    counts.append(int(read_count(texts[PEOPLE])))
                except ParameterError as error:
                    refusals[row, PEOPLE] = str(error)
        self.table.show_refusals(refusals)
        names = tuple(texts[NAME] for texts in self.model.texts())
        if refusals:
            return names, None, ()
        total = sum(weights)
        strata = tuple(
            Stratum(weight / total, share) for weight, share in zip(weights, shares, strict=True)
        )
        return names, strata, tuple(counts)

    def _margin_is_given(self) -> bool:
        return bool(self.wanted.currentData()) and self.allocation.currentData() != BY_HAND

    def _clear(self) -> None:
        self.show_intervals(())
        for row in range(self.model.rowCount()):
            if self.allocation.currentData() != BY_HAND:
                self.model.set_text(row, PEOPLE, "")
            self.model.set_text(row, MARGIN, "")

    def _new_row(self) -> tuple[str, ...]:
        name = self.tr("Stratum {number}").format(number=self.model.rowCount() + 1)
        return name, "20 %", "10 %", "100", ""

    def _choose(self) -> None:
        self._arrange()
        self.changed.emit()

    def _arrange(self) -> None:
        by_hand = self.allocation.currentData() == BY_HAND
        self.model.set_typed(PEOPLE, by_hand)
        self._wanted_cell.setVisible(not by_hand)
        self.margin.setVisible(self._margin_is_given())

    def _lay_out(self) -> None:
        self._wanted_cell = Cell(self.tr("&Given"), self.wanted, parent=self)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        cells = (
            Cell(self.tr("A&llocation"), self.allocation, parent=self),
            self._wanted_cell,
            self.margin,
        )
        for place, cell in enumerate(cells):
            grid.addWidget(cell, 0, place)
            grid.setColumnStretch(place, 1)
        self.stack(grid, self.table)
