"""Estimates and coefficients from collected answers, as rows of text."""

from __future__ import annotations

from math import exp

from PySide6.QtCore import QCoreApplication, QObject

from dpdesk.designs.sample_design import ScoreMean
from dpdesk.engine.collected import CollectedResult
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.preview import significant

Row = tuple[str, ...]

MINUS = "\N{MINUS SIGN}"


class TextRows(RowModel[Row]):
    """A table of texts; the first column is words, the others are numbers.

    Args:
        heads: The heads of the columns.
        parent: Qt's owner.
    """

    def __init__(self, heads: Row, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._set_heads(heads)

    def set_rows(self, heads: Row, rows: tuple[Row, ...]) -> None:
        """Shows other texts under heads that are as many as before."""
        self._set_heads(heads)
        self.show_rows(rows)

    def text(self, row: Row, column: int) -> str:
        """The text of a cell."""
        return row[column]

    def _set_heads(self, heads: Row) -> None:
        self.heads = tuple(Head(text, number=place > 0) for place, text in enumerate(heads))


def share_heads(confidence: float) -> Row:
    """Returns the heads of the estimated shares."""
    return (
        tr("Respondents"),
        tr("Share"),
        tr("Error"),
        tr("{confidence} % interval").format(confidence=f"{100 * confidence:g}"),
        tr("Answers"),
    )


def share_rows(result: CollectedResult) -> tuple[Row, ...]:
    """Returns the estimated shares: of all, of each group, by the way of asking, and predicted."""
    rows = [_share_row(tr("All"), result.overall)]
    rows += [_share_row(name, mean) for name, mean in result.groups]
    contrast = result.contrast
    if contrast is not None:
        rows.append(_share_row(tr("With the device"), contrast.randomized))
        rows.append(_share_row(tr("Asked directly"), contrast.direct))
    for predicted in result.predicted:
        for name, mean in predicted.shares:
            title = tr("{group}, predicted ({column})").format(column=predicted.column, group=name)
            rows.append(_share_row(title, mean))
    return tuple(rows)


def term_heads(confidence: float) -> Row:
    """Returns the heads of the regression's terms; the interval is of the odds ratio."""
    return (
        tr("Term"),
        tr("Coefficient"),
        tr("Error"),
        tr("Odds ratio"),
        tr("{confidence} % interval").format(confidence=f"{100 * confidence:g}"),
        tr("p"),
    )


def term_rows(result: CollectedResult) -> tuple[Row, ...]:
    """Returns the regression's terms; none without a regression."""
    if result.fit is None:
        return ()
    return tuple(
        (
            row.name,
            significant(row.value, 4),
            significant(row.standard_error, 3),
            _odds(row.value),
            tr("{lower} to {upper}").format(lower=_odds(row.lower), upper=_odds(row.upper)),
            significant(row.p_value, 3),
        )
        for row in result.fit.coefficient_rows(result.request.confidence)
    )


def tr(text: str) -> str:
    """Words of the tables in the language of the window."""
    return QCoreApplication.translate("Collected", text)


def unbroken(words: str) -> str:
    """Words in which no line ends within "p = 0.013"."""
    return words.replace("p = ", "p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")


def points(share: float) -> str:
    """A difference of shares in percentage points with two digits after the point."""
    return f"{100 * share:.2f} pp".replace("-", MINUS).replace(" ", "\N{NO-BREAK SPACE}")


def percent(share: float) -> str:
    """A share in per cent with two digits after the point."""
    return f"{100 * share:.2f} %".replace("-", MINUS).replace(" ", "\N{NO-BREAK SPACE}")


def _share_row(name: str, mean: ScoreMean) -> Row:
    ends = tr("{lower} to {upper}").format(lower=percent(mean.lower), upper=percent(mean.upper))
    return name, percent(mean.estimate), points(mean.standard_error), ends, f"{mean.respondents:,}"


def _odds(log_ratio: float) -> str:
    return significant(exp(min(log_ratio, 700.0)), 3)
