"""The dialog of the Data page on answers that may not fit."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QFormLayout, QWidget

from dpdesk.gui.widgets.boxes import dialog_buttons, lay_column
from dpdesk.gui.widgets.plain_text import PlainLabel

<<<<<<< HEAD
_ENCODINGS = ("utf-8", "utf-16", "cp1252", "iso8859-1")


class ReadingOptions(QDialog):
    """The parts of a reading, each of which can be left to detection.

    Args:
        name: Name of the file.
        reading: How it was read; None if it could not be read.
        is_confirmed: Whether the reading was confirmed as public knowledge.
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
        has_decisions: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Reading options"))
        detected = self.tr("Found in the file")
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
        self.header_rows = QSpinBox(self)
        self.header_rows.setRange(0, HEADER_ROWS_MAX)
        self.header_rows.setValue(1)
        self.header_rows.setToolTip(
            self.tr("Lines before the first answer; the first of them names the columns")
        )
        self.missing = QLineEdit(self)
        self.missing.setPlaceholderText(self.tr("such as -9; NA, in every column"))
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
        if reading is not None:
            self._preset(reading)
        form = QFormLayout()
        form.addRow(self.tr("&Delimiter"), self.delimiter)
        form.addRow(self.tr("&Encoding"), self.encoding)
        form.addRow(self.tr("Decimal &mark"), self.decimal)
        form.addRow(self.tr("&Quotation mark"), self.quote)
        form.addRow(self.tr("&Header lines"), self.header_rows)
        form.addRow(self.tr("Codes of &no answer"), self.missing)
        form.addRow(self.refusal)
        form.addRow(self.confirmed)
        form.addRow(self.redraft)
        lay_column(
            PlainLabel(name, "strong", wrap=True, parent=self),
            form,
            dialog_buttons(self, self.tr("&Read again")),
            spacing=12,
            on=self,
        )

    def accept(self) -> None:
        """Closes, unless the codes are invalid."""
        try:
            self._codes()
        except ParameterError as error:
            self.refusal.setText(str(error))
            self.refusal.show()
            # A dialog does not grow by itself for lines that wrap.
            whole = self.layout()
            needed = 0 if whole is None else whole.totalHeightForWidth(self.width())
            self.resize(self.width(), max(self.height(), needed))
            return
        super().accept()

    def parts(self) -> dict[str, Any]:
        """The parts of a reading; None for those to be detected."""
        return {
            "delimiter": self.delimiter.currentData(),
            "encoding": self.encoding.currentData(),
            "decimal": self.decimal.currentData(),
            "quote": self.quote.currentData(),
            "header_rows": self.header_rows.value(),
            "missing": self._codes(),
        }

    def _codes(self) -> tuple[str, ...]:
        where = self.tr("Type it at its column, in the tab Missing answers.")
        return read_tokens(self.missing.text(), where=where)

    def _preset(self, reading: Reading) -> None:
        shown = (
            (self.delimiter, reading.delimiter),
            (self.encoding, reading.encoding),
            (self.decimal, reading.decimal),
            (self.quote, reading.quote),
        )
        for combo, value in shown:
            place = combo.findData(value)
            if place < 0:
                combo.addItem(encoding_name(value) if combo is self.encoding else value, value)
                place = combo.count() - 1
            combo.setCurrentIndex(place)
        self.header_rows.setValue(reading.header_rows)
        self.missing.setText(codes_text(reading.missing))

=======
>>>>>>> main

class AllowedUnfit(QDialog):
    """Asks how many answers of a column may be outside its domain.

    Args:
        allowed: The current share.
        parent: The window it belongs to.
    """

    def __init__(self, allowed: Decimal, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Answers that may not fit"))
        meaning = self.tr(
            "Answers that cannot be read or lie outside the domain of their column are counted. "
            "Where they are more than this share, nothing is released: the domain, or how the "
            "file is read, is then likely to be wrong."
        )
        self.share = QDoubleSpinBox(self)
        self.share.setRange(0.0, 100.0)
        self.share.setDecimals(2)
        self.share.setSuffix(self.tr(" % of a column"))
        self.share.setValue(float(100 * allowed))
        form = QFormLayout()
        form.addRow(self.tr("At &most"), self.share)
        lay_column(
            PlainLabel(meaning, wrap=True, parent=self),
            form,
            dialog_buttons(self),
            spacing=12,
            on=self,
        )
        self.setMinimumWidth(440)

    def allowed(self) -> Decimal:
        """The share, from 0 to 1."""
        return (Decimal(repr(self.share.value())) / 100).quantize(Decimal("0.0001"))
