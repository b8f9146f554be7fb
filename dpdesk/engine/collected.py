"""Analysis of answers collected through a device: estimates, tests and a regression in one task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dpdesk.data.table import SurveyTable
from dpdesk.data.write_csv import Cell, write_table_csv
from dpdesk.designs import YesNoDesign
from dpdesk.designs.inference import Adherence, WaldTest, quantile
from dpdesk.designs.regression import LogisticFit, PredictedShares
from dpdesk.designs.sample_design import Contrast, ScoreMean
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import DpdeskError
from dpdesk.estimation.answer_sample import SampleFacts
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers
from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True)
class CollectedRequest:
    """The settings of an analysis of collected answers; names of columns may be empty.

    Attributes:
        answer: The column of the answers.
        yes: The text that means yes.
        by: The column whose texts are groups to estimate separately.
        formula: Terms of a logistic regression; empty for none.
        sample: How respondents were drawn.
        devices: The columns of the device of each respondent.
        confidence: Coverage of the intervals.
        missing: Further texts that mean "no answer".
    """

    answer: str
    yes: str = "1"
    by: str = ""
    formula: str = ""
    sample: SampleColumns = field(default_factory=SampleColumns)
    devices: DeviceColumns = field(default_factory=DeviceColumns)
    confidence: float = 0.95
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CollectedResult:
    """The results of an analysis of collected answers.

    Attributes:
        request: The settings.
        design: The design, with what the answers show of its parameters; None if respondents have
            chances of their own.
        sample: The design of the sample in numbers.
        overall: The share of carriers of all who answered.
        groups: The share of each group, by its text.
        difference: The test of a difference of the groups; None if there are fewer than two, or
            the errors do not allow one.
        contrast: The device against direct questions, if both were used.
        adherence: The test of adherence, if the design has one.
        fit: The regression.
        predicted: The shares that it predicts for groups.
        refusals: Why groups ("by") or the regression ("formula") are missing.
        missing: Number of respondents who did not answer.
        asked_directly: Number of those who answered without a device.
        largest_epsilon: The largest loss of a respondent with a device of known chances; else 0.
        scores: The unbiased score of each respondent, NaN without an answer; shape (n,).
    """

    request: CollectedRequest
    design: YesNoDesign | None
    sample: SampleFacts
    overall: ScoreMean
    groups: tuple[tuple[str, ScoreMean], ...]
    difference: WaldTest | None
    contrast: Contrast | None
    adherence: Adherence | None
    fit: LogisticFit | None
    predicted: tuple[PredictedShares, ...]
    refusals: dict[str, DpdeskError]
    missing: int
    asked_directly: int
    largest_epsilon: float
    scores: Floats

    @property
    def epsilon(self) -> float:
        """The largest loss of a respondent who used a device."""
        return self.largest_epsilon if self.design is None else self.design.loss.epsilon

    @property
    def impossible(self) -> tuple[tuple[str, ScoreMean], ...]:
        """Shares whose whole interval lies below 0 or above 1; that of all has an empty name.

        Answers through the design of the request hardly ever give one.
        """
        shares = (("", self.overall), *self.groups)
        return tuple((name, mean) for name, mean in shares if mean.upper < 0 or mean.lower > 1)


def analyse_collected(
    table: SurveyTable, design: YesNoDesign | None, request: CollectedRequest, tracker: Tracker
) -> CollectedResult:
    """Estimates from answers; if groups or the regression fail, the other results remain.

    Raises:
        DpdeskError: The answers, the devices or the sample do not fit the request.
    """
    tracker.progress("Reading the answers", 0.1)
    answers = SurveyAnswers(
        table,
        design,
        request.answer,
        request.yes,
        request.sample,
        request.devices,
        request.missing,
    )
    overall = answers.overall(request.confidence)
    adherence = answers.adherence()
    contrast = answers.contrast(request.confidence)
    refusals: dict[str, DpdeskError] = {}
    groups: tuple[tuple[str, ScoreMean], ...] = ()
    difference = None
    if request.by:
        tracker.progress("Estimating the groups", 0.3)
        try:
            groups = tuple(answers.by(request.by, request.confidence))
            difference = answers.difference(request.by, request.confidence)
        except DpdeskError as error:
            refusals["by"] = error
    fit = None
    predicted: tuple[PredictedShares, ...] = ()
    if request.formula:
        tracker.progress("Finding the most likely coefficients", 0.6)
        try:
            fit = answers.regression(request.formula)
            tracker.progress("Predicting the shares of groups", 0.8)
            predicted = answers.predicted(request.formula, fit, request.confidence)
        except DpdeskError as error:
            refusals["formula"] = error
    tracker.tick()
    return CollectedResult(
        request=request,
        design=answers.design,
        sample=answers.sample,
        overall=overall,
        groups=groups,
        difference=difference,
        contrast=contrast,
        adherence=adherence,
        fit=fit,
        predicted=predicted,
        refusals=refusals,
        missing=answers.missing,
        asked_directly=answers.asked_directly,
        largest_epsilon=answers.largest_epsilon,
        scores=answers.scores,
    )


def write_collected(path: Path, result: CollectedResult) -> None:
    """Writes estimates and coefficients as one CSV table.

    Raises:
        ReleaseError: The file cannot be written.
    """
    header = ("kind", "name", "estimate", "se", "lower", "upper", "n", "df", "p_value")
    rows: list[tuple[Cell, ...]] = [
        (kind, name, m.estimate, m.stated_error, m.lower, m.upper, m.respondents, m.freedom, p)
        for kind, name, m, p in _means(result)
    ]
    fit = result.fit
    if fit is not None:
        n, freedom = fit.respondents, fit.freedom
        rows += [
            (
                "coefficient",
                row.name,
                row.value,
                row.standard_error,
                row.lower,
                row.upper,
                n,
                freedom,
                row.p_value,
            )
            for row in fit.coefficient_rows(result.request.confidence)
        ]
        share = fit.open_share
        if share is not None:
            error = share.standard_error
            half = None if error is None else quantile(result.request.confidence, freedom) * error
            ends = (None, None) if half is None else (share.value - half, share.value + half)
            rows.append(
                (
                    "share of the regression",
                    share.name,
                    share.value,
                    error,
                    *ends,
                    n,
                    freedom,
                    None,
                )
            )
    write_table_csv(path, header, rows)


def _means(result: CollectedResult) -> Iterator[tuple[str, str, ScoreMean, float | None]]:
    """Kind, name, share and p-value of all shares."""
    yield "share", "all respondents", result.overall, None
    for name, mean in result.groups:
        yield "share of a group", name, mean, None
    contrast = result.contrast
    if contrast is not None:
        yield "share by the device", "asked with a device", contrast.randomized, None
        yield "share by direct questions", "asked directly", contrast.direct, None
        yield "difference", "device less direct", contrast.difference, contrast.p_value
    for predicted in result.predicted:
        for name, mean in predicted.shares:
            yield "predicted share", f"{predicted.column}: {name}", mean, None


def write_scores(
    path: Path, heads: tuple[str, ...], scores: Floats, *, overwrite: bool = True
) -> None:
    """Writes the unbiased scores of each respondent, empty cells without an answer.

    Args:
        path: The file.
        heads: Names of the scores.
        scores: NaN without an answer, shape (n, scores).
        overwrite: Whether an earlier file of this name may be replaced.

    Raises:
        ReleaseError: The file cannot be written.
    """
    listed: list[list[float]] = scores.tolist()
    rows = ((i, *(None if x != x else x for x in row)) for i, row in enumerate(listed, 1))
    write_table_csv(path, ("row", *heads), rows, overwrite=overwrite)
