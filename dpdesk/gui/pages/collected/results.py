"""What collected answers tell: shares, their differences, and the regression."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.composition.strength import protection_words
from dpdesk.designs.inference import WaldTest
from dpdesk.designs.regression import SHARES, LogisticFit
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.engine.collected import CollectedResult, write_collected, write_scores
from dpdesk.estimation.answer_sample import SampleFacts
from dpdesk.gui.icons import IconBond
from dpdesk.gui.paper import PaperDialog
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.notice_bar import succeeded
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.numbers import p_value_words
from dpdesk.numbers.digits import MINUS, fixed_percent, points_text
from dpdesk.reports.survey.collected_memo import collected_memo_html, share_cells, term_cells

Row = tuple[str, ...]


class TextRows(RowModel[Row]):
    """A table of texts; the first column is words, the others are numbers.

    Args:
        heads: The heads of the columns.
    """

    def __init__(self, heads: Row, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._set_heads(heads)

    def set_rows(self, heads: Row, rows: tuple[Row, ...]) -> None:
        """Shows other texts under heads that are as many as before."""
        self._set_heads(heads)
        self.show_rows(rows)

    def text(self, row: Row, column: int) -> str:
        return row[column]

    def _set_heads(self, heads: Row) -> None:
        self.heads = tuple(Head(text, number=place > 0) for place, text in enumerate(heads))


def share_heads(confidence: float) -> Row:
    """Returns the heads of the estimated shares."""
    return (
        tr("Respondents"),
        tr("Share"),
        tr("Standard error"),
        tr("{confidence} % interval").format(confidence=f"{100 * confidence:g}"),
        tr("Answers"),
    )


def share_rows(result: CollectedResult) -> tuple[Row, ...]:
    """Returns the estimated shares: of all, of each group, by the way of asking, and predicted."""
    rows = [_share_row(tr("All"), result.overall)]
    rows += [_share_row(name, mean) for name, mean in result.groups]
    if result.impossible:
        return tuple(rows)
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
        tr("Standard error"),
        tr("Odds ratio"),
        tr("{confidence} % interval").format(confidence=f"{100 * confidence:g}"),
        tr("p"),
    )


def term_rows(result: CollectedResult) -> tuple[Row, ...]:
    """Returns the regression's terms; none without a regression, or where no answer fits."""
    if result.fit is None or result.impossible:
        return ()
    between = tr("{lower} to {upper}")
    rows = result.fit.coefficient_rows(result.request.confidence)
    return tuple(term_cells(row, between) for row in rows)


def tr(text: str) -> str:
    """Words of the tables in the language of the window."""
    return QCoreApplication.translate("Collected", text)


def unbroken(words: str) -> str:
    """Words in which no line ends within "p = 0.013" or "p < 0.0001"."""
    return re.sub(r"\bp ([=<]) ", "p\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", words)


def percent(share: float) -> str:
    """A share in per cent with two decimals."""
    return fixed_percent(share, 2)


def _share_row(name: str, mean: ScoreMean) -> Row:
    return name, *share_cells(mean, tr("{lower} to {upper}"))


_ROWS_SEEN = 6

Write = Callable[[Path, CollectedResult], None]


