"""What a release tells of several columns: heat maps, intervals, a verdict, files to save."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from math import inf, isfinite
from pathlib import Path
from statistics import median

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from dpdesk.data.write_file import write_file
from dpdesk.engine.tables_and_models import Answer, ModelAnswer, TableAnswer, TestAnswer
from dpdesk.errors import DpdeskError, escape_controls
from dpdesk.estimation.independence import DependentCell
from dpdesk.estimation.joint import JointCell, JointEstimates
from dpdesk.estimation.regression import METHODS
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.release.cross_table import CrossCell, CrossRow, TwoTables
from dpdesk.gui.pages.release.interval_lines import BETWEEN, Line, LinesTable
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.verdict_words import verdict_word
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.severity_mark import MarkedLine
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.numbers import p_value_words
from dpdesk.numbers.digits import significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.reports.number_text import (
    half_width_text,
    interval_text,
    number_text,
    quantity_text,
)

_Z = normal_quantile(0.95)
_SIGNS = {"useful": "success", "coarse": "warning", "useless": "error"}
_TABLE, _INTERVALS = range(2)
NOTHING = "–"


class TablesResults(QWidget):
    """The answer to a question: what it is, what it is worth, its numbers, and files to save.

    Attributes:
        noticeRaised: Emitted with a severity and a sentence about a file that was saved or not.
    """

    noticeRaised = Signal(str, str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: Answer | None = None
        self._table: JointEstimates | None = None
        self._cells: tuple[JointCell, ...] = ()
        self._error = 0.0
        self._tell: Callable[[int], str] = lambda _: ""
        self.heading = PlainLabel("", "heading", wrap=True, parent=self)
        self.facts = PlainLabel("", "muted", wrap=True, parent=self)
        self.worth = MarkedLine("info", parent=self)
        self.tabs = UnderlineTabs((self.tr("Table"), self.tr("Intervals")), parent=self)
        self.tabs.setAccessibleName(self.tr("Table or intervals"))
        self.tables = TwoTables(parent=self)
        self.lines = LinesTable(parent=self)
        self.cell = PlainLabel("", "", wrap=True, parent=self)
        self.cell.setAccessibleName(self.tr("The chosen cell"))
        self._stack = QStackedWidget(self)
        page = QWidget(self)
        lay_column((self.tables, 1), self.cell, spacing=6, on=page)
        for part in (page, self.lines):
            self._stack.addWidget(part)
        self.copy = self._button(self.tr("Cop&y"), "content-copy")
        self.copy.setToolTip(self.tr("Puts the numbers on the clipboard, as the CSV file has them"))
        self.save_csv = self._button(self.tr("Save CS&V…"), "content-save")
        self.save_json = self._button(self.tr("Save &JSON…"), "content-save")
        buttons = lay_row(STRETCH, self.copy, self.save_csv, self.save_json, spacing=8)
        lay_column(
            lay_row((self.heading, 1), self.tabs, spacing=8),
            self.facts,
            self.worth,
            (self._stack, 1),
            buttons,
            spacing=6,
            on=self,
        )
        self.tabs.currentChanged.connect(self._show_tab)
        self.tables.cellChosen.connect(self._show_cell)
        self.copy.clicked.connect(self.copy_csv)
        self.save_csv.clicked.connect(self.ask_csv)
        self.save_json.clicked.connect(self.ask_json)

    def answer(self) -> Answer | None:
        """What is shown."""
        return self._answer

    def show_answer(self, answer: Answer) -> None:
        """Shows an answer."""
        self._answer = answer
        worth = answer.worth
        sentence, sign = "", "info"
        if worth is not None:
            word = verdict_word(worth.verdict).capitalize()
            sentence, sign = f"{word}. {worth.reason}", _SIGNS[worth.verdict]
        self.worth.show_sentence(sentence, sign)
        self._show(answer)
        self.facts.setVisible(bool(self.facts.text()))

    def json(self) -> str:
        """The answer as the command line prints it as JSON."""
        assert self._answer is not None  # noqa: S101 - the buttons are shown with an answer
        content = self._answer.content()
        return escape_controls(json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False))

    def copy_csv(self) -> None:
        """Puts the answer on the clipboard, as CSV."""
        if self._answer is not None:
            QGuiApplication.clipboard().setText(self._answer.csv())
            self.noticeRaised.emit("info", self.tr("The numbers were copied."))

    def ask_csv(self) -> None:
        """Asks for a file and writes the answer as CSV."""
        kinds = self.tr("Tables (*.csv)")
        path = asked_path(self, self.tr("Save the estimates"), "estimates.csv", kinds, (".csv",))
        if path is not None:
            self.save(path)

    def ask_json(self) -> None:
        """Asks for a file and writes the answer as JSON."""
        kinds = self.tr("JSON (*.json)")
        path = asked_path(self, self.tr("Save the estimates"), "estimates.json", kinds, (".json",))
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Writes the answer as JSON, or as CSV, as the path ends, and tells of it."""
        if self._answer is None:
            return
        try:
            if path.suffix.lower() == ".json":
                write_file(path, f"{self.json()}\n")
            else:
                self._answer.write_csv(path)
        except DpdeskError as error:
            self.noticeRaised.emit("error", str(error))
            return
        self.noticeRaised.emit("success", self.tr("Saved as {name}.").format(name=path.name))

    @singledispatchmethod
    def _show(self, answer: Answer) -> None:
        """Shows the numbers of an answer, each kind in its own way."""
        raise NotImplementedError

    @_show.register
    def _(self, answer: TableAnswer) -> None:
        found = self._table = answer.found
        share, unit = found.quantity == "share", found.unit
        self._cells = tuple(found.cells())
        # The same number of digits in all cells, so that they can be compared: those of a typical
        # one, since a single small group would round all others away.
        halves = [(cell.upper - cell.lower) / 2 for cell in self._cells if isfinite(cell.value)]
        told_halves = [one for one in halves if isfinite(one)]
        self._error = median(told_halves) if told_halves else 0.0
        title = QCoreApplication.translate("Estimates", found.title)
        groups = ", ".join(group.name for group in found.groups)
        self.heading.setText(title.format(groups=groups, column=found.columns.name))
        self._show_lines_of(found)
        told = [self._records(found.records)]
        if self.lines.lines.goes_on:
            told.append(self.tr("◂ ▸: the interval goes on: few respondents for this noise"))
        if any(not isfinite(cell.value) for cell in self._cells):
            told.append(
                self.tr("–: the reports do not show how many respondents are in this group, if any")
            )
        self.facts.setText(" · ".join(told))
        listed = [*found.groups, *([found.columns.categories()] if share else [])]
        *down, last = listed
        across = [_word(label) for label in last.labels] if down else [self.tr("Mean")]
        names = [one.name for one in (down or listed)]
        corner = BETWEEN.join(names) + (f" \\ {last.name}" if down else "")
        width = len(across)

        def rows(values: Sequence[float | None]) -> list[CrossRow]:
            built = []
            for start in range(0, len(self._cells), width):
                cells = self._cells[start : start + width]
                labels = cells[0].labels[:-1] if down else cells[0].labels
                shown = tuple(
                    self._cross_cell(cell, values[start + i], share, unit)
                    for i, cell in enumerate(cells)
                )
                built.append(CrossRow(BETWEEN.join(map(_word, labels)), shown))
            return built

        possible = [
            (name, meaning, rows([getattr(cell, key) for cell in self._cells]))
            for key, name, meaning in self._kinds(found)
        ]
        unbiased = rows([cell.value for cell in self._cells])
        self._tell = lambda place: self._tell_cell(found, self._cells[place])
        self.tables.show_tables(self.tr("Unbiased"), corner, tuple(across), unbiased, possible)
        self.tabs.setVisible(True)
        # A single column of means says more as dots on an axis.
        self.tabs.setCurrentIndex(_TABLE if len(listed) > 1 else _INTERVALS)
        self._show_tab(self.tabs.currentIndex())

    def _kinds(self, found: JointEstimates) -> list[tuple[str, str, str]]:
        """Attribute, name and meaning of each possible table that there is."""
        kinds = []
        if found.possible is not None:
            meaning = self.tr(
                "The table nearest to the unbiased one without negative shares: biased"
            )
            kinds.append(("possible", self.tr("Possible"), meaning))
        if found.most_likely is not None:
            meaning = self.tr("The table under which the reports are likeliest: biased")
            kinds.append(("most_likely", self.tr("Most likely"), meaning))
        return kinds

    def _cross_cell(
        self, cell: JointCell, value: float | None, share: bool, unit: str
    ) -> CrossCell | None:
        if value is None or not isfinite(value):
            return CrossCell(NOTHING, float("nan"))
        told: tuple[str, ...] = ()
        if isfinite(cell.lower) and isfinite(cell.upper):
            ends = interval_text(cell.lower, cell.upper, self._error, unit, share=share)
            told = (self.tr("95 % interval {ends}").format(ends=ends),)
        text = quantity_text(value, self._error, unit, share=share)
        return CrossCell(text, value, told)

    def _show_lines_of(self, found: JointEstimates) -> None:
        share, unit, kinds = found.quantity == "share", found.unit, self._kinds(found)
        # An interval that is longer on one side is said by its ends alone.
        has_errors = any(isfinite(cell.half_width) for cell in self._cells)
        heads = [
            (BETWEEN.join(found.names), self.tr("The answers")),
            (
                self.tr("Estimate"),
                self.tr("The unbiased estimate as it is; a negative share is information"),
            ),
            (self.tr("95 % interval"), self.tr("95 % interval from noise and sampling")),
            *((name, meaning) for _, name, meaning in kinds),
            (
                self.tr("95 % error"),
                self.tr("Half the 95 % interval, where the estimate lies in its middle"),
            ),
        ]
        lines = []
        for place, cell in enumerate(self._cells):
            texts = [NOTHING, NOTHING, *(NOTHING for _ in kinds), NOTHING]
            if isfinite(cell.value) and isfinite(cell.standard_error):
                values = [getattr(cell, key) for key, *_ in kinds]
                half = cell.half_width
                texts = [
                    quantity_text(cell.value, self._error, unit, share=share),
                    interval_text(cell.lower, cell.upper, self._error, unit, share=share),
                    *(quantity_text(value, self._error, unit, share=share) for value in values),
                    f"± {half_width_text(half, unit, share=share)}" if isfinite(half) else "",
                ]
            inside = cell.value if cell.possible is None else cell.possible
            names, note = tuple(map(_word, cell.labels)), self._of_few(found, place)
            if not has_errors:
                texts.pop()
            ends = (cell.value, inside, cell.lower, cell.upper)
            lines.append(Line(names, tuple(texts), *ends, note))
        if not has_errors:
            heads.pop()
        self.lines.lines.show_lines(heads, lines, share=share, possible=_possible_range(found))

    def _of_few(self, found: JointEstimates, place: int) -> str:
        """How many respondents the reports show in the group of a cell; empty for a whole table."""
        if found.in_group is None or found.in_group_error is None:
            return ""
        group = place // found.value.shape[1]
        error = _Z * float(found.in_group_error[group])
        count = round(float(found.in_group[group]))
        if not error >= 0.5:
            return counted(count, self.tr("1 respondent"), self.tr("{count} respondents"))
        words = self.tr("{count} ± {error} people")
        return words.format(count=number_text(count, 0), error=significant(error, 2))

    @_show.register
    def _(self, answer: ModelAnswer) -> None:
        found, self._table = answer.found, None
        kinds = {
            "linear": self.tr("Linear regression of {outcome}"),
            "logistic": self.tr("Logistic regression of {outcome}"),
            "multinomial": self.tr("Multinomial regression of {outcome}"),
        }
        self.heading.setText(kinds[found.model].format(outcome=found.outcome))
        method = QCoreApplication.translate("Estimates", METHODS[found.method])
        told = [
            answer.formula,
            self._records(found.records),
            self.tr("by {method}").format(method=method),
        ]
        if found.categories:
            first, *others = found.categories
            odds = self.tr("log odds of {others} against {first}")
            told.append(odds.format(others=", ".join(map(_word, others)), first=_word(first)))
        self.facts.setText(" · ".join(told))
        heads = (
            (self.tr("Term"), self.tr("A column, or an answer against the first one")),
            (self.tr("Slope"), self.tr("The estimate, corrected for the noise")),
            *([(self.tr("Unit"), self.tr("What the slope counts"))] if any(found.units) else []),
            (self.tr("95 % interval"), self.tr("95 % interval from noise and sampling")),
            (self.tr("p"), self.tr("Chance of a slope as far from 0, if it is 0")),
            (self.tr("95 % error"), self.tr("95 % error from noise and sampling")),
        )
        lines = []
        for place, (row, unit) in enumerate(zip(found.rows(), found.units, strict=True)):
            error = (row.upper - row.lower) / 2
            texts = (
                quantity_text(row.value, error, "", share=False),
                *((unit,) if any(found.units) else ()),
                interval_text(row.lower, row.upper, error, "", share=False),
                p_value_words(row.p_value).removeprefix("p ").removeprefix("= "),
                f"± {half_width_text(error, '', share=False)}",
            )
            ends = (row.value, row.value, row.lower, row.upper)
            # No slope, and often far from all of them.
            is_level = place in found.intercepts
            lines.append(Line((row.name,), texts, *ends, is_beside=is_level))
        self.lines.lines.show_lines(heads, lines, share=False)
        if self.lines.lines.goes_on:
            told.append(self.tr("◂ ▸: the intercept lies beyond the axis"))
            self.facts.setText(BETWEEN.join(told))
        self.tabs.setVisible(False)
        self._stack.setCurrentIndex(_INTERVALS)

    @_show.register
    def _(self, answer: TestAnswer) -> None:
        self._table = None
        asked = self.tr("Are {first} and {second} independent?")
        first, second = answer.columns
        self.heading.setText(asked.format(first=first, second=second))
        told = [self._records(answer.records)]
        if answer.estimates is not None:
            told.append(answer.estimates.sentence)
        self.facts.setText(" · ".join(told))
        self.worth.show_sentence(answer.verdict, "info")
        found = answer.found
        cells, width = tuple(found.cells()), len(found.second.labels)
        size = max(float(np.abs(found.observed - found.expected).max()) / 10, 0.001)

        def rows(cell_of: Callable[[DependentCell], CrossCell]) -> list[CrossRow]:
            return [
                CrossRow(_word(label), tuple(map(cell_of, cells[place * width :][:width])))
                for place, label in enumerate(found.first.labels)
            ]

        def share(value: float) -> CrossCell:
            return CrossCell(quantity_text(value, size, "", share=True), value)

        def residual(value: float) -> CrossCell:
            text = number_text(value, 1) if isfinite(value) else NOTHING
            return CrossCell(text, value, is_difference=True)

        beside = [
            (
                self.tr("Residuals"),
                self.tr("Observed less expected, in standard errors of noise and chance"),
                rows(lambda cell: residual(cell.residual)),
            ),
            (
                self.tr("Expected"),
                self.tr("The shares if both were independent"),
                rows(lambda cell: share(cell.expected)),
            ),
        ]
        across = tuple(map(_word, found.second.labels))
        observed = rows(lambda cell: share(cell.observed))
        self._tell = lambda place: self._tell_dependent(answer, cells[place])
        self.tables.show_tables(
            self.tr("Observed, unbiased"), f"{first} \\ {second}", across, observed, beside
        )
        self.tabs.setVisible(False)
        self._stack.setCurrentIndex(_TABLE)

    def _tell_dependent(self, answer: TestAnswer, cell: DependentCell) -> str:
        """Tells all of a pair of answers."""
        names = ", ".join(
            f"{name}: {_word(label)}"
            for name, label in zip(answer.columns, cell.labels, strict=True)
        )
        shares = (100 * one for one in (cell.observed, cell.expected))
        observed, expected = (number_text(one, 2) for one in shares)
        words = self.tr("{names}: {observed} %, {expected} % if independent, residual {residual}")
        return words.format(
            names=names,
            observed=observed,
            expected=expected,
            residual=number_text(cell.residual, 1) if isfinite(cell.residual) else NOTHING,
        )

    def _records(self, count: int) -> str:
        return counted(count, self.tr("1 record"), self.tr("{count} records"))

    def _show_tab(self, index: int) -> None:
        if self._table is not None:
            self._stack.setCurrentIndex(index)

    def _show_cell(self, row: int, column: int) -> None:
        """Tells all of the chosen cell."""
        width = max(len(self.tables.unbiased.cross.heads) - 1, 1)
        self.cell.setText(self._tell(row * width + column))

    def _tell_cell(self, found: JointEstimates, cell: JointCell) -> str:
        """Tells all of a cell of a table."""
        share, unit = found.quantity == "share", found.unit
        names = ", ".join(
            f"{name}: {_word(label)}" for name, label in zip(found.names, cell.labels, strict=True)
        )
        if not isfinite(cell.value):
            return self.tr("{names}: the reports do not tell.").format(names=names)
        error = (cell.upper - cell.lower) / 2
        told = [
            self.tr("{names}: {value}, 95 % interval {ends}").format(
                names=names,
                value=quantity_text(cell.value, error, unit, share=share),
                ends=interval_text(cell.lower, cell.upper, error, unit, share=share),
            )
        ]
        if isfinite(cell.noise_error) and cell.noise_error:
            noise = half_width_text(_Z * cell.noise_error, unit, share=share)
            told.append(self.tr("noise alone ± {noise}").format(noise=noise))
        for key, name, _ in self._kinds(found):
            value = quantity_text(getattr(cell, key), error, unit, share=share)
            told.append(f"{name.lower()} {value}")
        return " · ".join(told)

    def _button(self, text: str, icon: str) -> QPushButton:
        button = QPushButton(text, self)
        IconBond(button, icon, "text")
        return button


def _possible_range(found: JointEstimates) -> tuple[float, float]:
    """The least and the largest number that an estimate of a table can truly be."""
    if found.quantity == "share":
        return 0.0, 1.0
    domain = found.columns.column.domain
    if domain is None or not domain.holds_numbers:
        return -inf, inf
    return domain.origin, domain.origin + domain.span


def _word(label: str) -> str:
    """An answer in words; that of an empty cell."""
    return label or QCoreApplication.translate("Estimates", "(empty)")
