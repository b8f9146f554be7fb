"""One question: what is wanted, and the curve of the error against n."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.designs.planning import FieldError, Goal, Wanted
from dpdesk.gui.pages.simulate.planning.cell import Cell, NumberCell
from dpdesk.gui.pages.simulate.planning.curves import CurvePanel, curves_of
from dpdesk.gui.pages.simulate.planning.words import PlanWords, found, tr
from dpdesk.gui.pages.simulate.scales import (
    Quantity,
    number_in,
    odds_text,
    plain_text,
    read_any_share,
    read_coefficient,
    read_count,
    read_open_share,
    respondents_text,
)
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.numbers.digits import percent_text

_ABREAST = 6
"""Fields beside each other, the goal counted twice."""
_BETWEEN = 6


class GoalPane(QWidget):
    """A choice of what to find, with the fields that it needs.

    Args:
        scenario: What is supposed at first; its kind says what can be found.

    Attributes:
        changed: Emitted when something else is wanted.
        goal: The choice of what is to be found.
        cells: The fields by their names in `Wanted`.
    """

    changed = Signal()

    def __init__(self, scenario: Scenario[Any], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quantity: Quantity = scenario.quantity
        self.goal = ChoiceBox(self.tr("What is to be found"), parent=self)
        for goal in scenario.goals:
            self.goal.addItem(tr(goal.title), goal.name)
        self.sides = ChoiceBox(self.tr("Sides of the test"), parent=self)
        self.sides.addItem(self.tr("one-sided"), False)
        self.sides.addItem(self.tr("two-sided"), True)
        noun = tr(self._quantity.noun)
        told_from = self.tr("What the {what} is told from").format(what=noun)
        self.second = ChoiceBox(told_from, parent=self)
        self.second.addItem(self.tr("a fixed {what}").format(what=noun), "")
        self.second.addItem(self.tr("group 2, device"), "device")
        self.second.addItem(self.tr("group 2, direct"), "direct")
        self._denying = scenario.denying
        self.cells = self._make_cells()
        self._curves: CurvePanel | None = None
        self._has_plan = False
        self._goal_cell = Cell(self.tr("Fin&d"), self.goal, parent=self)
        self.goal.setWhatsThis(
            self.tr("What is wanted: the number of people, the error, or the epsilon.")
        )
        self._choices = {
            "two_sided": Cell(self.tr("&Test"), self.sides, parent=self),
            "second": Cell(
                self.tr("The {what} &of").format(what=noun),
                self.second,
                self.tr("A second group has as many respondents, and is independent of the first"),
                parent=self,
            ),
        }
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(_BETWEEN)
        self._grid.setVerticalSpacing(6)
        self._arranged: Goal | None = None
        self._column = lay_column(self._grid, spacing=8, on=self)
        self.goal.activated.connect(lambda _: self._choose())
        for box in (self.sides, self.second):
            box.activated.connect(lambda _: self.changed.emit())
        for cell in self.cells.values():
            cell.changed.connect(self.changed)
        self._arrange()

    @property
    def curves(self) -> CurvePanel:
        """The picture; made when a plan is first looked at, so that the page opens sooner."""
        if self._curves is None:
            self._curves = CurvePanel(parent=self)
            self._column.addWidget(self._curves, 1)
        return self._curves

    def wanted(self) -> Wanted:
        """What is wanted now."""
        return Wanted(
            goal=Goal[self.goal.currentData()],
            margin=self.cells["margin"].number(),
            against=self.cells["against"].number(),
            power=self.cells["power"].number(),
            alpha=self.cells["alpha"].number(),
            two_sided=bool(self.sides.currentData()),
            second=self.second.currentData() or "",
            belief=self.cells["belief"].number(),
            odds=self.cells["odds"].number(),
            denial=self.cells["denial"].value(),
        )

    def found(self, scenario: Scenario[Any], confidence: float) -> PlanWords:
        """Returns what the wishes come to.

        Raises:
            FieldError: A number is impossible; it names the field.
        """
        population = self.cells["population"].value()
        sample = replace(
            scenario.survey.sample,
            confidence=confidence,
            population=None if population is None else int(population),
            weights_cv=self.cells["weights_cv"].value() or 0.0,
        )
        return found(scenario, self.wanted(), sample)

    def plan(self, scenario: Scenario[Any], confidence: float) -> PlanWords | str:
        """Returns what the wishes come to, or why nothing does."""
        self._quantity = scenario.quantity
        for cell in self.cells.values():
            cell.say("")
            cell.say_again()
        # A plan that cannot be leaves its place empty, not the picture of another one.
        self._show_curves(None)
        try:
            plan = self.found(scenario, confidence)
        except FieldError as error:
            if error.field:
                self.cells[error.field].say(str(error))
                return self.tr("There is no plan yet: see the field that is marked.")
            return str(error)
        self._show_curves(plan)
        return plan

    def _show_curves(self, plan: PlanWords | None) -> None:
        if plan is not None and plan.sample is not None:
            curves = curves_of(self.wanted(), plan.sample, self._quantity)
            self.curves.show_curves(curves, plan.curve)
        self._has_plan = plan is not None
        self._dress_curves()

    def _dress_curves(self) -> None:
        for part in (self.curves.legend, self.curves.plot):
            part.setVisible(self._has_plan)

    def _choose(self) -> None:
        self._arrange()
        self.changed.emit()

    def _arrange(self) -> None:
        """Shows the fields that the goal needs; what stands in the others is kept."""
        goal = Goal[self.goal.currentData()]
        shown: list[Cell] = [self._choices.get(name) or self.cells[name] for name in goal.fields]
        if goal == self._arranged:
            return
        self._arranged = goal
        cells: tuple[Cell, ...] = (*self.cells.values(), *self._choices.values())
        for cell in cells:
            self._grid.removeWidget(cell)
            cell.setVisible(cell in shown)
        for place in range(_ABREAST):
            # What is found takes two places, each half as wide as a number's.
            self._grid.setColumnStretch(place, 1 if place < 2 else 2)
        self._grid.addWidget(self._goal_cell, 0, 0, 1, 2)
        before: QWidget = self.goal
        for place, cell in enumerate(shown, start=2):
            self._grid.addWidget(cell, place // _ABREAST, place % _ABREAST)
            # Tab goes the way that one reads.
            QWidget.setTabOrder(before, cell.control)
            before = cell.control

    def _make_cells(self) -> dict[str, NumberCell]:
        any_size, none = self.tr("any size"), self.tr("none")
        return {
            "margin": NumberCell(
                self.tr("&Margin"),
                self._quantity.margin,
                self._read_value,
                self._margin_text,
                self.tr("Half-width of the interval, in {unit}").format(
                    unit=self.tr("percentage points")
                    if self._quantity.report_unit is None
                    else self.tr("the unit of the answers")
                ),
                parent=self,
            ),
            "population": NumberCell(
                self.tr("&Population"),
                None,
                read_count,
                respondents_text,
                self.tr("Number of people that a simple random sample is drawn from"),
                none=any_size,
                parent=self,
            ),
            "weights_cv": NumberCell(
                self.tr("Wei&ghts vary"),
                None,
                read_coefficient,
                plain_text,
                self.tr("Standard deviation of the respondents' weights over their mean"),
                none=self.tr("0: all alike"),
                parent=self,
            ),
            "against": NumberCell(
                self.tr("Tell it fro&m"),
                self._quantity.against,
                self._read_value,
                self._value_text,
                self.tr("That of the null hypothesis; the true one is that of Explore"),
                parent=self,
            ),
            "power": NumberCell(
                self.tr("Po&wer"),
                0.8,
                read_any_share,
                percent_text,
                self.tr("Chance to find that it is not that one"),
                parent=self,
            ),
            "alpha": NumberCell(
                self.tr("&Level α"),
                0.05,
                read_any_share,
                percent_text,
                self.tr("Chance of a false alarm where it is that one"),
                parent=self,
            ),
            "belief": NumberCell(
                self.tr("Highest &belief"),
                0.5,
                read_any_share,
                percent_text,
                self.tr("The most that may be believed of anybody after an answer"),
                parent=self,
            ),
            "odds": NumberCell(
                self.tr("Factor of the &odds"),
                3.0,
                lambda text: number_in(text, "3"),
                odds_text,
                self.tr("The most that an answer may multiply the odds of a true answer by"),
                parent=self,
            ),
            "denial": NumberCell(
                self.tr("Denie&rs"),
                None,
                read_open_share,
                percent_text,
                tr(self._denying),
                none=none,
                parent=self,
            ),
        }

    # The unit may change while the page is open: the quantity in force reads and writes.
    def _read_value(self, text: str) -> float:
        return self._quantity.read_value(text)

    def _value_text(self, value: float) -> str:
        return self._quantity.value_text(value)

    def _margin_text(self, margin: float) -> str:
        return self._quantity.margin_text(margin)
