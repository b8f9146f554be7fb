"""What is asked of a coarsened file: the method, k, l, t, what may be left out, and a table."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.disclosure.information_loss import LOSSES, loss_named
from dpdesk.disclosure.methods import METHODS, Method, method_named
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.number_box import RealBox, WholeBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.numbers import real_number
from dpdesk.preview.coarser import CoarseWish

_K_MOST = 1_000_000
_FIELD = 96
"""Width of a number with its arrows, in pixels."""


class CoarsenForm(QWidget):
    """The fields of a question, each with a line that says what it means.

    Attributes:
        changed: Emitted where other fields apply, because of another method.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        methods = [(self.tr(one.title), one.word) for one in METHODS]
        self.method = ChoiceBox(self.tr("Method"), methods, parent=self)
        losses = [(self.tr(one.title), one.name) for one in LOSSES]
        self.loss = ChoiceBox(self.tr("Least loss"), losses, parent=self)
        self.k, self.l_distinct = WholeBox(self), WholeBox(self)
        self.k.setRange(2, _K_MOST)
        self.k.setValue(5)
        self.l_distinct.setRange(1, 1000)
        self.t, self.left_out = RealBox(self), RealBox(self)
        self.t.setRange(0.0, 1.0)
        self.t.setSingleStep(0.05)
        self.t.setValue(1.0)
        self.left_out.setRange(0.0, 50.0)
        self.left_out.setDecimals(1)
        self.left_out.setValue(2.0)
        self.left_out.setSuffix(self.tr(" %"))
        self.table = CommitLine(self.tr("Your table"), parent=self)
        self.table.setPlaceholderText(self.tr("columns, such as age, income"))
        self._lay()
        self.method.currentIndexChanged.connect(self._show_method)
        self.loss.currentIndexChanged.connect(self._show_method)
        self._show_method()

    @property
    def chosen(self) -> Method:
        """The method that is chosen."""
        return method_named(str(self.method.currentData()))

    def wish(self, quasi: tuple[str, ...], sensitive: tuple[str, ...]) -> CoarseWish:
        """Returns what is asked of some columns; fields that the method does not take say nothing.

        Args:
            quasi: What an outsider may know.
            sensitive: What somebody may want to learn.
        """
        takes, t = self.chosen.takes, self.t.value()
        table = tuple(part.strip() for part in self.table.text().split(",") if part.strip())
        return CoarseWish(
            quasi,
            sensitive,
            self.k.value(),
            self.l_distinct.value(),
            t=t if t < 1 and "beyond_distinct" in takes else None,
            left_out=f"{self.left_out.value():g}%" if "suppress" in takes else "0%",
            method=self.chosen.word,
            loss=str(self.loss.currentData()),
            tables=(table,) if table else (),
        )

    def show_wish(self, wish: CoarseWish) -> None:
        """Sets the fields to a question; those that its method does not take stay."""
        self.method.setCurrentIndex(self.method.findData(wish.method))
        self.k.setValue(wish.k)
        self.l_distinct.setValue(wish.l_distinct)
        if "beyond_distinct" in wish.how.takes:
            self.t.setValue(1.0 if wish.t is None else wish.t)
        if "suppress" in wish.how.takes:
            self.left_out.setValue(real_number(wish.left_out.removesuffix("%")) or 0.0)
        if "loss" in wish.how.takes:
            self.loss.setCurrentIndex(self.loss.findData(wish.loss))

    def _show_method(self) -> None:
        takes = self.chosen.takes
        self.method.setToolTip(self.tr(self.chosen.meaning))
        self.loss.setToolTip(loss_named(str(self.loss.currentData())).words)
        self.t.setEnabled("beyond_distinct" in takes)
        self.left_out.setEnabled("suppress" in takes)
        self.loss.setEnabled("loss" in takes)
        self.changed.emit()

    def _lay(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(2, 1)
        rows: tuple[tuple[str, QWidget, str], ...] = (
            (self.tr("Method"), self.method, ""),
            (self.tr("k"), self.k, self.tr("least number of equal records in a group")),
            (
                self.tr("l"),
                self.l_distinct,
                self.tr("least number of different secrets in a group"),
            ),
            (
                self.tr("t"),
                self.t,
                self.tr("how far the secrets of a group may be from all; 1 is no limit"),
            ),
            (self.tr("Left out"), self.left_out, self.tr("share of records that may be left out")),
            (self.tr("Least loss"), self.loss, ""),
            (self.tr("Your table"), self.table, ""),
        )
        long = {
            self.k: self.tr(
                "k: everybody is equal to at least k - 1 others on the known columns, so that a "
                "guess of who is who is right at most once in k."
            ),
            self.l_distinct: self.tr(
                "l: in every group of equal records the sensitive column has at least l different "
                "answers. With l = 1 all of a group may have the same answer, which then follows "
                "from the group."
            ),
            self.t: self.tr(
                "t: the answers of no group are distributed farther than t from those of all "
                "written records. Small t: belonging to a group tells little. At 1 there is no "
                "limit."
            ),
            self.left_out: self.tr(
                "Records of groups that still do not do what is asked are left out, up to this "
                "share."
            ),
            self.table: self.tr(
                "Names of columns, separated by commas. The share of records that the coarsened "
                "file puts into another cell of their table is shown."
            ),
        }
        for row, (word, field, meaning) in enumerate(rows):
            name = PlainLabel(word, buddy=field, parent=self)
            field.setAccessibleName(word)
            field.setToolTip(long.get(field, field.toolTip()))
            field.setAccessibleDescription(long.get(field, meaning))
            name.setToolTip(field.toolTip())
            grid.addWidget(name, row, 0)
            grid.addWidget(field, row, 1, 1, 1 if meaning else 2)
            if meaning:
                field.setFixedWidth(_FIELD)
                line = PlainLabel(meaning, "muted", wrap=True, parent=self)
                line.setToolTip(field.toolTip())
                grid.addWidget(line, row, 2)
