"""The dialog on how a file is read, with a look at its first rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from dpdesk.data.layout_file import read_layout
from dpdesk.data.missing_codes import codes_text, read_tokens
from dpdesk.data.read_file import load, tables_in
from dpdesk.data.reading import (
    DELIMITERS,
    FIXED_WIDTH,
    HEADER_ROWS_MAX,
    LayoutField,
    Reading,
    encoding_name,
)
from dpdesk.data.survey_platforms import PLATFORMS
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import format_named
from dpdesk.engine.jobs import Job, Tracker
from dpdesk.errors import DpdeskError, InputError, ParameterError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.data.rows_view import RowsView
from dpdesk.gui.widgets.boxes import dialog_buttons, lay_column
from dpdesk.gui.widgets.number_box import WholeBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.throttle import Throttle

_ENCODINGS = ("utf-8", "utf-16", "cp1252", "iso8859-1")
_PAUSE = 300
"""Milliseconds between two looks at a file."""

_TEXT_PARTS = frozenset({"encoding", "delimiter", "decimal", "quote", "header_rows", "platform"})


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a look at a file shows.

    Attributes:
        tables: Names of the tables that it holds, of which one is read.
        table: Its first rows, or all; None where it cannot be read like this.
        refusal: Why not; empty where it can.
    """

    tables: tuple[str, ...]
    table: SurveyTable | None
    refusal: str = ""


def look_at(path: Path, parts: Mapping[str, Any], tracker: Tracker) -> FirstLook:
    """Looks at a file; the work of a job.

    Args:
        path: The file.
        parts: Chosen parts of a reading, None for those to be detected.
        tracker: Progress and cancel.
    """
    tables: tuple[str, ...] = ()
    try:
        tables = tables_in(path)
        table = load(path, names_alone=True, beginning=True, tick=tracker.tick, **parts)
    except (InputError, ParameterError) as error:
        return FirstLook(tables, None, str(error))
    return FirstLook(tables, table)


