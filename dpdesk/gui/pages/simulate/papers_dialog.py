"""The instruction sheet and the planning memo: looked at, then printed or saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from dpdesk.data.write_file import write_file
from dpdesk.designs.instructions import Blank
from dpdesk.errors import DpdeskError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.pdf import save_pdf
from dpdesk.gui.pages.simulate.scenario import MeanScenario, Scenario, ShareScenario, SharesScenario
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme.tokens import load_theme
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.report.survey import MeanMemo, ShareMemo, SharesMemo, memo_html, sheet_html

SHEET, MEMO = range(2)
_LONGEST = 500


class PapersDialog(QDialog):
    """Shows both papers of a scenario and saves them.

    Args:
        scenario: The supposed survey.
        parent: The window it belongs to.
        planned: Adds what was planned of the sample to the memo.
    """

    def __init__(
        self,
        scenario: Scenario,
        parent: QWidget | None = None,
        *,
        planned: Callable[[ShareMemo], ShareMemo] = lambda request: request,
    ) -> None:
        super().__init__(parent)
        self._scenario, self._planned = scenario, planned
        self.setWindowTitle(self.tr("Papers of the survey"))
        self.resize(760, 720)
        titles = (self.tr("Instruction sheet"), self.tr("Planning memo"))
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Papers of the survey"))
        self.fields = self._make_fields()
        self.preview = QTextBrowser(self)
        self.preview.setAccessibleName(self.tr("The paper as it will be printed"))
        self.preview.setOpenLinks(False)
        # Paper is white in every theme.
        light = load_theme("light")
        self.preview.setStyleSheet(f"background: {light.surface}; color: {light.text}")
        self.words = PlainLabel("", "danger", wrap=True, parent=self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.html = buttons.addButton(self.tr("Save as &HTML…"), role)
        self.pdf = buttons.addButton(self.tr("Save as &PDF…"), role)
        self.printing = buttons.addButton(self.tr("P&rint…"), role)
        IconBond(self.html, "content-save", "text")
        IconBond(self.pdf, "content-save", "text")
        IconBond(self.printing, "printer", "text")
        buttons.rejected.connect(self.reject)
        self.html.clicked.connect(self.save_html)
        self.pdf.clicked.connect(self.save_pdf)
        self.printing.clicked.connect(self.print_paper)
        self.tabs.currentChanged.connect(lambda _: self._show())
        self._lay_out(buttons)
        self._show()
        self.preview.setFocus()

    def others(self) -> tuple[str, ...]:
        """The innocent questions as they were typed."""
        return tuple(field.text() for field in self.fields)

    def save_html(self) -> None:
        """Asks for a file and writes the paper as a page for browsers."""
        self._save("html", self.tr("Pages (*.html)"), lambda path: write_file(path, self._page()))

    def save_pdf(self) -> None:
        """Asks for a file and writes the paper as PDF."""
        self._save(
            "pdf",
            self.tr("PDF (*.pdf)"),
            lambda path: save_pdf(self._page(paper=True), self._title(), path),
        )

    def _blanks(self) -> tuple[Blank, ...]:
        """What the design leaves to be filled in; the words of answers stand on the page."""
        return self._scenario.design.blanks if isinstance(self._scenario, ShareScenario) else ()

    def print_paper(self) -> None:
        """Asks for a printer and prints the paper."""
        # The libraries of printing are loaded when somebody prints.
        from dpdesk.gui.pages.simulate.printing import print_page

        try:
            print_page(self._page(paper=True), self._title(), self)
        except DpdeskError as error:
            self._say(str(error))
        else:
            self._say("")

    def _make_fields(self) -> tuple[QLineEdit, ...]:
        fields = []
        for blank in self._blanks():
            field = QLineEdit(self)
            field.setMaxLength(_LONGEST)
            field.setPlaceholderText(blank.proposal or self.tr("left open, to be filled in"))
            field.setAccessibleName(blank.meaning)
            field.textChanged.connect(lambda _: self._show())
            fields.append(field)
        return tuple(fields)

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(4)
        for blank, field in zip(self._blanks(), self.fields, strict=True):
            form.addRow(PlainLabel(blank.meaning, "muted", parent=self), field)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self.tabs)
        head.addStretch(1)
        column.addLayout(head)
        column.addLayout(form)
        column.addWidget(self.preview, 1)
        column.addWidget(self.words)
        column.addWidget(buttons)
        self.words.hide()

    def _page(self, *, paper: bool = False) -> str:
        scenario = self._scenario
        if self.tabs.currentIndex() == SHEET:
            names = scenario.names if isinstance(scenario, SharesScenario) else self.others()
            return sheet_html(scenario.design, scenario.question, names, paper=paper)
        if isinstance(scenario, SharesScenario):
            shares = SharesMemo(
                scenario.question,
                scenario.design,
                scenario.names,
                scenario.shares,
                scenario.respondents,
            )
            return memo_html(shares, paper=paper)
        if isinstance(scenario, MeanScenario):
            mean = MeanMemo(
                scenario.question,
                scenario.design,
                scenario.mean,
                scenario.deviation,
                scenario.respondents,
                scenario.unit,
            )
            return memo_html(mean, paper=paper)
        assert isinstance(scenario, ShareScenario)  # noqa: S101 - the kind that is left
        request = ShareMemo(
            question=scenario.question,
            design=scenario.design,
            prevalence=scenario.prevalence,
            respondents=scenario.respondents,
            others=self.others(),
        )
        return memo_html(self._planned(request), paper=paper)

    def _title(self) -> str:
        return str(self.tabs.tabText(self.tabs.currentIndex()))

    def _show(self) -> None:
        bar = self.preview.verticalScrollBar()
        place = bar.value()
        try:
            self.preview.setHtml(self._page(paper=True))
        except DpdeskError as error:
            self.preview.clear()
            self._say(str(error))
        else:
            self.preview.document().setDocumentMargin(24)
            bar.setValue(place)
            self._say("")
        for button in (self.html, self.pdf, self.printing):
            button.setEnabled(not self.words.text())

    def _save(self, ending: str, kinds: str, write: Callable[[Path], None]) -> None:
        stem = "instruction-sheet" if self.tabs.currentIndex() == SHEET else "planning-memo"
        path = asked_path(self, self._title(), f"{stem}.{ending}", kinds, (f".{ending}",))
        if path is None:
            return
        try:
            write(path)
        except DpdeskError as error:
            self._say(str(error))
        else:
            self._say("")

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))
