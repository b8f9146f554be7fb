"""The instruction sheet and the planning memo: looked at, then printed or saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QTextDocument
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from dpdesk.data.write_file import write_file
from dpdesk.designs.devices import SCREEN, DeviceChoice
from dpdesk.errors import DpdeskError, ReleaseError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.paper import usual_paper
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import load_theme
from dpdesk.gui.widgets.boxes import STRETCH, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.report.pdf import pdf_of_page
from dpdesk.report.survey import PlanningMemo, memo_html, sheet_html

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

SHEET, MEMO = range(2)
_PAGE_SIZES = {"a4": QPageSize.PageSizeId.A4, "letter": QPageSize.PageSizeId.Letter}
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
        scenario: Scenario[Any],
        parent: QWidget | None = None,
        *,
        planned: Callable[[Any], PlanningMemo] = lambda memo: memo,
    ) -> None:
        super().__init__(parent)
        self._scenario, self._planned = scenario, planned
        self.setWindowTitle(self.tr("Papers of the survey"))
        self.resize(760, 720)
        titles = (self.tr("Instruction sheet"), self.tr("Planning memo"))
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Papers of the survey"))
        self.fields = self._make_fields()
        self.screens = QCheckBox(self.tr("Exact chances, for a survey on &screens"), self)
        self.screens.setToolTip(
            self.tr(
                "A program on a screen draws, by a rule for web forms and spreadsheets that the "
                "sheet ends with"
            )
        )
        self.screens.setVisible(self._offers_screen())
        self.screens.toggled.connect(lambda _: self._show())
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
            lambda path: write_file(path, pdf_of_page(self._page(), usual_paper())),
        )

    def print_paper(self) -> None:
        """Asks for a printer and prints the paper."""
        try:
            print_page(self._page(paper=True), self._title(), self)
        except DpdeskError as error:
            self._say(str(error))
        else:
            self._say("")

    def _make_fields(self) -> tuple[QLineEdit, ...]:
        fields = []
        for blank in self._scenario.design.blanks:
            field = QLineEdit(self)
            limit_length(field, _LONGEST)
            field.setPlaceholderText(blank.proposal or self.tr("left open, to be filled in"))
            field.setAccessibleName(blank.meaning)
            field.textChanged.connect(lambda _: self._show())
            fields.append(field)
        return tuple(fields)

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.setVerticalSpacing(4)
        for blank, field in zip(self._scenario.design.blanks, self.fields, strict=True):
            form.addRow(PlainLabel(blank.meaning, "muted", parent=self), field)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        head = lay_row(self.tabs, STRETCH)
        column.addLayout(head)
        column.addLayout(form)
        column.addWidget(self.screens)
        column.addWidget(self.preview, 1)
        column.addWidget(self.words)
        column.addWidget(buttons)
        self.words.hide()

    def _page(self, *, paper: bool = False) -> str:
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


def paper_document(html: str) -> QTextDocument:
    """Returns a page made for paper as what is printed."""
    document = QTextDocument()
    document.setHtml(html)
    return document


def print_page(html: str, title: str, parent: QWidget) -> bool:
    """Asks for a printer and prints a page.

    Args:
        html: A page made for paper.
        title: The name of the job.
        parent: Over what the question is shown.

    Returns:
        Whether the page went to a printer; False where the question was left.

    Raises:
        ReleaseError: There is no printer, or it does not take the page.
    """
    # The libraries of printing are loaded when somebody prints.
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo

    if not QPrinterInfo.availablePrinterNames():
        raise ReleaseError(
            _tr("No printer is set up on this computer."),
            remedy=_tr("Save the paper as PDF, and print it where there is one."),
        )
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageSize(QPageSize(_PAGE_SIZES[usual_paper()]))
    dialog = QPrintDialog(printer, parent)
    dialog.setWindowTitle(title)
    if dialog.exec() != QDialog.DialogCode.Accepted:
        return False
    send(html, title, printer)
    return True


def send(html: str, title: str, printer: QPrinter) -> None:
    """Prints a page.

    Args:
        html: A page made for paper.
        title: The name of the job.
        printer: The printer with its settings.

    Raises:
        ReleaseError: The printer does not take the page.
    """
    from PySide6.QtPrintSupport import QPrinter

    printer.setDocName(title)
    printer.setCreator("dpdesk")
    # The document leaves two centimetres by itself when it prints.
    printer.setFullPage(True)
    printer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Millimeter)
    paper_document(html).print_(printer)
    if printer.printerState() == QPrinter.PrinterState.Error:
        raise ReleaseError(
            _tr("The printer did not take the page."),
            remedy=_tr("Look after the printer, or save the paper as PDF."),
        )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Printing", text)
