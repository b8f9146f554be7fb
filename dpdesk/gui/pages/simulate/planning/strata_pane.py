"""Strata by hand: a table of parts of the population, and how respondents go to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from PySide6.QtWidgets import QWidget

from dpdesk.designs.planning import (
    Allocation,
    People,
    StratifiedPlan,
    Stratum,
    allocate,
    plan_of_strata,
    respondents_for_strata,
)
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import design_cells
from dpdesk.gui.pages.simulate.planning.cell import Cell, NumberCell
from dpdesk.gui.pages.simulate.planning.table_pane import Interval, TablePane
from dpdesk.gui.pages.simulate.planning.words import PlanWords, number, tr, unbroken
from dpdesk.gui.pages.simulate.scales import read_count, read_positive
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.typed_table import TypedColumn
from dpdesk.preview import significant
from dpdesk.reports.survey import PlannedStrata


def strata_outcome(found: PlannedStrata, scenario: Scenario[Any]) -> PlanWords:
    """Returns the whole in a sentence and figures, and every stratum in the table."""
    plan, quantity = found.plan, scenario.quantity
    margin, sure = quantity.margin_words(plan.margin), unbroken(found.confidence)
    sentence = tr(
        "{people} respondents in {count} strata give a margin of {margin} for all ({sure}){of}, "
        "with {design}."
    ).format(
        of=scenario.of_what,
        people=f"{plan.total:,}",
        count=len(found.strata),
        margin=margin,
        sure=sure,
        design=scenario.design.list_name,
    )
    gain = 1 - (plan.margin / plan.unstratified_margin) ** 2
    saved = tr("Without strata as many respondents would give {margin}.").format(
        margin=quantity.margin_words(plan.unstratified_margin)
    )
    figures = (
        Figure(f"{plan.total:,}", tr("respondents in all strata")),
        Figure(margin, tr("margin of the whole estimate, {sure}").format(sure=sure)),
        Figure(
            quantity.value_words(plan.people.value),
            tr("{what} of all that the supposed ones come to").format(what=tr(quantity.noun)),
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
    heads = (
        "stratum",
        "share_of_population",
        *(f"supposed_{name}" for name in plan.people.supposed()),
        "respondents",
        "margin",
        "confidence",
        "allocation",
        "design",
        "parameters",
    )
    rows = [
        (
            name,
            number(s.share),
            *map(number, s.people.supposed().values()),
            str(n),
            number(own),
            *common,
        )
        for name, s, n, own in zip(
            found.names, found.strata, plan.respondents, plan.margins, strict=True
        )
    ]
    all_people = map(number, plan.people.supposed().values())
    whole = ("all", "1", *all_people, str(plan.total), number(plan.margin), *common)
    return PlanWords(
        sentence=sentence,
        notes=(saved,),
        loss=scenario.design.loss.epsilon,
        figures=figures,
        table=PlotTable(heads, (*rows, whole)),
        respondents=plan.total,
    )


BY_HAND = "by_hand"


class StrataPane(TablePane):
    """The table, the rule of allocation, and n or margin of the whole.

    Args:
        scenario: The survey at first.

    Attributes:
        allocation: How respondents go to strata.
        wanted: Whether n or the margin of the whole is given.
        margin: The margin of the whole.
    """

    def __init__(self, scenario: Scenario[Any], *, parent: QWidget | None = None) -> None:
        super().__init__(scenario, parent=parent)
        quantity = scenario.quantity
        self._found: PlannedStrata | None = None
        self.allocation = ChoiceBox(self.tr("Allocation"), parent=self)
        for title, rule in (
            (self.tr("Neyman (best)"), "neyman"),
            (self.tr("proportional"), "proportional"),
            (self.tr("n by hand"), BY_HAND),
        ):
            self.allocation.addItem(title, rule)
        self.wanted = ChoiceBox(self.tr("What is given"), parent=self)
        self.wanted.addItem(self.tr("the supposed n"), False)
        self.wanted.addItem(self.tr("margin of the whole"), True)
        self.margin = NumberCell(
            self.tr("&Margin of all"),
            quantity.margin,
            self._read_margin,
            self._margin_text,
            self.tr("Half-width of the interval of the whole estimate"),
            parent=self,
        )
        columns = {
            "name": TypedColumn(self.tr("Stratum"), words=True),
            "weight": TypedColumn(
                self.tr("People"),
                hint=self.tr("Number of people, or a weight or per cent: proportions count"),
            ),
            "value": TypedColumn(""),
            "people": TypedColumn(self.tr("n"), typed=False),
            "margin": TypedColumn(self.tr("Margin"), typed=False),
        }
        values = [""] * len(quantity.columns)
        rows = [
            (self.tr("Stratum {number}").format(number=i), f"{part} %", *values, "", "")
            for i, part in enumerate((50, 30, 20), start=1)
        ]
        self._wanted_cell = Cell(self.tr("&Given"), self.wanted, parent=self)
        allocation = Cell(self.tr("A&llocation"), self.allocation, parent=self)
        cells = (allocation, self._wanted_cell, self.margin)
        name = self.tr("Strata of the population")
        self.stack(cells, name, columns, rows, self.tr("Add a stra&tum"), scenario)
        for box in (self.allocation, self.wanted):
            box.activated.connect(lambda _: self.choose())
        self.margin.changed.connect(self.changed)

    def found(self) -> PlannedStrata | None:
        """The plan; None where there is none."""
        return self._found

    def plan(self, scenario: Scenario[Any], confidence: float) -> PlanWords | str:
        """Returns what the strata come to, or why there is no plan."""
        self.fill(scenario)
        self.margin.say_again()
        self._found = None
        self.margin.say("")
        read = self._read(scenario.survey.people)
        if read is None:
            self._clear()
            return self.tr("There is no plan yet: see the cell that is marked.")
        strata, counts = read
        names = tuple(texts[0] for texts in self.model.texts())
        rule = str(self.allocation.currentData())
        try:
            plan = self._planned(scenario, confidence, strata, counts, rule)
        except ParameterError as error:
            self._clear()
            if self._margin_is_given():
                self.margin.say(str(error))
                return self.tr("There is no plan yet: see the field that is marked.")
            return str(error)
        self._found = PlannedStrata(
            names, strata, plan, rule, confidence, scenario.quantity.report_unit
        )
        for row, (n, margin) in enumerate(zip(plan.respondents, plan.margins, strict=True)):
            if rule != BY_HAND:
                self.model.set_text(row, self.at("people"), f"{n:,}")
            self.model.set_text(row, self.at("margin"), scenario.quantity.margin_words(margin))
        shown = zip(
            (*names, self.tr("All")), (*strata, None), (*plan.margins, plan.margin), strict=True
        )
        self.show_intervals([Interval(n, (s or plan).people.value, m) for n, s, m in shown])
        return strata_outcome(self._found, scenario)

    def _planned(
        self,
        scenario: Scenario[Any],
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

    def _read(self, like: People) -> tuple[tuple[Stratum, ...], tuple[int, ...]] | None:
        """The strata and the respondents that were typed; None where something is wrong."""
        rows = self.read(
            {"weight": read_positive, **({"people": read_count} if self._by_hand else {})}
        )
        if rows is None:
            return None
        total = sum(row["weight"] for row in rows)
        strata = tuple(
            Stratum(row["weight"] / total, self._quantity.people(like, row)) for row in rows
        )
        return strata, tuple(int(row.get("people", 0)) for row in rows)

    def _people_at_first(self, scenario: Scenario[Any]) -> Sequence[People]:
        people, design = scenario.survey.people, scenario.design
        return self._quantity.parts_at_first(people, design, (0.5, 1.0, 2.5), (0.5, 0.75, 1.0))

    @property
    def _by_hand(self) -> bool:
        return bool(self.allocation.currentData() == BY_HAND)

    def _margin_is_given(self) -> bool:
        return bool(self.wanted.currentData()) and not self._by_hand

    def _clear(self) -> None:
        self.clear(*(() if self._by_hand else ("people",)), "margin")

    def _new_row(self) -> tuple[str, ...]:
        name = self.tr("Stratum {number}").format(number=self.model.rowCount() + 1)
        return name, "20 %", *self.last_values, "100", ""

    def _arrange(self) -> None:
        self.model.set_typed(self.at("people"), self._by_hand)
        self._wanted_cell.setVisible(not self._by_hand)
        self.margin.setVisible(self._margin_is_given())

    # The unit may change while the page is open: the quantity in force reads and writes.
    def _read_margin(self, text: str) -> float:
        return self._quantity.read_value(text)

    def _margin_text(self, margin: float) -> str:
        return self._quantity.margin_text(margin)
