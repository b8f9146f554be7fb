"""The instruction sheet and the planning memo: looked at, then printed or saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from dpdesk.designs.devices import SCREEN, DeviceChoice
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.paper import PaperDialog
from dpdesk.gui.widgets.boxes import STRETCH, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.report.survey import (
    PlanningMemo,
    memo_html,
    question_notes,
    sheet_html,
    sheet_parts,
)

SHEET, MEMO = range(2)
_LONGEST = 500


class PapersDialog(PaperDialog):
    """Shows both papers of a scenario and saves them.

    Args:
        scenario: The supposed survey.
        parent: The window it belongs to.
        planned: Adds what was planned of the sample to the memo.
    """

    def __init__(
        self,
        scenario: Scenario[Any],
        parent: QWidget | None = None,
        *,
        planned: Callable[[Any], PlanningMemo] = lambda memo: memo,
    ) -> None:
        super().__init__(parent)
        self._scenario, self._planned = scenario, planned
        self.setWindowTitle(self.tr("Papers of the survey"))
        titles = (self.tr("Instruction sheet"), self.tr("Planning memo"))
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Papers of the survey"))
        self.fields = self._make_fields()
        self.notes = PlainLabel("", "muted", wrap=True, parent=self)
        self.screens = QCheckBox(self.tr("Exact chances, for a survey on &screens"), self)
        self.screens.setToolTip(
            self.tr(
                "A program on a screen draws, by a rule for web forms and spreadsheets that the "
                "sheet ends with"
            )
        )
        self.screens.setVisible(self._offers_screen())
        self.screens.toggled.connect(lambda _: self.show_paper())
        self.tabs.currentChanged.connect(lambda _: self.show_paper())
        self._lay_out()
        self.show_paper()

    def others(self) -> tuple[str, ...]:
        """The innocent questions as they were typed."""
        return tuple(field.text() for field in self.fields)

    def _make_fields(self) -> tuple[QLineEdit, ...]:
        fields = []
        for blank in self._scenario.design.blanks:
            field = QLineEdit(self)
            limit_length(field, _LONGEST)
            field.setPlaceholderText(blank.proposal or self.tr("left open, to be filled in"))
            field.setAccessibleName(blank.meaning)
            field.textChanged.connect(lambda _: self.show_paper())
            fields.append(field)
        return tuple(fields)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(4)
        for blank, field in zip(self._scenario.design.blanks, self.fields, strict=True):
            form.addRow(PlainLabel(blank.meaning, "muted", parent=self), field)
        self.above.setSpacing(8)
        self.above.addLayout(lay_row(self.tabs, STRETCH))
        self.above.addLayout(form)
        self.above.addWidget(self.notes)
        self.above.addWidget(self.screens)

    def show_paper(self) -> None:
        super().show_paper()
        scenario = self._scenario
        told: tuple[str, ...] = ()
        if not self.words.text():
            words = scenario.sheet_words(self.others())
            parts = sheet_parts(scenario.design, scenario.question, words, self._choice())
            told = question_notes(parts)
        self.notes.setText("\n".join(told))
        self.notes.setVisible(bool(told))

    def page(self, *, paper: bool = False) -> str:
        scenario = self._scenario
        if self.tabs.currentIndex() == SHEET:
            words = scenario.sheet_words(self.others())
            return sheet_html(
                scenario.design, scenario.question, words, paper=paper, choice=self._choice()
            )
        memo = replace(self._planned(scenario.memo(self.others())), choice=self._choice())
        return memo_html(memo, paper=paper)

    def _choice(self) -> DeviceChoice:
        """The device of the survey, or a screen if that is asked for."""
        return DeviceChoice(SCREEN) if self.screens.isChecked() else self._scenario.choice

    def _offers_screen(self) -> bool:
        """Whether a screen could draw in place of the respondent, and is not chosen already."""
        design, chosen = self._scenario.design, self._scenario.chosen_device
        return not design.no_device and chosen is not SCREEN

    def title(self) -> str:
        return str(self.tabs.tabText(self.tabs.currentIndex()))

    def stem(self) -> str:
        return "instruction-sheet" if self.tabs.currentIndex() == SHEET else "planning-memo"
