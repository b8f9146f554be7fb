"""Confirming domains by row: what is published of each column, and what may disclose somebody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.data.suggested_grid import rounder_bounds
from dpdesk.domains import AnyGrid, NumericDomain
from dpdesk.gui.pages.data.column_words import domain_words, source_words
from dpdesk.gui.reading_order import ReadDialog
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import dialog_buttons, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel, bold_font, caption_font, counted
from dpdesk.gui.widgets.read_table import TableView, paint_ground, paint_lines
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.ticks import BOX, paint_tick
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.checks.reading import has_doubtful_names
from dpdesk.plan.column_changes import set_confirmed_by, set_domain
from dpdesk.plan.given_answers import RARE, GivenAnswers, is_confirmed_by_name

CONFIRM, PUBLISHED, ROUNDER = range(3)
_LISTED_MAX = 40
_CheckRole = int(Qt.ItemDataRole.CheckStateRole)
_DetailRole = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class Waiting:
    """A domain, or a column kept as it is, that waits for a confirmation.

    Attributes:
        column: The column.
        rare: Its categories that a few respondents gave, and how many did; private.
        at_ends: Number of its bounds that a few respondents gave; private.
        by_name: Whether it is ticked by itself alone, not with all rows.
        rounder: Rounder bounds for numbers whose bounds were read off the data; else None.
        confirm: Whether it is to be confirmed.
        round_off: Whether the rounder bounds are to be taken.
    """

    column: ColumnPlan
    rare: tuple[tuple[str, int], ...] = ()
    rounder: AnyGrid | None = None
    confirm: bool = True
    round_off: bool = False
    at_ends: int = 0
    by_name: bool = False

    @property
    def keeps(self) -> bool:
        """Whether it also confirms that every answer is released as it is."""
        return self.column.keep_waits

    @property
    def alike(self) -> int:
        """Number of its categories that look like another one of them."""
        domain = self.column.domain
        return 0 if domain is None else domain.alike


def waiting_domains(
    plan: Plan, given: dict[str, GivenAnswers], names: frozenset[str] | None = None
) -> tuple[Waiting, ...]:
    """Returns the domains that wait for a confirmation, those with rare categories first.

    A domain that was read off the data and tells of a few respondents is not ticked, a rare
    category or a bound: it has to be looked at. Nor is a list with categories that look alike or
    hold blanks or digits beside letters, or a column that is kept as it is.

    Args:
        plan: The plan.
        given: The counted answers of its columns, by name.
        names: The columns that are asked for; None for all.
    """
    rows = []
    for column in plan.columns:
        domain = column.domain
        is_asked_for = names is None or column.name in names
        if not is_asked_for or not (column.waits or column.keep_waits):
            continue
        if column.keep_waits:
            rows.append(Waiting(column, confirm=False))
            continue
        suggested = column.provenance == "suggested"
        counted_column = given.get(column.name)
        rare = () if counted_column is None else counted_column.rare
        at_ends = 0 if counted_column is None else counted_column.at_ends
        is_grid = suggested and isinstance(domain, NumericDomain)
        rounder = rounder_bounds(cast("AnyGrid", domain)) if is_grid else None
        by_name = is_confirmed_by_name(column, counted_column)
        row = Waiting(column, rare, rounder, at_ends=at_ends, by_name=by_name)
        tells = suggested and (rare or at_ends or column.sentences)
        rows.append(replace(row, confirm=not (row.alike or tells)))
    return tuple(sorted(rows, key=_urgency))


def _urgency(row: Waiting) -> tuple[bool, bool, int, bool]:
    return not row.rare, not row.alike, -row.at_ends, row.rounder is None


class WaitingModel(RowModel[Waiting]):
    """One row per waiting domain, with a tick for confirming and one for rounder bounds."""

    ticked = Signal()

    def text(self, row: Waiting, column: int) -> str:
        if column == CONFIRM:
            return row.column.name
        if column == PUBLISHED:
            return self._published(row)
        return "" if row.rounder is None else domain_words(_with(row.column, row.rounder))

    def detail(self, row: Waiting, column: int) -> str:
        """The second line of a cell."""
        if column == CONFIRM:
            return row.column.label
        if column != PUBLISHED:
            return ""
        if row.keeps:
            return self.tr("everybody may read it")
        alike = ""
        if row.alike:
            many = self.tr("{count} look alike, with signs that nobody sees")
            alike = many.format(count=f"{row.alike:,}")
        if row.rare:
            names = ", ".join(f"{label} ({count})" for label, count in row.rare[::-1][:_LISTED_MAX])
            one = self.tr("1 answer of fewer than {few} respondents: {names}")
            many = self.tr("{count} answers of fewer than {few} respondents: {names}")
            words = one if len(row.rare) == 1 else many
            told = words.format(count=f"{len(row.rare):,}", few=RARE, names=names)
            return f"{alike}; {told}" if alike else told
        if alike:
            return alike
        if count := row.column.sentences:
            words = self.tr("texts with blanks or digits, like what somebody wrote: {count}")
            return words.format(count=f"{count:,}")
        if row.at_ends:
            one = self.tr("fewer than {few} respondents gave one of its bounds")
            both = self.tr("fewer than {few} respondents gave each of its bounds")
            return (one if row.at_ends == 1 else both).format(few=RARE)
        return source_words(row.column)

    def tooltip(self, row: Waiting, column: int) -> str:
        return "\n".join(
            part for part in (self.text(row, column), self.detail(row, column)) if part
        )

    def spoken(self, row: Waiting, column: int) -> str:
        lines = ", ".join(self.tooltip(row, column).splitlines())
        return f"{self.heads[column].text}: {lines}" if column else lines

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row())
        if role == _DetailRole:
            return self.detail(row, index.column())
        if role == _CheckRole:
            tick = self._tick(row, index.column())
            if tick is None:
                return None
            return Qt.CheckState.Checked if tick else Qt.CheckState.Unchecked
        return super().data(index, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        ticks = self._tick(self.row(index.row()), index.column()) is not None
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsUserCheckable if ticks else Qt.ItemFlag.NoItemFlags
        )

    def toggle(self, number: int, column: int) -> None:
        """Ticks or unticks a row; in the last column its rounder bounds."""
        row = self.row(number)
        if column == ROUNDER and row.rounder is not None:
            changed = _rounded(row, not row.round_off)
        else:
            changed = _ticked(row, not row.confirm, row.round_off)
        self._replace(number, changed)

    def tick_all(self, confirm: bool) -> None:
        """Ticks every row but those of texts that few respondents wrote, or unticks every row."""
        for number, row in enumerate(self.rows):
            ticks = confirm and (row.confirm or not row.by_name)
            self._replace(number, _ticked(row, ticks, row.round_off))

    def round_all(self, round_off: bool) -> None:
        """Takes, or does not take, the rounder bounds of every row that has some."""
        for number, row in enumerate(self.rows):
            if row.rounder is not None:
                self._replace(number, _rounded(row, round_off))

    def _replace(self, number: int, row: Waiting) -> None:
        if row != self.rows[number]:
            self.rows = (*self.rows[:number], row, *self.rows[number + 1 :])
            self.announce(number, number)
            self.ticked.emit()

    def _tick(self, row: Waiting, column: int) -> bool | None:
        if column == CONFIRM:
            return row.confirm
        return row.round_off if column == ROUNDER and row.rounder is not None else None

    def _published(self, row: Waiting) -> str:
        if row.keeps:
            return self.tr("every answer as it is, not protected")
        domain = row.column.domain
        words = domain_words(row.column)
        if domain is None or domain.holds_numbers:
            return words
        listed = ", ".join(domain.label(code) for code in range(min(domain.size, _LISTED_MAX)))
        return f"{words}: {listed}{'…' if domain.size > _LISTED_MAX else ''}"

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Confirm")),
            Head(self.tr("What is published"), self.tr("Counts are shown here only")),
            Head(
                self.tr("Rounder bounds"),
                self.tr("Bounds that tell less of single answers, for a little more noise"),
            ),
        )


def _ticked(row: Waiting, confirm: bool, round_off: bool) -> Waiting:
    return replace(row, confirm=confirm, round_off=round_off)


def _rounded(row: Waiting, round_off: bool) -> Waiting:
    """The row with its rounder bounds taken or not; only those make telling bounds harmless."""
    tells = row.at_ends and row.column.provenance == "suggested"
    return _ticked(row, round_off if tells else row.confirm, round_off)


def _with(column: ColumnPlan, domain: AnyGrid) -> ColumnPlan:
    return column.model_copy(update={"domain": domain})


_MARGIN, _HEIGHT = 8, 46


class _WaitingDelegate(QStyledItemDelegate):
    """Paints a tick and two lines; what may disclose somebody is in the colour of a warning."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = theme_in_force(), option.rect
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_ground(painter, rect, theme, selected=selected)
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        tick = index.data(_CheckRole)
        if tick is not None:
            box = QRect(room.left(), room.center().y() - BOX // 2, BOX, BOX)
            paint_tick(painter, box, option.widget, on=tick == Qt.CheckState.Checked)
            room.setLeft(room.left() + BOX + 6)
        text, detail = str(index.data() or ""), str(index.data(_DetailRole) or "")
        font = bold_font(option.font) if index.column() == CONFIRM else option.font
        lines = [(text, font, theme.text)]
        if detail:
            row: Waiting = cast("WaitingModel", index.model()).row(index.row())
            warns = index.column() == PUBLISHED and bool(
                row.rare or row.at_ends or row.alike or row.keeps
            )
            colour = theme.warning if warns else theme.muted
            lines.append((detail, caption_font(option.font), colour))
        paint_lines(painter, room, *lines)
        painter.restore()


class WaitingView(TableView):
    """The table of waiting domains; a click or the space bar ticks.

    Args:
        rows: What waits.
    """

    def __init__(self, rows: tuple[Waiting, ...], *, parent: QWidget | None = None) -> None:
        self.waiting = WaitingModel()
        self.waiting.show_rows(rows)
        name = self.tr("Domains to confirm")
        super().__init__(self.waiting, name, row_height=_HEIGHT, parent=parent)
        self.waiting.setParent(self)
        self.setAccessibleDescription(self.tr("The space bar ticks and unticks."))
        self.setItemDelegate(_WaitingDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(CONFIRM, QHeaderView.ResizeMode.Fixed)
        heads.setSectionResizeMode(PUBLISHED, QHeaderView.ResizeMode.Stretch)
        heads.setSectionResizeMode(ROUNDER, QHeaderView.ResizeMode.Fixed)
        self.setColumnWidth(CONFIRM, 190)
        self.setColumnWidth(ROUNDER, 190)
        self.setColumnHidden(ROUNDER, all(row.rounder is None for row in rows))
        self.clicked.connect(self._toggle)
        if rows:
            self.setCurrentIndex(self.waiting.index(0, CONFIRM))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self._toggle(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _toggle(self, index: QModelIndex) -> None:
        if index.isValid() and index.data(_CheckRole) is not None:
            self.waiting.toggle(index.row(), index.column())


class ConfirmDomains(ReadDialog):
    """Lists what is confirmed, row by row: domains, and how the file is read.

    Args:
        plan: The current plan.
        given: The counted answers of its columns, by name.
        parent: The window it belongs to.
        names: The columns that are asked for; None for all of them and the reading.
    """

    def __init__(
        self,
        plan: Plan,
        given: dict[str, GivenAnswers],
        parent: QWidget | None = None,
        *,
        names: frozenset[str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Confirm domains and reading"))
        rows = waiting_domains(plan, given, names)
        self.view = WaitingView(rows, parent=self)
        self.view.setVisible(bool(rows))
        self.view.waiting.ticked.connect(self._follow)
        self.person = QLineEdit(plan.details.confirmed_by, self)
        limit_length(self.person, 1000)
        self.person.setPlaceholderText(self.tr("name, for the report"))
        by = PlainLabel(self.tr("Confirmed &by"), parent=self)
        by.setBuddy(self.person)
        self.reading = QCheckBox(self.tr("The file is &written this way, whoever answers"), self)
        self.reading.toggled.connect(self._follow)
        asks_reading = names is None and plan.reading is not None and not plan.reading_confirmed
        self.reading.setVisible(asks_reading)
        self.names = QCheckBox(self.tr("The first line holds the &names of the columns"), self)
        self.names.toggled.connect(self._follow)
        asks_names = names is None and has_doubtful_names(plan)
        self.names.setVisible(asks_names)
        buttons = dialog_buttons(self, self.tr("&Confirm"))
        self.confirm_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        column = lay_column(
            *(PlainLabel(text, tone, wrap=True, parent=self) for text, tone in self._words(rows)),
            (self.view, 1),
            spacing=8,
            on=self,
        )
        column.addLayout(self._bulk(rows))
        if asks_reading and plan.reading is not None:
            read = self.tr("The file is read like this: {reading}. This was found in all answers.")
            words = read.format(reading=plan.reading.words)
            column.addWidget(PlainLabel(words, wrap=True, parent=self))
        column.addWidget(self.reading)
        if asks_names:
            doubt = self.tr(
                "The names of the columns are numbers or dates, like a respondent's answers. "
                "Every release publishes them. If they are answers, read the file without a "
                "header: Reading options."
            )
            column.addWidget(PlainLabel(doubt, "warning", wrap=True, parent=self))
        column.addWidget(self.names)
        column.addLayout(lay_row(by, (self.person, 1), spacing=8))
        column.addWidget(buttons)
        self.resize(820, 560 if rows else 240)
        self._follow()

    def confirmed(self, plan: Plan) -> Plan:
        """Returns the plan with what is ticked confirmed.

        Raises:
            ParameterError: A mechanism cannot serve the rounder bounds.
        """
        for row in self.view.waiting.rows:
            if row.confirm:
                name = row.column.name
                if row.round_off and row.rounder is not None:
                    plan = set_domain(plan, name, row.rounder)
                changes = {"keep_confirmed": True} if row.keeps else {}
                has_domain = row.column.domain is not None
                plan = plan.with_column(name, **changes, confirmed=has_domain)
        plan = set_confirmed_by(plan, self.person.text().strip())
        reads = not self.reading.isHidden() and self.reading.isChecked()
        plan = plan.with_fields(reading_confirmed=True) if reads else plan
        return plan.with_fields(names_confirmed=True) if self._names_ticked() else plan

    def _names_ticked(self) -> bool:
        return not self.names.isHidden() and self.names.isChecked()

    def _words(self, rows: tuple[Waiting, ...]) -> list[tuple[str, str]]:
        many = self.tr("{count} domains wait for a confirmation.")
        one = self.tr("1 domain waits for a confirmation.")
        kept = sum(row.keeps for row in rows)
        words = [(counted(len(rows) - kept, one, many), "strong")] if kept < len(rows) else []
        domains = [row for row in rows if not row.keeps]
        off_data = sum(row.column.provenance == "suggested" for row in domains)
        # Of what is set by hand nothing shows but what somebody typed.
        unticked = [row for row in domains if not row.confirm]
        rare = sum(bool(row.rare) and row.column.provenance == "suggested" for row in unticked)
        of_them = self.tr(
            "{count} of them were read off the data: extreme values or rare answers of single "
            "respondents can show in them."
        )
        told = (
            (
                kept,
                self.tr("1 column is kept as it is, which everybody can read: it is not ticked."),
                self.tr(
                    "{count} columns are kept as they are, which everybody can read: they are not "
                    "ticked."
                ),
            ),
            (off_data, of_them, of_them),
            (
                sum(row.alike > 0 for row in unticked),
                self.tr("1 list holds categories that look alike: it is not ticked."),
                self.tr("{count} lists hold categories that look alike: they are not ticked."),
            ),
            (
                rare,
                self.tr("1 list holds answers of fewer than {few} respondents: it is not ticked."),
                self.tr(
                    "{count} lists hold answers of fewer than {few} respondents: they are not "
                    "ticked."
                ),
            ),
            (
                sum(row.at_ends > 0 for row in unticked),
                self.tr(
                    "1 domain has bounds that fewer than {few} respondents gave: it is not ticked."
                ),
                self.tr(
                    "{count} domains have bounds that fewer than {few} respondents gave: they are "
                    "not ticked. Their rounder bounds tell less."
                ),
            ),
        )
        for those, one, more in told:
            if those:
                text = one if those == 1 else more
                words.append((text.format(count=f"{those:,}", few=RARE), "warning"))
        meaning = self.tr(
            "A domain is published with the release: its categories and bounds. Confirm only what "
            "everybody may know without having seen the data."
        )
        return [*words, (meaning, "")]

    def _bulk(self, rows: tuple[Waiting, ...]) -> Any:
        self.all_rows = QCheckBox(self.tr("&All rows"), self)
        self.all_rows.setVisible(len(rows) > 1)
        self.all_rows.clicked.connect(self.view.waiting.tick_all)
        self.all_rounder = QCheckBox(self.tr("All &rounder bounds"), self)
        self.all_rounder.setVisible(sum(row.rounder is not None for row in rows) > 1)
        self.all_rounder.clicked.connect(self.view.waiting.round_all)
        self._count = PlainLabel("", "muted", parent=self)
        return lay_row(self.all_rows, self.all_rounder, (self._count, 1), spacing=18)

    def _follow(self, *_: object) -> None:
        rows = self.view.waiting.rows
        ticked = sum(row.confirm for row in rows)
        self.all_rows.setChecked(bool(ticked) and all(row.confirm or row.by_name for row in rows))
        rounder = [row.round_off for row in rows if row.rounder is not None]
        self.all_rounder.setChecked(bool(rounder) and all(rounder))
        told = self.tr("{ticked} of {count} ticked")
        self._count.setText(
            told.format(ticked=f"{ticked:,}", count=f"{len(rows):,}") if rows else ""
        )
        reads = not self.reading.isHidden() and self.reading.isChecked()
        self.confirm_button.setEnabled(bool(ticked) or reads or self._names_ticked())
