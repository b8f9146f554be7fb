"""The sentence and the four figures below the plot of a query."""

from __future__ import annotations

from decimal import Decimal
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpdesk.composition.words import delta_text
from dpdesk.gui.pages.plan.statistics.query_words import amount_text, level_text
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.steady import Steady
from dpdesk.preview import PRIOR, belief_text, error_text, factor_text, ratio_text
from dpdesk.preview.central import CentralFigures, QueryRequest, central_figures

_LONGEST = (
    "Any result is at most e = 1.23 × 10 times likelier with any one respondent than without, but "
    "for a chance of δ = 0.000001."
)
_STRETCHES = (14, 13, 16, 13)

Figure = tuple[str, str, str]


class QueryFigures(QWidget):
    """What epsilon means, and four figures in the unit of the statistic.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The one label with markup; it holds no text of the data.
        self._sentence = QLabel(self)
        self._sentence.setTextFormat(Qt.TextFormat.RichText)
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.figures = FigureRow(4, stretches=_STRETCHES, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._said = Steady(self._sentence, _LONGEST, parent=self)
        column.addWidget(self._said)
        column.addWidget(self.figures)

    def sentence(self) -> str:
        """The sentence as it is spoken."""
        return self._sentence.accessibleName()

    def set_low(self, low: bool) -> None:
        """Leaves the sentence to the tooltip of the belief, for a low window."""
        self._said.setVisible(not low)

    def show_request(self, request: QueryRequest) -> None:
        """Shows the figures of a request."""
        ratio = ratio_text(request.query.epsilon)
        template = self._template(request.unit.relation == "replace", request.query.charged_delta)
        shown = f"<b>e<sup>ε</sup>&nbsp;=&nbsp;{escape(ratio)}</b>"
        self._sentence.setText(template.format(ratio=shown))
        self._sentence.setAccessibleName(template.format(ratio=f"e^ε = {ratio}"))
        found = central_figures(request)
        figures = (
            self._error(found, request),
            self._against_local(found),
            self._belief(found),
            self._moved(found, request),
        )
        for tile, figure in zip(self.figures.tiles, figures, strict=True):
            tile.set_figure(*figure)

    def _template(self, replaces: bool, delta: Decimal) -> str:
        if replaces:
            bound = self.tr(
                "Any result is at most {ratio} times likelier under one respondent's answers "
                "than under others"
            )
        else:
            bound = self.tr(
                "Any result is at most {ratio} times likelier with any one respondent than without"
            )
        if not delta:
            return f"{bound}."
        but = self.tr("{bound}, but for a chance of δ = {delta}.")
        return but.replace("{bound}", bound).replace("{delta}", delta_text(delta))

    def _error(self, found: CentralFigures, request: QueryRequest) -> Figure:
        level = level_text(request.confidence)
        several = found.cells > 1
        caption = (
            self.tr("{level} error of one number, noise only")
            if several
            else self.tr("{level} error, noise only")
        )
        if request.query.kind == "most_common":
            caption = (
                self.tr("so far behind the best, at most ({level})")
                if getattr(request.query, "worth", ())
                else self.tr("so much rarer than the most frequent, at most ({level})")
            )
        elif request.query.kind == "quantile":
            caption = self.tr("{level} error of its rank")
        details = [found.error.basis]
        if found.sampling is not None:
            drawn = self.tr("Drawing the respondents alone leaves {error}")
            details.append(drawn.format(error=error_text(found.sampling, found.error.unit)))
        if found.every is not None and several:
            every = self.tr("all {count} numbers at once lie within {error}")
            error = f"± {amount_text(found.every, found.error.unit)}"
            details.append(every.format(count=f"{found.cells:,}", error=error))
        said = "; ".join(detail for detail in details if detail)
        sign = "≤" if request.query.kind == "most_common" else "±"
        value = f"{sign} {amount_text(found.error.half_width, found.error.unit)}"
        said = f"{said[:1].upper()}{said[1:]}." if said else ""
        return value, caption.format(level=level), said

    def _against_local(self, found: CentralFigures) -> Figure:
        if found.local is not None and found.error.half_width > 0:
            factor = factor_text(found.local / found.error.half_width)
            local = error_text(found.local, found.error.unit)
            caption = self.tr("as large with local noise ({error})")
            return factor, caption.format(error=local), ""
        if found.every is not None and found.cells > 1:
            every = f"± {amount_text(found.every, found.error.unit)}"
            return every, self.tr("error that holds for all numbers at once"), ""
        if found.sampling is not None:
            drawn = error_text(found.sampling, found.error.unit)
            return drawn, self.tr("error from drawing the respondents alone"), ""
        count = f"{found.cells:,}"
        one, many = self.tr("number is released"), self.tr("numbers are released")
        return count, one if found.cells == 1 else many, ""

    def _belief(self, found: CentralFigures) -> Figure:
        before, after = belief_text(PRIOR), belief_text(found.posterior)
        if len(after) > len("99 %"):
            before = before.removesuffix("%").rstrip()
        return (
            f"{before} → {after}",
            self.tr("most it can move a belief about anyone"),
            self.sentence(),
        )

    def _moved(self, found: CentralFigures, request: QueryRequest) -> Figure:
        if found.shift is None:
            rows = f"{request.unit.rows_per_respondent:,}"
            one, many = self.tr("row of one respondent counts"), self.tr("rows of one count")
            return rows, one if request.unit.rows_per_respondent == 1 else many, ""
        moved = amount_text(found.shift, found.error.unit)
        return moved, self.tr("most that one respondent moves it"), found.error.basis
