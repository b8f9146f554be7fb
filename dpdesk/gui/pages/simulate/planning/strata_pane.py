"""Strata by hand: a table of parts of the population, and how respondents go to them."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QWidget

from dpdesk.designs.planning import (
    Allocation,
    Share,
    StratifiedPlan,
    Stratum,
    allocate,
    plan_of_strata,
    respondents_for_strata,
)
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.planning.cell import (
    Cell,
    NumberCell,
    read_any_share,
    read_count,
    read_positive,
)
from dpdesk.gui.pages.simulate.planning.table_pane import Interval, TablePane, share_reader
from dpdesk.gui.pages.simulate.planning.words import (
    Figure,
    PlanWords,
    design_cells,
    margin_words,
    number,
    tr,
    unbroken,
)
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.pages.simulate.solve_rows import margin_text
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.typed_table import TypedColumn
from dpdesk.preview import significant
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


def strata_outcome(found: PlannedStrata, scenario: ShareScenario) -> PlanWords:
    """Returns the whole in a sentence and figures, and every stratum in the table."""
    plan = found.plan
    margin, sure = margin_words(plan.margin), unbroken(found.confidence)
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
        margin=margin_words(plan.unstratified_margin)
    )
    bounds: tuple[str, ...] = ()
    if scenario.design.error_is_bound:
        bounds = (tr("Margins are upper bounds: sums do not show how answers spread."),)
    figures = (
        Figure(f"{plan.total:,}", tr("respondents in all strata")),
        Figure(margin, tr("margin of the whole estimate, {sure}").format(sure=sure)),
        Figure(
            f"{significant(100 * plan.people.value, 3)} %",
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
        (name, number(s.share), number(s.people.value), str(n), number(own), *common)
        for name, s, n, own in zip(
            found.names, found.strata, plan.respondents, plan.margins, strict=True
        )
    ]
    whole = ("all", "1", number(plan.people.value), str(plan.total), number(plan.margin), *common)
    return PlanWords(
        sentence=sentence,
        notes=(saved, *bounds),
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
        allocation: How respondents go to strata.
        wanted: Whether n or the margin of the whole is given.
        margin: The margin of the whole.
    """

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
            TypedColumn(self.tr("Stratum"), words=True),
            TypedColumn(
                self.tr("People"),
                hint=self.tr("Number of people, or a weight or per cent: proportions count"),
            ),
            TypedColumn(self.tr("Share"), hint=self.tr("Supposed share of carriers")),
            TypedColumn(self.tr("n"), typed=False),
            TypedColumn(self.tr("Margin"), typed=False),
        )
        example = ((50, 5), (30, 10), (20, 25))
        rows = [
            (self.tr("Stratum {number}").format(number=i), f"{part} %", f"{share} %", "", "")
            for i, (part, share) in enumerate(example, start=1)
        ]
        self._wanted_cell = Cell(self.tr("&Given"), self.wanted, parent=self)
        allocation = Cell(self.tr("A&llocation"), self.allocation, parent=self)
        cells = (allocation, self._wanted_cell, self.margin)
        name = self.tr("Strata of the population")
        self.stack(cells, name, columns, rows, self.tr("Add a stra&tum"))
        for box in (self.allocation, self.wanted):
            box.activated.connect(lambda _: self.choose())
        self.margin.changed.connect(self.changed)

    def found(self) -> PlannedStrata | None:
        """The plan; None where there is none."""
        return self._found

    def plan(self, scenario: ShareScenario, confidence: float) -> PlanWords | str:
        """Returns what the strata come to, or why there is no plan."""
        self._found = None
        self.margin.say("")
        read = self._read()
        if read is None:
            self._clear()
            return self.tr("There is no plan yet: see the cell that is marked.")
        strata, counts = read
        names = tuple(texts[NAME] for texts in self.model.texts())
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
            self.model.set_text(row, MARGIN, margin_words(margin))
        shown = zip(
            (*names, self.tr("All")), (*strata, None), (*plan.margins, plan.margin), strict=True
        )
        self.show_intervals([Interval(n, (s or plan).people.value, m) for n, s, m in shown])
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

    def _read(self) -> tuple[tuple[Stratum, ...], tuple[int, ...]] | None:
        """The strata and the respondents that were typed; None where something is wrong."""
        readers = {WEIGHT: read_positive, SHARE: share_reader(self.tr("supposed share"))}
        if self._by_hand:
            readers[PEOPLE] = read_count
        rows = self.read(readers)
        if rows is None:
            return None
        total = sum(row[WEIGHT] for row in rows)
        strata = tuple(Stratum(row[WEIGHT] / total, Share(row[SHARE])) for row in rows)
        return strata, tuple(int(row.get(PEOPLE, 0)) for row in rows)

    @property
    def _by_hand(self) -> bool:
        return bool(self.allocation.currentData() == BY_HAND)

    def _margin_is_given(self) -> bool:
        return bool(self.wanted.currentData()) and not self._by_hand

    def _clear(self) -> None:
        self.clear(*(() if self._by_hand else (PEOPLE,)), MARGIN)

    def _new_row(self) -> tuple[str, ...]:
        name = self.tr("Stratum {number}").format(number=self.model.rowCount() + 1)
        return name, "20 %", "10 %", "100", ""

    def _arrange(self) -> None:
        self.model.set_typed(PEOPLE, self._by_hand)
        self._wanted_cell.setVisible(not self._by_hand)
        self.margin.setVisible(self._margin_is_given())