class ReadingOptions(QDialog):
    """The parts of a reading, each of which can be left to detection.

    Args:
        name: Name of the file.
        reading: How it was read; None if it could not be read.
        is_confirmed: Whether the reading was confirmed as public knowledge.
        path: The file, whose first rows are shown; None for none.
        has_decisions: Whether the open plan holds decisions, which new suggestions would replace.
        parent: The window it belongs to.
    """

    def __init__(
        self,
        name: str,
        reading: Reading | None = None,
        parent: QWidget | None = None,
        *,
        is_confirmed: bool = False,
        path: Path | None = None,
        has_decisions: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Reading options"))
        self._path = path
        self._layout: tuple[LayoutField, ...] = ()
        self._make_fields()
        self.refusal = PlainLabel("", "error", wrap=True, parent=self)
        self.refusal.hide()
        self.redraft = QCheckBox(self.tr("&Suggest kinds and domains anew"), self)
        self.redraft.setToolTip(
            self.tr("What the plan says of the columns is replaced by new suggestions.")
        )
        self.redraft.setChecked(not has_decisions)
        self.redraft.setVisible(reading is not None)
        self.confirmed = QCheckBox(self.tr("The file is &written this way, whoever answers"), self)
        self.confirmed.setToolTip(
            self.tr("How a file is read is published with a release, like a domain.")
        )
        self.confirmed.setChecked(is_confirmed)
        self.rows = RowsView(parent=self)
        self.rows.setMinimumSize(560, 210)
        self.rows.setVisible(path is not None)
        self.first_look = PlainLabel("", "caption", wrap=True, parent=self)
        self.first_look.setVisible(path is not None)
        if reading is not None:
            self._preset(reading)
        self._form = QFormLayout()
        self._fill_form()
        self._show_parts(None if reading is None else reading.format)
        lay_column(
            PlainLabel(name, "strong", wrap=True, parent=self),
            self._form,
            self.first_look,
            self.rows,
            dialog_buttons(self, self.tr("&Read again")),
            spacing=12,
            on=self,
        )
        self._watch = JobWatch(self)
        self._watch.finished.connect(self._show_look)
        self._watch.failed.connect(self._show_failure)
        self._looking = Throttle(self._look, self, _PAUSE)
        self._connect()
        if path is not None:
            self._looking.request()

    def done(self, result: int) -> None:
        """Ends the look that runs."""
        self._watch.shut_down()
        super().done(result)

    def accept(self) -> None:
        """Closes, unless the codes are invalid."""
        try:
            self._codes()
        except ParameterError as error:
            self._refuse(str(error))
            return
        super().accept()

    def parts(self) -> dict[str, Any]:
        """The parts of a reading; None for those to be detected."""
        return self._marks() | {"missing": self._codes()}

    def _marks(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "delimiter": self.delimiter.currentData(),
            "encoding": self.encoding.currentData(),
            "decimal": self.decimal.currentData(),
            "quote": self.quote.currentData(),
            "header_rows": self.header_rows.value(),
        }
        if self._layout:
            only = {key: found[key] for key in ("encoding", "decimal")}
            return only | {"layout": self._layout, "format": FIXED_WIDTH}
        if self.sheet.currentData():
            found["sheet"] = self.sheet.currentData()
        if self.platform.currentData() is not None:
            found["platform"] = self.platform.currentData()
        return found

    def choose_layout(self) -> None:
        """Asks for the layout of a file of fixed width."""
        folder = str(Path.home() if self._path is None else self._path.parent)
        kinds = self.tr("Tables (*.csv *.tsv *.txt);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Layout"), folder, kinds)
        if chosen:
            self.take_layout(Path(chosen))

    def take_layout(self, path: Path) -> None:
        """Reads the file by a layout, or shows why it is not one."""
        try:
            self._set_layout(read_layout(path))
        except DpdeskError as error:
            self._refuse(str(error))
            return
        self._looking.request()

    def _set_layout(self, fields: tuple[LayoutField, ...]) -> None:
        self.refusal.hide()
        self._layout = fields
        words = self.tr("{count} columns by their positions").format(count=f"{len(fields):,}")
        self.layout_button.setText(words)
        self._show_parts(FIXED_WIDTH)

    def _codes(self) -> tuple[str, ...]:
        where = self.tr("Type it at its column, in the tab Missing answers.")
        return read_tokens(self.missing.text(), where=where)

    def _refuse(self, sentence: str) -> None:
        self.refusal.setText(sentence)
        self.refusal.show()
        # A dialog does not grow by itself for lines that wrap.
        whole = self.layout()
        needed = 0 if whole is None else whole.totalHeightForWidth(self.width())
        self.resize(self.width(), max(self.height(), needed))

    def _make_fields(self) -> None:
        detected = self.tr("Found in the file")
        self.sheet = QComboBox(self)
        self.sheet.addItem(self.tr("The first with rows"), "")
        self.platform = QComboBox(self)
        self.platform.addItem(self.tr("Found in the header"), None)
        self.platform.addItem(self.tr("None of them"), "")
        for kind in PLATFORMS:
            self.platform.addItem(kind.key, kind.key)
        self.delimiter = QComboBox(self)
        self.delimiter.addItem(detected, None)
        for mark, word in DELIMITERS.items():
            self.delimiter.addItem(word.capitalize(), mark)
        self.encoding = QComboBox(self)
        self.encoding.addItem(detected, None)
        for encoding in _ENCODINGS:
            self.encoding.addItem(encoding_name(encoding), encoding)
        self.decimal = QComboBox(self)
        self.decimal.addItem(detected, None)
        self.decimal.addItem(self.tr("Point, as in 1.5"), ".")
        self.decimal.addItem(self.tr("Comma, as in 1,5"), ",")
        self.quote = QComboBox(self)
        self.quote.addItem(self.tr('Double, as in "a, b"'), '"')
        self.quote.addItem(self.tr("Single, as in 'a, b'"), "'")
        self.quote.addItem(self.tr("None"), "")
        self.header_rows = WholeBox(self)
        self.header_rows.setRange(0, HEADER_ROWS_MAX)
        self.header_rows.setValue(1)
        self.header_rows.setToolTip(
            self.tr("Lines before the first answer; the first of them names the columns")
        )
        self.layout_button = QPushButton(self.tr("Choose a layout…"), self)
        self.layout_button.setToolTip(
            self.tr("A table with name, start and width of each column, for a file without marks")
        )
        self.missing = QLineEdit(self)
        words = self.tr("such as -9; NA, in every column")
        self.missing.setPlaceholderText(words)
        self.missing.setMinimumWidth(self.missing.fontMetrics().horizontalAdvance(words) + 16)

    def _fill_form(self) -> None:
        form = self._form
        form.addRow(self.tr("S&heet"), self.sheet)
        form.addRow(self.tr("&Delimiter"), self.delimiter)
        form.addRow(self.tr("&Encoding"), self.encoding)
        form.addRow(self.tr("Decimal &mark"), self.decimal)
        form.addRow(self.tr("&Quotation mark"), self.quote)
        form.addRow(self.tr("Header &lines"), self.header_rows)
        form.addRow(self.tr("Header of the &program"), self.platform)
        form.addRow(self.tr("&Fixed width"), self.layout_button)
        form.addRow(self.tr("Codes of &no answer"), self.missing)
        form.addRow(self.refusal)
        form.addRow(self.confirmed)
        form.addRow(self.redraft)

    def _connect(self) -> None:
        self.layout_button.clicked.connect(self.choose_layout)
        self.header_rows.valueChanged.connect(self._looking.request)
        for box in (
            self.sheet,
            self.platform,
            self.delimiter,
            self.encoding,
            self.decimal,
            self.quote,
        ):
            box.currentIndexChanged.connect(self._looking.request)

    def _preset(self, reading: Reading) -> None:
        if reading.sheet:
            self.sheet.addItem(reading.sheet, reading.sheet)
        shown = (
            (self.delimiter, reading.delimiter),
            # A file of another format than text says its encoding itself.
            (self.encoding, _own_encoding(reading)),
            (self.decimal, reading.decimal),
            (self.quote, reading.quote),
            (self.sheet, reading.sheet),
            (self.platform, reading.platform),
        )
        for combo, value in shown:
            place = combo.findData(value)
            if place < 0:
                word = str(value)
                combo.addItem(encoding_name(word) if combo is self.encoding else word, value)
                place = combo.count() - 1
            combo.setCurrentIndex(place)
        self.header_rows.setValue(reading.header_rows)
        self.missing.setText(codes_text(reading.missing))
        if reading.layout:
            self._layout = reading.layout
            count = f"{len(reading.layout):,}"
            self.layout_button.setText(
                self.tr("{count} columns by their positions").format(count=count)
            )

    def _show_parts(self, key: str | None) -> None:
        """Shows the parts that a format has; all of a text where the format is not known."""
        parts = _TEXT_PARTS if key is None else format_named(key).parts
        is_text = key in (None, "", FIXED_WIDTH)
        rows = {
            self.sheet: "sheet" in parts,
            self.delimiter: "delimiter" in parts,
            self.encoding: "encoding" in parts,
            self.decimal: "decimal" in parts,
            self.quote: "quote" in parts,
            self.header_rows: "header_rows" in parts,
            self.platform: "platform" in parts,
            self.layout_button: is_text,
        }
        for field, is_shown in rows.items():
            self._form.setRowVisible(field, is_shown)

    def _look(self) -> None:
        if self._path is None:
            return
        self._watch.shut_down(timeout=0.0)
        self._watch.start(
            Job(self.tr("Looking at the file"), partial(look_at, self._path, self._marks()))
        )

    def _show_look(self, found: FirstLook) -> None:
        for name in found.tables:
            if self.sheet.findData(name) < 0:
                self.sheet.addItem(name, name)
        self.rows.set_table(found.table)
        if found.table is None:
            self.first_look.setText(found.refusal)
            if found.tables:
                self._form.setRowVisible(self.sheet, True)
            return
        self._show_parts(found.table.reading.format)
        words = self.tr("First rows, read like this: {reading}")
        self.first_look.setText(words.format(reading=found.table.reading.words))

    def _show_failure(self, error: DpdeskError) -> None:
        self.rows.set_table(None)
        self.first_look.setText(str(error))


def _own_encoding(reading: Reading) -> str | None:
    """The encoding that was declared or found; None where the file says it itself."""
    is_text = reading.format in ("", FIXED_WIDTH)
    return reading.encoding if is_text or reading.encoding != Reading().encoding else None
