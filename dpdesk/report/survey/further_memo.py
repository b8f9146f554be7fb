"""The planning memo of a question with several answers, or of one answered by a number."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt

from dpdesk import __version__
from dpdesk.designs import Design
from dpdesk.designs.beliefs import BeliefTable, ReportBelief, belief_table
from dpdesk.designs.number_design import NumberDesign, TrueNumbers
from dpdesk.designs.planning import require_share
from dpdesk.designs.probability import parameter_text
from dpdesk.designs.several_answers import SeveralDesign, share_variances
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import normal_quantile
from dpdesk.report.number_text import (
    chance_text,
    epsilon_up,
    error_text,
    joined,
    significant_text,
    typed_share_text,
)
from dpdesk.report.page import page
from dpdesk.report.survey.sheet import SheetPart, sheet_parts
from dpdesk.report.survey.words import factor_text

_ASSUMPTIONS = (
    "Respondents are a simple random sample, and each answers independently of the others.",
    "Everybody understands and follows the instruction; who hides an answer or answers at random "
    "adds a bias that no margin of error shows.",
    "The device has exactly the chances that are given, and nobody but the respondent sees it.",
    "The margins of error are those of the normal approximation at the supposed answers.",
)
_LARGEST = 20.0
"""Epsilon up to which the factor is written out."""


@dataclass(frozen=True, slots=True)
class SeveralMemoRequest:
    """What the memo of a question with several answers is about.

    Attributes:
        question: The question; may be empty.
        design: The design with its parameters.
        names: The words of the answers; numbers stand for those that are missing.
        shares: The supposed true shares; their sum is 1.
        respondents: Number of respondents.
        confidence: Coverage of the intervals.
    """

    question: str
    design: SeveralDesign
    names: tuple[str, ...]
    shares: tuple[float, ...]
    respondents: int
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class NumberMemoRequest:
    """What the memo of a question answered by a number is about.

    Attributes:
        question: The question; may be empty.
        design: The design with its parameters and the bounds of true answers.
        mean: The supposed mean of the true answers.
        deviation: Their supposed standard deviation.
        respondents: Number of respondents.
        unit: The unit of the answers; may be empty.
        confidence: Coverage of the interval.
    """

    question: str
    design: NumberDesign
    mean: float
    deviation: float
    respondents: int
    unit: str = ""
    confidence: float = 0.95


@dataclass(frozen=True, slots=True)
class MemoTable:
    """A table of the memo, as texts; the first cell of a row is its head."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def several_memo_html(request: SeveralMemoRequest, *, paper: bool = False) -> str:
    """Returns the memo as a page without script and network.

    Args:
        request: What it is about.
        paper: Whether the page is for a printer that knows few style rules.

    Raises:
        ParameterError: A number is impossible.
    """
    _require(request.respondents, request.confidence)
    design = request.design
    table = belief_table(design, request.shares)
    names = _names(request)
    (part,) = sheet_parts(design, request.question, names)
    return _page(
        request.question,
        design,
        sample=_shares(request, names),
        betrayal=_sentence(table.epsilon),
        proofs=_proofs(table, names),
        beliefs=_beliefs(table, names),
        part=part,
        respondents=request.respondents,
        paper=paper,
    )


def number_memo_html(request: NumberMemoRequest, *, paper: bool = False) -> str:
    """Returns the memo as a page without script and network.

    Args:
        request: What it is about.
        paper: Whether the page is for a printer that knows few style rules.

    Raises:
        ParameterError: A number is impossible.
    """
    _require(request.respondents, request.confidence)
    design = request.design
    loss = design.loss
    sentence = f"{loss.sentence[0].upper()}{loss.sentence[1:]}."
    finite = isfinite(loss.epsilon)
    return _page(
        request.question,
        design,
        sample=_mean(request),
        betrayal=_sentence(loss.epsilon, "true number"),
        proofs=() if finite else (sentence,),
        beliefs=None,
        part=sheet_parts(design, request.question)[0],
        respondents=request.respondents,
        paper=paper,
    )


