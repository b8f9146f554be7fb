"""What a number that is said discloses: its law under three true numbers, epsilon and delta."""

from __future__ import annotations

from math import isfinite
from typing import Literal

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.composition.strength import strength_of
from dpdesk.designs.number_design import NumberLoss
from dpdesk.gui.pages.simulate.design_words import ratio_words
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.survey_tabs import PlottedView
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import share_text, significant
from dpdesk.preview.survey import stepped_up
from dpdesk.preview.survey.report_law import ReportLaw, report_laws

_STYLES: tuple[Literal["solid", "dashed", "dotted"], ...] = ("solid", "dashed", "dotted")
_ROOM = 1.12
_HIGHEST = 5.0
"""How many times as high as the flattest law the picture is at most."""
_ROWS = 41


class NumberPrivacyView(PlottedView):
    """Sentences above the laws of what is said."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = PlainLabel("", "heading", wrap=True, parent=self)
        self.danger = PlainLabel("", "strong-danger", wrap=True, parent=self)
        self.legend = LegendRow(parent=self)
        self.plot = PlotCanvas(self.tr("What is said, by the true number"), parent=self)
        self.plot.setMinimumHeight(140)
        self._lines = [self.plot.line(number, style=style) for number, style in enumerate(_STYLES)]
        self._atoms = [self.plot.line(number) for number in range(len(_STYLES))]
        self._ranges: tuple[object, ...] = ()
        self.foot = PlainLabel("", "muted", wrap=True, parent=self)
        column = lay_column(spacing=8, margins=(4, 4, 4, 0), on=self)
        for widget in (self.sentence, self.danger, self.legend):
            column.addWidget(widget)
        column.addWidget(self.plot, 1)
        column.addWidget(self.foot)

    def show_scenario(self, scenario: MeanScenario) -> None:
        """Shows what the answers of a scenario's design disclose."""
        loss, laws = scenario.design.loss, report_laws(scenario.survey)
        finite = isfinite(loss.epsilon)
        self.sentence.setText(self._sentence(loss))
        self.danger.setText("" if finite else scenario.loss_words)
        self.danger.setVisible(not finite)
        words = (self.tr("least, {value}"), self.tr("mean, {value}"), self.tr("largest, {value}"))
        self.legend.set_entries(
            tuple(
                LegendEntry(
                    text.format(value=scenario.value_words(law.true)), number, _STYLES[number]
                )
                for number, (text, law) in enumerate(zip(words, laws, strict=True))
            )
        )
        self._draw(laws)
        unit = scenario.unit
        title = (
            self.tr("What is said ({unit})").format(unit=unit) if unit else self.tr("What is said")
        )
        self.plot.set_axis_titles(title, self.tr("Density, by the true number"))
        self.plot.set_description(f"{self.sentence.text()} {self.danger.text()}".strip())
        self.plot.set_table_source(lambda: self._table_of(laws))
        self.foot.setText(self._foot(scenario, laws))

    def _sentence(self, loss: NumberLoss) -> str:
        if isfinite(loss.epsilon):
            return self.tr(
                "Protection: {strength}. An answer is at most eᵋ = {ratio} times as likely with "
                "one true number between the bounds as with another."
            ).format(strength=strength_of(loss.epsilon), ratio=ratio_words(loss.epsilon))
        return self.tr("ε is infinite: there are answers that rule true numbers out.")

    def _draw(self, laws: tuple[ReportLaw, ...]) -> None:
        peaks = [float(law.density.max()) for law in laws if law.density.any()]
        top = 1.0
        if peaks:
            top = stepped_up(_ROOM * min(max(peaks), _HIGHEST * min(peaks)))
        for line, atom, law in zip(self._lines, self._atoms, laws, strict=True):
            line.setData(law.x, law.density)
            # A number that is said with a chance of its own stands as high as the picture.
            shown = ([law.true, law.true], [0.0, top]) if law.atom else ([], [])
            atom.setData(*shown)
        ranges = ((float(laws[0].x[0]), float(laws[0].x[-1])), (0.0, top))
        if ranges != self._ranges:
            self._ranges = ranges
            self.plot.set_ranges(*ranges)

    def _foot(self, scenario: MeanScenario, laws: tuple[ReportLaw, ...]) -> str:
        words = self.tr(
            "Where the curves are far apart, an answer tells much. Before any answer, the number "
            "of a respondent is believed to be {mean} with a standard deviation of {spread}."
        ).format(
            mean=scenario.value_words(scenario.survey.mean),
            spread=scenario.value_words(scenario.survey.deviation),
        )
        upright = [law for law in laws if law.atom]
        if not upright:
            return words
        least = min(upright, key=lambda law: law.atom)
        if len(upright) == 1:
            one = self.tr(" The upright line: {number} is said as it is, with chance {chance}.")
            if least.atom == 1:
                one = self.tr(" The upright line: {number} is always said as it is.")
            return words + one.format(
                number=scenario.value_words(least.true), chance=share_text(least.atom)
            )
        every = self.tr(" Upright lines: the true number itself is said, with chance {chance}")
        more = self.tr(" or more.") if any(law.atom > least.atom for law in upright) else "."
        return words + every.format(chance=share_text(least.atom)) + more

    def _table_of(self, laws: tuple[ReportLaw, ...]) -> PlotTable:
        heads = (
            QCoreApplication.translate("NumberPrivacyView", "Said"),
            *(
                QCoreApplication.translate("NumberPrivacyView", "Density at {value}").format(
                    value=significant(law.true, 4)
                )
                for law in laws
            ),
        )
        x = np.linspace(float(laws[0].x[0]), float(laws[0].x[-1]), _ROWS)
        columns = [np.interp(x, law.x, law.density) for law in laws]
        return PlotTable(
            heads,
            tuple(
                (significant(value, 4), *(significant(float(column[i]), 3) for column in columns))
                for i, value in enumerate(x.tolist())
            ),
        )