class CollectedResults(QWidget):
    """Tables with the sentences that belong to them, and two files to save.

    Attributes:
        noticeRaised: Emitted with "success" or "error" and the sentence of a file that was saved
            or not.
    """

    noticeRaised = Signal(str, str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: CollectedResult | None = None
        self.heading = PlainLabel("", "heading", wrap=True, parent=self)
        self.sentences = PlainLabel("", "muted", wrap=True, parent=self)
        self.shares = TextRows(share_heads(0.95), self)
        self.terms = TextRows(term_heads(0.95), self)
        self.share_table = PlainTable(
            self.shares, self.tr("Estimated shares of carriers"), parent=self
        )
        self.fit_words = PlainLabel("", "strong", wrap=True, parent=self)
        self.term_table = PlainTable(
            self.terms, self.tr("Terms of the logistic regression"), parent=self
        )
        self.save_results = QPushButton(self.tr("Save results…"), self)
        self.save_scores = QPushButton(self.tr("Save scores…"), self)
        self.save_scores.setToolTip(
            self.tr("The unbiased score of each respondent, for any survey package")
        )
        self.memo = QPushButton(self.tr("Memo…"), self)
        self.memo.setToolTip(self.tr("All of it as a page to print or save, with what it rests on"))
        for button in (self.save_results, self.save_scores):
            IconBond(button, "content-save", "text")
        IconBond(self.memo, "printer", "text")
        self.save_results.clicked.connect(lambda: self._ask("results.csv", write_collected))
        self.save_scores.clicked.connect(lambda: self._ask("scores.csv", save_scores))
        self.memo.clicked.connect(self.show_memo)
        self._lay_out()

    def result(self) -> CollectedResult | None:
        """What is shown."""
        return self._result

    def show_result(self, result: CollectedResult) -> None:
        """Shows what an analysis found."""
        self._result = result
        mean = result.overall
        words = self.tr("{share} of the respondents are carriers, ± {half} pp")
        if not mean.is_even:
            words = self.tr(
                "{share} of the respondents are carriers: {level} interval {lower} to {upper}"
            )
        if result.impossible:
            words = self.tr("These answers do not fit the design: it gives a share of {share}")
        self.heading.setText(
            words.format(
                share=percent(mean.estimate),
                half=f"{50 * (mean.upper - mean.lower):.2f}",
                level=f"{100 * result.request.confidence:g} %",
                lower=percent(mean.lower),
                upper=percent(mean.upper),
            )
        )
        self.sentences.setText(unbroken(" ".join(_sentences(result))))
        confidence = result.request.confidence
        self.shares.set_rows(share_heads(confidence), share_rows(result))
        self.terms.set_rows(term_heads(confidence), term_rows(result))
        fitted = result.fit is not None and not result.impossible
        self.fit_words.setVisible(fitted)
        self.term_table.setVisible(fitted)
        for table, rows in ((self.share_table, self.shares), (self.term_table, self.terms)):
            # The view scrolls before a table has no room for a few rows.
            shown = min(max(rows.rowCount(), 1), _ROWS_SEEN)
            heads = table.horizontalHeader().sizeHint().height()
            table.setMinimumHeight(heads + shown * table.verticalHeader().defaultSectionSize())
        if result.fit is not None:
            self.fit_words.setText(unbroken(". ".join(_words_of_fit(result.fit))))

    def save(self, path: Path, write: Write) -> None:
        """Writes the results or the scores, and tells of it."""
        if self._result is None:
            return
        if succeeded(partial(write, path, self._result), self.noticeRaised.emit):
            self.noticeRaised.emit("success", self.tr("Saved as {name}.").format(name=path.name))

    def show_memo(self) -> None:
        """Shows the memo of what is shown."""
        if self._result is not None:
            dialog = MemoDialog(self._result, self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _lay_out(self) -> None:
        buttons = lay_row(STRETCH, self.memo, self.save_scores, self.save_results)
        lay_column(
            self.heading,
            self.sentences,
            (self.share_table, 1),
            self.fit_words,
            (self.term_table, 1),
            buttons,
            spacing=6,
            on=self,
        )

    def _ask(self, suggested: str, write: Write) -> None:
        title = self.tr("Save what the answers tell")
        path = asked_path(self, title, suggested, self.tr("Tables (*.csv)"), (".csv",))
        if path is not None:
            self.save(path, write)


def save_scores(path: Path, result: CollectedResult) -> None:
    """Writes each respondent's unbiased score."""
    write_scores(path, ("score",), result.scores[:, None])


class MemoDialog(PaperDialog):
    """The memo of what answers tell, looked at, then printed or saved.

    Args:
        result: What an analysis found.
        parent: The window that it belongs to.
    """

    def __init__(self, result: CollectedResult, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result = result
        self.setWindowTitle(self.title())
        self.show_paper()

    def page(self, *, paper: bool = False) -> str:
        return collected_memo_html(self._result, paper=paper)

    def title(self) -> str:
        return self.tr("Memo of the results")

    def stem(self) -> str:
        return "results"


def _words_of_fit(fit: LogisticFit) -> list[str]:
    """What the regression is of, what else it found, and where its errors come from."""
    words = [
        tr(
            "Logistic regression of the hidden answer: {count} complete respondents, "
            "log-likelihood {height}"
        ).format(
            count=f"{fit.respondents:,}", height=f"{fit.log_likelihood:,.3f}".replace("-", MINUS)
        )
    ]
    share = fit.open_share
    if share is not None and share.standard_error is None:
        words.append(
            tr("{share}: {value}, at its bound").format(
                share=tr(SHARES[share.name]), value=percent(share.value)
            )
        )
    elif share is not None:
        words.append(
            tr("{share}: {value}, standard error {error} pp").format(
                share=tr(SHARES[share.name]),
                value=percent(share.value),
                error=f"{100 * (share.standard_error or 0.0):.2f}",
            )
        )
    if fit.freedom is not None:
        words.append(
            tr("Errors are by the sample's design, with {freedom}").format(
                freedom=_degrees(fit.freedom)
            )
        )
    for name, test in fit.term_tests():
        told = tr("no test, there are too few clusters") if test is None else _test_words(test)
        words.append(tr("All of {term} together: {test}").format(term=name, test=told))
    return words


def _test_words(test: WaldTest) -> str:
    """A test in words."""
    if test.denominator is None:
        return tr("chi-square {statistic}, {freedom} df, {p}").format(
            statistic=f"{test.statistic:.2f}",
            freedom=test.freedom,
            p=p_value_words(test.p_value, 3),
        )
    return tr("F {statistic}, {freedom} and {denominator} df, {p}").format(
        statistic=f"{test.statistic:.2f}",
        freedom=test.freedom,
        denominator=test.denominator,
        p=p_value_words(test.p_value, 3),
    )


def _degrees(freedom: int) -> str:
    return counted(freedom, tr("1 degree of freedom"), tr("{count} degrees of freedom"))


def _sample_words(facts: SampleFacts) -> str:
    """The design of the sample in words; empty for a simple random sample."""
    parts = []
    if facts.strata is not None:
        parts.append(counted(facts.strata, tr("1 stratum"), tr("{count} strata")))
    if facts.clusters is not None:
        many = tr("{count} clusters (PSUs)")
        parts.append(counted(facts.clusters, tr("1 cluster (PSU)"), many))
    if facts.freedom is not None:
        parts.append(_degrees(facts.freedom))
    if facts.population is not None:
        parts.append(tr("a population of {count}").format(count=f"{facts.population:,}"))
    if facts.lonely_strata:
        parts.append(
            tr("{count} strata with a single cluster ({way})").format(
                count=f"{facts.lonely_strata:,}",
                way={
                    "certainty": tr("drawn for certain"),
                    "centred": tr("centred at the mean of all"),
                    "average": tr("as much as the others"),
                }[facts.lonely],
            )
        )
    return tr("The sample: {parts}.").format(parts=", ".join(parts)) if parts else ""


def _misfit_words(result: CollectedResult) -> str:
    """Why answers that give no possible share have no further results."""
    name, mean = result.impossible[0]
    return tr(
        "The whole {confidence} % interval of {whom}, {lower} to {upper}, lies outside 0 to 100 %, "
        "which chance alone hardly does. These answers come from another design or other chances, "
        "what counts as yes is the wrong answer, or respondents did not follow the instruction. No "
        "test and no regression is shown: correct the design above, or the choice of yes."
    ).format(
        confidence=f"{100 * result.request.confidence:g}",
        whom=name or tr("all"),
        lower=percent(mean.lower),
        upper=percent(mean.upper),
    )


def _sentences(result: CollectedResult) -> list[str]:
    """The tests and what was left out, in words."""
    if result.impossible:
        return [_misfit_words(result)]
    said = [protection_words(result.epsilon)]
    if not 0 <= result.overall.estimate <= 1:
        said.append(tr("An unbiased estimate can lie outside 0 to 100 %, by chance alone."))
    sample = _sample_words(result.sample)
    if sample:
        said.append(sample)
    if result.difference is not None:
        said.append(
            tr("Difference of the groups: {test}.").format(test=_test_words(result.difference))
        )
    elif len(result.groups) > 1:
        said.append(tr("The errors allow no test of a difference of as many groups."))
    contrast = result.contrast
    if contrast is not None and contrast.p_value is not None:
        gap = contrast.difference
        said.append(
            tr("Device less direct questions: {gap}, {lower} to {upper}, {p}.").format(
                gap=points_text(gap.estimate),
                lower=points_text(gap.lower),
                upper=points_text(gap.upper),
                p=p_value_words(contrast.p_value, 3),
            )
        )
    for predicted in result.predicted:
        if predicted.test is not None:
            said.append(
                tr("Predicted shares by {column}: {test}.").format(
                    column=predicted.column, test=_test_words(predicted.test)
                )
            )
    if result.adherence is not None:
        found = result.adherence
        said.append(
            tr("Adherence: {title} {value}, expected {expected}; {p}.").format(
                title=tr(found.title),
                value=percent(found.value),
                expected=f"{100 * found.expected:g} %",
                p=p_value_words(found.p_value, 3),
            )
        )
    if result.missing:
        said.append(
            tr(
                "{count} respondents without an answer (an empty cell, NA, NaN or a code that you "
                "named) are left out."
            ).format(count=f"{result.missing:,}")
        )
    return said
