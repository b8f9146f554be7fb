"""Everything that answers collected through a device tell, in one piece of work."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dpdesk.data.table import SurveyTable
from dpdesk.data.whole_file import name_of
from dpdesk.data.write_csv import Cell, write_table_csv
from dpdesk.designs import Design
from dpdesk.designs.adherence import Adherence
from dpdesk.designs.regression import LogisticFit
from dpdesk.designs.scores import ScoreMean
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import DpdeskError, ReleaseError
from dpdesk.estimate.answer_sample import Floats
from dpdesk.estimate.survey_answers import (
    DeviceColumns,
    SampleColumns,
    SurveyAnswers,
)
from dpdesk.mechanisms import normal_quantile


@dataclass(frozen=True, slots=True)
class CollectedRequest:
    """What is asked of collected answers; names of columns are empty where there are none.

    Attributes:
        answer: The column of the answers.
        yes: The text that means yes.
        by: The column whose texts are groups to be estimated apart.
        formula: Terms of a logistic regression; empty for none.
        sample: How respondents were drawn.
        devices: Which device each respondent used.
        confidence: Coverage of the intervals.
        missing: Further texts that are no answers.
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
    """What they tell.

    Attributes:
        request: What was asked.
        overall: The share of carriers of all who answered.
        groups: The same of each group, by its text.
        difference: Chi-square, degrees of freedom and p-value of a difference of the groups.
        adherence: The test of adherence, where the design has one.
        fit: The regression.
        refusals: Why there are no groups ("by") or no regression ("formula"), as sentences.
        missing: Number of respondents who did not answer.
        scores: The unbiased score of each respondent, NaN without an answer; shape (n,).
    """

    request: CollectedRequest
    overall: ScoreMean
    groups: tuple[tuple[str, ScoreMean], ...]
    difference: tuple[float, int, float] | None
    adherence: Adherence | None
    fit: LogisticFit | None
    refusals: dict[str, str]
    missing: int
    scores: Floats


def analyse_collected(
    table: SurveyTable, design: Design, request: CollectedRequest, tracker: Tracker
) -> CollectedResult:
    """Estimates from answers; groups or a regression that fail do not take the rest along.

    Raises:
        DpdeskError: The answers, the devices or the sample are not as the request says.
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
    refusals: dict[str, str] = {}
    groups: tuple[tuple[str, ScoreMean], ...] = ()
    difference = None
    if request.by:
        tracker.progress("Estimating the groups", 0.3)
        try:
            groups = tuple(answers.by(request.by, request.confidence))
            difference = answers.difference(request.by, request.confidence)
        except DpdeskError as error:
            refusals["by"] = str(error)
    fit = None
    if request.formula:
        tracker.progress("Finding the most likely coefficients", 0.6)
        try:
            fit = answers.regression(request.formula)
        except DpdeskError as error:
            refusals["formula"] = str(error)
    tracker.tick()
    return CollectedResult(
        request=request,
        overall=overall,
        groups=groups,
        difference=difference,
        adherence=adherence,
        fit=fit,
        refusals=refusals,
        missing=answers.missing,
        scores=answers.scores,
    )


def write_collected(path: Path, result: CollectedResult) -> None:
    """Writes estimates and coefficients as one CSV table.

    Raises:
        ReleaseError: The file cannot be written.
    """
    header = ("kind", "name", "estimate", "se", "lower", "upper", "n")
    rows: list[tuple[Cell, ...]] = [
        (kind, name, m.estimate, m.standard_error, m.lower, m.upper, m.respondents)
        for kind, name, m in (
            ("share", "all respondents", result.overall),
            *(("share of a group", name, mean) for name, mean in result.groups),
        )
    ]
    if result.fit is not None:
        z = normal_quantile(result.request.confidence)
        rows += [
            ("coefficient", name, value, error, value - z * error, value + z * error, n)
            for n in (result.fit.respondents,)
            for name, value, error in coefficients(result.fit)
        ]
        share = result.fit.open_share
        if share is not None:
            error = share.standard_error
            half = None if error is None else z * error
            ends = (None, None) if half is None else (share.value - half, share.value + half)
            n = result.fit.respondents
            rows.append(("share of the regression", share.name, share.value, error, *ends, n))
    _write(path, header, rows)


def write_scores(path: Path, result: CollectedResult) -> None:
    """Writes each respondent's unbiased score; empty without an answer.

    Raises:
        ReleaseError: The file cannot be written.
    """
    listed: list[float] = result.scores.tolist()
    rows: list[tuple[Cell, ...]] = [
        (i, None if score != score else score) for i, score in enumerate(listed, 1)
    ]
    _write(path, ("row", "score"), rows)


def coefficients(fit: LogisticFit) -> list[tuple[str, float, float]]:
    """Returns name, coefficient and standard error of each term."""
    values, errors = fit.coefficients.tolist(), fit.standard_errors.tolist()
    return list(zip(fit.names, values, errors, strict=True))


def _write(path: Path, header: tuple[str, ...], rows: list[tuple[Cell, ...]]) -> None:
    try:
        write_table_csv(path, header, rows)
    except OSError as error:
        raise ReleaseError(
            f"{name_of(path)} cannot be written: {error.strerror}.", remedy="Choose another place."
        ) from None