def _page(
    question: str,
    design: Design,
    *,
    sample: MemoTable,
    betrayal: str,
    proofs: tuple[str, ...],
    beliefs: MemoTable | None,
    part: SheetPart,
    respondents: int,
    paper: bool,
) -> str:
    title = question.strip() or "No question was written."
    return page(
        "further_memo.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        title=f"Planning memo: {question.strip() or design.title}",
        question=title,
        design=design,
        parameters=tuple(
            (parameter.title, parameter_text(getattr(design, parameter.name)))
            for parameter in design.parameters()
        ),
        respondents=f"{respondents:,}",
        sample=sample,
        betrayal=betrayal,
        proofs=proofs,
        beliefs=beliefs,
        part=part,
        assumptions=_ASSUMPTIONS,
        references=(design.reference, "Chaudhuri & Mukerjee 1988, Randomized Response"),
        version=__version__,
    )


def _require(respondents: int, confidence: float) -> None:
    require_share(confidence, "confidence")
    if respondents < 2:
        raise ParameterError("A survey has at least 2 respondents.", remedy="Type a larger number.")


def _names(request: SeveralMemoRequest) -> tuple[str, ...]:
    return request.design.answer_names(request.names)


def _shares(request: SeveralMemoRequest, names: tuple[str, ...]) -> MemoTable:
    z = normal_quantile(request.confidence)
    percent = f"{100 * request.confidence:g}\u00a0%"
    rows = []
    for name, share, sampling, privacy in zip(
        names, request.shares, *share_variances(request.design, request.shares), strict=True
    ):
        margin = z * sqrt((sampling + privacy) / request.respondents)
        factor = 1 + privacy / sampling if sampling else inf
        rows.append(
            (
                name,
                typed_share_text(share),
                f"± {error_text(margin, '', share=True)}",
                f"{significant_text(factor, 3)} ×" if isfinite(factor) else "∞",
            )
        )
    heads = ("Answer", "Expected share", f"Margin of error ({percent})", "Design effect")
    return MemoTable(heads, tuple(rows))


def _mean(request: NumberMemoRequest) -> MemoTable:
    design = request.design
    # Refuses a mean and a deviation that no answers between the bounds have.
    TrueNumbers(request.mean, request.deviation, design.lower, design.upper)
    sampling, privacy = design.planned_variance(request.mean, request.deviation**2)
    z = normal_quantile(request.confidence)
    percent = f"{100 * request.confidence:g}\u00a0%"
    unit = f" {request.unit}" if request.unit else ""
    n = request.respondents

    def amount(value: float) -> str:
        return f"{significant_text(value, 3)}{unit}"

    rows = (
        ("Expected mean", amount(request.mean)),
        ("Expected standard deviation", amount(request.deviation)),
        (f"Margin of error ({percent})", f"± {amount(z * sqrt((sampling + privacy) / n))}"),
        ("of this, sampling alone", f"± {amount(z * sqrt(sampling / n))}"),
        ("of this, the device alone", f"± {amount(z * sqrt(privacy / n))}"),
        ("Design effect", f"{significant_text(1 + privacy / sampling, 3)} × a direct question's"),
    )
    return MemoTable(("", ""), rows)


def _sentence(epsilon: float, what: str = "true answer") -> str:
    if not isfinite(epsilon):
        return f"ε is infinite: an answer can rule a {what} out for certain."
    factor = f"e^{epsilon_up(epsilon)}" if epsilon > _LARGEST else factor_text(epsilon)
    return (
        f"ε = {epsilon_up(epsilon)}: no answer is more than e^ε = {factor} times likelier of one "
        f"{what} than of another."
    )


def _proofs(table: BeliefTable, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        f"“{names[report.answer]}” is a proof: whoever says it is not "
        f"{joined([f'“{names[index]}”' for index in report.ruled_out])}."
        for report in table.proofs
    )


def _beliefs(table: BeliefTable, names: tuple[str, ...]) -> MemoTable:
    heads = ("Report", *(f"Belief: {name}" for name in names), "Given by", "Times likelier")
    first = ("before any report", *map(_belief, table.prior), "", "")
    return MemoTable(heads, (first, *(_belief_row(table, row, names) for row in table.reports)))


def _belief_row(
    table: BeliefTable, report: ReportBelief, names: tuple[str, ...]
) -> tuple[str, ...]:
    name = names[report.answer]
    return (
        name if table.alone else f"for {name} alone",
        *map(_belief, report.beliefs),
        chance_text(report.chance) if report.chance is not None else "one of many",
        "infinitely" if report.ratio is None else significant_text(report.ratio, 3),
    )


def _belief(belief: float) -> str:
    return f"{100 * belief:.0f}\u00a0%" if belief in {0.0, 1.0} else chance_text(belief)
