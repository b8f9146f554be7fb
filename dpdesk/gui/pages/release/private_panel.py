"""The private comparison with the truth: marked as private, and never part of the release."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from dpdesk.gui.icons import IconBond, icon
from dpdesk.gui.pages.release import interval_table as intervals
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.row_model import Head
from dpdesk.numbers.digits import MINUS
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.releases.private import AttributeDiagnostics, Comparison, write_private_diagnostics
from dpdesk.reports.number_text import (
    decimals_for,
    half_width_text,
    interval_text,
    number_text,
    quantity_text,
)
from dpdesk.reports.section import Section

ANSWER, _, TRUTH, ESTIMATE, DIFFERENCE, NOISE, STANDARDISED = range(7)

_Z = normal_quantile(0.95)


@dataclass(frozen=True)
class TruthBesideRelease:
    """What is drawn of a comparison.

    Attributes:
        truth: The true share or mean.
        estimate, lower, upper: The released estimate with its interval.
        truncated: The estimate; nothing is moved here.
        is_share: Whether the truth is drawn as a bar from 0; else as a stroke.
    """

    truth: float
    estimate: float
    lower: float
    upper: float
    truncated: float
    is_share: bool


class ComparisonModel(intervals.IntervalModel[Comparison]):
    """One row per share, or one for a mean."""

    shares = True
    _attribute: AttributeDiagnostics | None = None

    def set_attribute(self, attribute: AttributeDiagnostics | None) -> None:
        """Shows another attribute, or none."""
        self._attribute = attribute
        rows = () if attribute is None else attribute.comparisons
        ends = [end for row in rows for end in (row.truth, row.lower, row.upper)]
        share = attribute is None or attribute.quantity == "share"
        self._scale = intervals.scale_for(ends or (0.0, 1.0), share=share)
        self.show_rows(rows)

    def drawn(self, row: Comparison) -> Any:
        assert self._attribute is not None  # noqa: S101 - only rows of an attribute are drawn
        share = self._attribute.quantity == "share"
        return TruthBesideRelease(
            row.truth, row.estimate, row.lower, row.upper, row.estimate, is_share=share
        )

    def text(self, row: Comparison, column: int) -> str:
        assert self._attribute is not None  # noqa: S101 - only rows of an attribute are asked for
        share, unit = self._attribute.quantity == "share", self._attribute.unit
        error = _Z * row.noise_error
        if column == ANSWER:
            return row.label if share else self.tr("Mean")
        if column == intervals.PLOT:
            return interval_text(row.lower, row.upper, error, unit, share=share)
        if column == TRUTH:
            return quantity_text(row.truth, error, unit, share=share)
        if column == ESTIMATE:
            return quantity_text(row.estimate, error, unit, share=share)
        if column == NOISE:
            sign = "≤" if self._attribute.noise_is_upper_bound else "±"
            return f"{sign} {half_width_text(error, unit, share=share)}"
        if column == STANDARDISED:
            return "—" if row.standardised is None else _signed(row.standardised, 1)
        scale, sign = (100, "pp") if share else (1, unit)
        text = _signed(scale * row.difference, decimals_for(scale * error))
        return f"{text}\u00a0{sign}" if sign else text

    def tooltip(self, row: Comparison, column: int) -> str:
        if column == intervals.PLOT:
            return self.tr("95 % interval of the release: {interval}").format(
                interval=self.text(row, intervals.PLOT)
            )
        return row.label if column == ANSWER else ""

    def _make_heads(self) -> tuple[Head, ...]:
        beyond = self.tr("Difference by standard error of the noise: beyond ±2 in 1 of 20 cases")
        return (
            Head(self.tr("Answer")),
            Head(
                self.tr("Truth and release"),
                self.tr("Bar: the truth. Dot and line: the release with its 95 % interval."),
            ),
            Head(self.tr("Truth"), number=True),
            Head(self.tr("Released"), number=True),
            Head(self.tr("Difference"), number=True),
            Head(self.tr("95 % noise error"), number=True),
            Head(self.tr("In standard errors"), beyond, number=True),
        )


def _signed(value: float, decimals: int) -> str:
    text = number_text(value, decimals)
    return text if text.startswith(MINUS) or not text.strip("0.,") else f"+{text}"


class TruthDelegate(intervals.IntervalDelegate):
    """Paints the truth as a bar behind the interval of the release."""

    def paint_interval(
        self,
        painter: QPainter,
        rect: QRect,
        row: intervals.IntervalRow,
        scale: intervals.IntervalScale,
    ) -> None:
        drawn = cast("TruthBesideRelease", row)
        truth = intervals.place(scale, rect, drawn.truth)
        start = intervals.place(scale, rect, 0.0) if drawn.is_share else truth - 2
        half = min(rect.height() / 2 - 4, _BAR_HALF)
        bar = QRectF(start, rect.center().y() - half, max(truth - start, 1.0), 2 * half)
        theme = theme_in_force()
        # So pale a bar is told from the ground by its edge.
        painter.setPen(QPen(QColor(theme.control_border), 1))
        painter.setBrush(QColor(theme.field_border))
        if not drawn.is_share:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.muted))
        painter.drawRect(bar if drawn.is_share else bar.adjusted(0, 0, 2, 0))
        super().paint_interval(painter, rect, row, scale)


_BAR_HALF = 10.0


class ComparisonTable(intervals.IntervalTable):
    """Truth and release in a picture, then in numbers.

    Args:
        model: The comparison.
    """

    def __init__(self, model: ComparisonModel, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("PrivatePanel", "Truth beside release")
        super().__init__(model, TruthDelegate, name, parent=parent)


class PrivatePanel(QWidget):
    """A table of truth and release under a strip that marks it as private.

    Args:
        table: The table; the panel shows and hides it.
        warning: What it shows, and what must not be done with it.

    Attributes:
        table: The same.
        save: The button that saves the comparison.
    """

    is_private = True
    template = "private.html.j2"
    """The page of the private file."""

    def __init__(self, table: QWidget, warning: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Private: for your eyes only"))
        self._diagnostics: Section | None = None
        self.table = table
        self._facts = PlainLabel("", "muted", wrap=True, parent=self)
        self.save = QPushButton(self.tr("Save to a &private file…"), self)
        IconBond(self.save, "content-save", "text")
        self._state = PlainLabel("", "muted", wrap=True, parent=self)
        foot = lay_row((self._facts, 1), (self.save, 0, Qt.AlignmentFlag.AlignBottom))
        lay_column(
            self._strip(warning),
            self._state,
            (self.table, 1),
            foot,
            spacing=10,
            margins=(0, 4, 0, 0),
            on=self,
        )
        self.show_state("")

    def diagnostics(self) -> Section | None:
        """The shown comparison, or None."""
        return self._diagnostics

    def show_state(self, sentence: str) -> None:
        """Shows a sentence instead of a comparison, which is discarded."""
        self._diagnostics = None
        self._show(None)
        self._state.setText(sentence)
        self._set_shown(False)

    def show_diagnostics(self, diagnostics: Section) -> None:
        """Shows a comparison."""
        self._diagnostics = diagnostics
        self._set_shown(True)
        self._show(diagnostics)

    def save_beside(self, parent: QWidget, release: Path) -> Path | None:
        """Asks for a file and writes the comparison to it.

        Args:
            parent: The widget that asks.
            release: The folder of its release.

        Returns:
            The file, or None if the user cancelled or nothing is shown.

        Raises:
            DpdeskError: The file lies in a release or cannot be written.
        """
        path = asked_path(
            parent,
            self.tr("Save the private comparison"),
            f"PRIVATE-{release.name}.html",
            self.tr("Private comparison (*.html *.json)"),
            (".html", ".json"),
        )
        if path is None or self._diagnostics is None:
            return None
        write_private_diagnostics(self._diagnostics, path, release, template=self.template)
        return path

    def _show(self, diagnostics: Any) -> None:
        """Puts a comparison into the table and its facts below it, or none."""
        raise NotImplementedError

    def _set_shown(self, shown: bool) -> None:
        self._state.setVisible(not shown)
        self.table.setVisible(shown)
        self._facts.setVisible(shown)
        self.save.setVisible(shown)

    def _strip(self, warning: str) -> QFrame:
        strip = QFrame(self)
        strip.setObjectName("notice")
        strip.setProperty("severity", "warning")
        self._sign = PlainLabel(parent=strip)
        words = lay_column(
            PlainLabel(self.tr("Private: for your eyes only"), "strong", parent=strip),
            PlainLabel(warning, wrap=True, parent=strip),
            spacing=2,
        )
        lay_row(
            (self._sign, 0, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            spacing=12,
            margins=(14, 10, 14, 10),
            on=strip,
        )
        ThemeSwitch.instance().themeChanged.connect(self._draw_sign)
        self._draw_sign(theme_in_force())
        return strip

    @Slot(object)
    def _draw_sign(self, theme: Theme) -> None:
        self._sign.setPixmap(icon("lock", theme, "warning").pixmap(22, 22))


class ComparisonPanel(PrivatePanel):
    """The true answers of one attribute at a time beside its estimates."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self._row = 0
        self._model = ComparisonModel()
        warning = QCoreApplication.translate(
            "PrivatePanel",
            "Here the true answers stand beside the release. Nothing of this is "
            "protected and nothing of it is in the released folder: never publish it, "
            "and do not project it. To release again because of what you see here "
            "would leak it too.",
        )
        super().__init__(ComparisonTable(self._model), warning, parent=parent)
        self._model.setParent(self)

    def show_attribute(self, row: int) -> None:
        """Shows the attribute with this number."""
        self._row = row
        self._show(self.diagnostics())

    def _show(self, diagnostics: Any) -> None:
        shown: tuple[AttributeDiagnostics, ...] = (
            () if diagnostics is None else diagnostics.attributes
        )
        attribute = shown[self._row] if self._row < len(shown) else None
        self._model.set_attribute(attribute)
        if attribute is not None:
            self._facts.setText(self._facts_of(attribute))

    def _facts_of(self, attribute: AttributeDiagnostics) -> str:
        facts = [self.tr("Missing answers: {count}").format(count=f"{attribute.missing:,}")]
        outside = self.tr("outside the domain: {count}").format(count=f"{attribute.outside:,}")
        if attribute.outside:
            became = self.tr("moved to {place}").format(place=attribute.outside_became)
            outside = f"{outside} ({became})"
        facts.append(outside)
        if (answered := attribute.answered) is not None:
            error = _Z * answered.noise_error
            shares = (answered.truth, answered.estimate)
            truth, released = (quantity_text(share, error, "", share=True) for share in shares)
            told = self.tr("share answered: {truth}, released {released}")
            facts.append(told.format(truth=truth, released=released))
        if attribute.mean_before_encoding is not None:
            mean = number_text(attribute.mean_before_encoding, 4)
            unit = f"\u00a0{attribute.unit}" if attribute.unit else ""
            facts.append(
                self.tr("mean before bounds and grid: {mean}").format(mean=f"{mean}{unit}")
            )
        return "; ".join(facts) + "."
