"""The planning memo: what was chosen, what it costs, what it betrays, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpdesk import __version__
from dpdesk.designs import Jeopardy, YesNoDesign
from dpdesk.designs.beliefs import Belief, beliefs_after
from dpdesk.designs.law import loss_of_trait
from dpdesk.designs.planning import plan_of_sample, power, respondents_to_beat_direct
from dpdesk.report.number_text import chance_text, error_text, significant_text, typed_share_text
from dpdesk.report.page import page
from dpdesk.report.survey.sample_plan import (
    PlannedQuestions,
    PlannedStrata,
    PlanSection,
    questions_section,
    strata_section,
)
from dpdesk.report.survey.sheet import sheet_parts
from dpdesk.report.survey.words import epsilon_sentence, parameters_of, proof_sentences

_ASSUMPTIONS = (
    "Respondents are a simple random sample, and each answers independently of the others.",
    "Everybody understands and follows the device; who denies or answers at random adds a bias "
    "that no margin of error shows.",
    "The device has exactly the chances that are given, and nobody but the respondent sees it.",
    "The margin of error is that of the normal approximation at the expected share.",
)
_REFERENCES = (
    "Leysieffer & Warner 1976, JASA 71, 649-656: jeopardy of an answer; ε is its logarithm",
    "Lanke 1976, Int. Stat. Rev. 44, 197-203: the largest belief after an answer",
    "Chaudhuri & Mukerjee 1988, Randomized Response: variance of the estimate",
)


@dataclass(frozen=True, slots=True)
class MemoRequest:
    """What a memo is about.

    Attributes:
        question: The sensitive question; may be empty.
        design: The design with its parameters.
        prevalence: The expected share of carriers, between 0 and 1.
        respondents: Number of respondents.
        confidence: Coverage of the interval.
        population: Size of a finite population, or None.
        weights_cv: Standard deviation of the respondents' weights over their mean.
        against: Share of the null hypothesis of a test, or None.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.
        second: The design of a second group of as many respondents, whose share `against` is; None
            where it is a fixed share.
        denial: Share of the carriers who would deny when asked directly, or None.
        others: The innocent questions of the design.
        strata: A plan of strata, or None.
        questions: A plan of several questions, or None.
    """

    question: str
    design: YesNoDesign
    prevalence: float
    respondents: int
    confidence: float = 0.95
    population: int | None = None
    weights_cv: float = 0.0
    against: float | None = None
    alpha: float = 0.05
    two_sided: bool = False
    second: YesNoDesign | None = None
    denial: float | None = None
    others: tuple[str, ...] = ()
    strata: PlannedStrata | None = None
    questions: PlannedQuestions | None = None


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """What one answer betrays, as texts."""

    answer: str
    group: str
    share: str
    likelier: str
    points_to: str
    belief: str


def memo_html(request: MemoRequest, *, paper: bool = False) -> str:
    """Returns the memo as a page without script and network.

    Args:
        request: What it is about.
        paper: Whether the page is for a printer that knows few style rules.

    Raises:
        ParameterError: A number is impossible.
    """
    design, loss = request.design, loss_of_trait(request.design.groups)
    beliefs = beliefs_after(design, request.prevalence)
    spoken = design.instructions()[0].spoken
    highest = max(beliefs, key=lambda belief: belief.belief)
    return page(
        "memo.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        title=f"Planning memo: {request.question.strip() or design.title}",
        question=request.question.strip() or "No question was written.",
        design=design,
        parameters=parameters_of(design),
        epsilon=epsilon_sentence(loss),
        proofs=proof_sentences(loss),
        prior=typed_share_text(request.prevalence),
        answers=_answer_lines(loss.answers, beliefs, spoken),
        lanke=(spoken.get(highest.answer, highest.answer), _belief(highest.belief)),
        sample=_sample(request),
        sections=_sections(request),
        parts=sheet_parts(design, request.question, request.others),
        assumptions=_ASSUMPTIONS,
        references=tuple(filter(None, (design.reference, *_REFERENCES))),
        version=__version__,
    )


def _sample(request: MemoRequest) -> tuple[tuple[str, str], ...]:
    sample = plan_of_sample(
        request.design,
        request.prevalence,
        request.respondents,
        request.confidence,
        request.population,
        request.weights_cv,
    )
    percent = f"{100 * request.confidence:g}\u00a0%"
    rows = [
        ("Expected share", typed_share_text(request.prevalence)),
        ("Respondents", f"{request.respondents:,}"),
        (f"Margin of error ({percent})", f"± {error_text(sample.margin, '', share=True)}"),
        ("Design effect", f"{significant_text(sample.design_effect, 3)} × a direct question's"),
        (
            "Effective sample",
            f"as much as {sample.effective_respondents:,.0f} direct, truthful answers",
        ),
    ]
    if request.population is not None:
        rows.insert(2, ("Population", f"{request.population:,}"))
    if request.against is not None:
        chance = power(
            request.design,
            request.against,
            request.prevalence,
            request.respondents,
            request.alpha,
            two_sided=request.two_sided,
            second=request.second,
        )
        sides = "two-sided" if request.two_sided else "one-sided"
        other = ""
        if request.second is not None:
            how = "with the same device" if request.second == request.design else "directly"
            other = f" of a second group of as many, asked {how}"
        rows.append(
            (
                f"Power against {typed_share_text(request.against)}{other}",
                f"{chance_text(chance)} at level {request.alpha:g}, {sides}",
            )
        )
    if request.denial is not None:
        needed = respondents_to_beat_direct(
            request.design,
            request.prevalence,
            request.denial,
            request.population,
            request.weights_cv,
        )
        rows.append(
            (
                f"If {typed_share_text(request.denial)} of carriers deny when asked directly",
                f"the design errs less from {needed:,} respondents on"
                if needed is not None
                else f"the design errs more even if all {request.population:,} people are asked",
            )
        )
    return tuple(rows)


def _sections(request: MemoRequest) -> tuple[PlanSection, ...]:
    sections = []
    if request.strata is not None:
        sections.append(strata_section(request.strata))
    if request.questions is not None:
        sections.append(questions_section(request.questions))
    return tuple(sections)


def _answer_lines(
    jeopardies: tuple[Jeopardy, ...], beliefs: tuple[Belief, ...], spoken: Mapping[str, str]
) -> tuple[AnswerLine, ...]:
    after = {(belief.group, belief.answer): belief for belief in beliefs}
    lines = []
    for found in jeopardies:
        belief = after.get((found.group, found.answer))
        if belief is None:
            continue
        ratio = "infinitely" if found.ratio is None else significant_text(float(found.ratio), 3)
        lines.append(
            AnswerLine(
                spoken.get(found.answer, found.answer),
                found.group,
                chance_text(belief.chance),
                ratio if found.ratio != 1 else "1",
                found.points_to if found.ratio != 1 else "nobody",
                _belief(belief.belief),
            )
        )
    return tuple(lines)


def _belief(belief: float) -> str:
    """A belief in per cent; certainty, which a proof gives, is printed as such."""
    return f"{100 * belief:.0f}\u00a0%" if belief in {0.0, 1.0} else chance_text(belief)
