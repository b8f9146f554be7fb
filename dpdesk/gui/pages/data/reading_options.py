"""How a file is to be read, where the guess was wrong."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from dpdesk.data.dialect import DELIMITERS
from dpdesk.data.table import SourceFormat
from dpdesk.gui.pages.data.column_words import encoding_word
from dpdesk.gui.widgets.plain_text import PlainLabel

_ENCODINGS = ("utf-8", "utf-16", "cp1252", "latin-1")


class ReadingOptions(QDialog):
    """Delimiter, encoding, decimal mark and header of a file.

    Args:
        name: Name of the file.
        source: How it was read, or None if it could not be read.
        parent: The window it belongs to.
    """

    def __init__(
        self, name: str, source: SourceFormat | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Reading options"))
        self.delimiter = QComboBox(self)
        self.delimiter.addItem(self.tr("Found in the file"), None)
        for mark, word in DELIMITERS.items():
            self.delimiter.addItem(word.capitalize(), mark)
        self.encoding = QComboBox(self)
        self.encoding.addItem(self.tr("Found in the file"), None)
        for encoding in _ENCODINGS:
            self.encoding.addItem(encoding_word(encoding), encoding)
        self.decimal = QComboBox(self)
        self.decimal.addItem(self.tr("Found in the file"), None)
        self.decimal.addItem(self.tr("Point, as in 1.5"), ".")
        self.decimal.addItem(self.tr("Comma, as in 1,5"), ",")
        self.header = QCheckBox(self.tr("The &first line holds the names of the columns"), self)
        self.header.setChecked(source is None or source.header)
        self.redraft = QCheckBox(self.tr("&Suggest kinds and domains anew"), self)
        self.redraft.setToolTip(
            self.tr("What the plan says of the columns is replaced by new suggestions.")
        )
        self.redraft.setChecked(True)
        self.redraft.setVisible(source is not None)
        if source is not None:
            self._preset(source)
        form = QFormLayout()
        form.addRow(self.tr("&Delimiter"), self.delimiter)
        form.addRow(self.tr("&Encoding"), self.encoding)
        form.addRow(self.tr("Decimal &mark"), self.decimal)
        form.addRow(self.header)
        form.addRow(self.redraft)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, parent=self)
        buttons.button(kinds.Ok).setText(self.tr("&Read again"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addWidget(PlainLabel(name, "strong", wrap=True, parent=self))
        column.addLayout(form)
        column.addWidget(buttons)

    def choices(self) -> dict[str, Any]:
        """The choices as `dpdesk.data.read_delimited.load` takes them."""
        return {
            "delimiter": self.delimiter.currentData(),
            "encoding": self.encoding.currentData(),
            "decimal": self.decimal.currentData(),
            "header": self.header.isChecked(),
        }

    def _preset(self, source: SourceFormat) -> None:
        shown = (
            (self.delimiter, source.delimiter),
            (self.encoding, source.encoding),
            (self.decimal, source.decimal),
        )
        for combo, value in shown:
            place = combo.findData(value)
            if place < 0:
                combo.addItem(encoding_word(value) if combo is self.encoding else value, value)
                place = combo.count() - 1
            combo.setCurrentIndex(place)
