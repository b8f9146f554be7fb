"""The memo of collected answers: what they tell, how exactly, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from dpdesk.designs.law import loss_of_trait
from dpdesk.designs.regression import SHARES, CoefficientRow, LogisticFit
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.engine.collected import CollectedResult
from dpdesk.numbers import degrees_words, p_value_text, p_value_words
from dpdesk.numbers.digits import fixed_percent, points_text
from dpdesk.numbers.intervals import share_ends
from dpdesk.reports.number_text import significant_text
from dpdesk.reports.page import page
from dpdesk.reports.survey.sample_plan import PlanSection
from dpdesk.reports.survey.texts import T
from dpdesk.reports.survey.words import epsilon_sentence, parameters_of, proof_sentences
from dpdesk.version import __version__

_REFERENCES = (
    "Korn & Graubard 1990, The American Statistician 44, 270-276: F tests with few clusters",
    "Binder 1983, International Statistical Review 51, 279-292: errors by the sample's design",
    "Graubard & Korn 1999, Biometrics 55, 652-659: predicted shares",
)
_DRAWN = {
    (True, True): T.RESPONDENTS_WITH,
    (True, False): T.RESPONDENTS_WITHOUT,
    (False, True): T.CLUSTERS_WITH,
    (False, False): T.CLUSTERS_WITHOUT,
}
"""How respondents were drawn: whether not in clusters, and whether with replacement."""
_BETWEEN = "{lower} to {upper}"
_LARGEST = 700.0
"""Largest logarithm whose exponential is a number."""


def collected_memo_html(result: CollectedResult, question: str = "", *, paper: bool = False) -> str:
    """Returns the memo as a page without script and network.

    Args:
        result: The estimates from the answers.
        question: The sensitive question; may be empty.
        paper: Whether the page is for a printer that knows few style rules.
    """
    design = result.design
    loss = None if design is None else loss_of_trait(design.groups)
    by_design = result.sample.freedom is not None
    proofs = () if loss is None else proof_sentences(loss)
    return page(
        "collected.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        title=T.RESULTS_TITLE(name=question.strip() or result.request.answer),
        question=question.strip() or T.NO_QUESTION(),
        design=design,
        parameters=() if design is None else parameters_of(design),
        sample=tuple(_sample(result)),
        tables=tuple(_tables(result)),
        epsilon="" if loss is None else epsilon_sentence(loss),
        proofs=(*proofs, T.DIRECT_HIDES_NOTHING())
        if loss is not None and result.asked_directly
        else proofs,
        assumptions=(*_errors(result), T.UNDERSTOOD(), T.CHANCES_EXACT(), T.ALIKE()),
        references=tuple(
            filter(
                None,
                ("" if design is None else design.reference, *(_REFERENCES if by_design else ())),
            )
        ),
        version=__version__,
    )


def _errors(result: CollectedResult) -> Iterator[str]:
    """Yields how errors and intervals were computed."""
    facts = result.sample
    if facts.freedom is not None:
        yield _DRAWN[facts.clusters is None, facts.population is None]()
        yield T.LINEARISED()
        if facts.strata is not None:
            yield T.LESS_STRATA()
        else:
            yield T.LESS_GROUPS() if (facts.asked_apart or 1) > 1 else T.LESS_ONE()
        yield T.OF_MEMBERS()
    else:
        yield T.BY_COUNTS() if facts.population is None else T.FROM_POPULATION()
    if facts.population is not None and (result.fit is not None or result.adherence is not None):
        yield T.NOT_SHORTENED()
    if result.predicted:
        yield T.LOG_ODDS()


def _sample(result: CollectedResult) -> Iterator[tuple[str, str]]:
    """Yields the facts of the sample with their names."""
    facts, request = result.sample, result.request
    yield "Respondents who answered", f"{result.overall.respondents:,}"
    if result.missing:
        yield "Without an answer, left out", T.WITHOUT_ANSWER(count=result.missing)
    if result.asked_directly:
        yield "Asked directly", f"{result.asked_directly:,}"
    if facts.weights:
        yield "Weights", facts.weights
    if facts.strata is not None:
        yield f"Strata ({request.sample.strata})", f"{facts.strata:,}"
    if facts.clusters is not None:
        yield T.CLUSTERS(name=request.sample.clusters), f"{facts.clusters:,}"
    if facts.freedom is not None:
        yield "Degrees of freedom", f"{facts.freedom:,}"
    if facts.lonely_strata:
        yield "Strata with a single cluster", f"{facts.lonely_strata:,} ({facts.lonely})"
    if facts.population is not None:
        what = "people" if facts.clusters is None else "clusters"
        yield "Population", f"{facts.population:,} {what}"


def _tables(result: CollectedResult) -> Iterator[PlanSection]:
    percent = f"{100 * result.request.confidence:g}\u00a0%"
    heads = ("Share with the trait", "Standard error", f"{percent} interval", "Answers")
    said = []
    if result.impossible:
        said.append(T.IMPOSSIBLE(percent=percent))
    elif result.difference is not None:
        said.append(T.GROUPS_DIFFER(test=result.difference.sentence))
    elif len(result.groups) > 1:
        said.append(T.TOO_MANY_GROUPS())
    if result.adherence is not None:
        # Shown of answers that do not fit too: it may tell why.
        found = result.adherence
        freedom = () if found.freedom is None else (degrees_words(found.freedom),)
        said.append(
            T.ADHERENCE(
                title=found.title,
                share=fixed_percent(found.value, 2),
                expected=f"{100 * found.expected:g}\u00a0%",
                test=", ".join((p_value_words(found.p_value), *freedom)),
            )
        )
    rows = [("all", result.overall), *result.groups]
    yield PlanSection(
        "What the answers tell",
        tuple(said),
        ("Respondents", *heads),
        tuple((name, *share_cells(mean)) for name, mean in rows),
    )
    if result.impossible:
        return
    contrast = result.contrast
    if contrast is not None:
        gap, p_value = contrast.difference, contrast.p_value
        points, lower, upper = map(points_text, (gap.estimate, gap.lower, gap.upper))
        yield PlanSection(
            "The device against direct questions",
            (
                T.DEVICE_LESS_DIRECT(gap=points, percent=percent, lower=lower, upper=upper)
                if p_value is None
                else T.DEVICE_LESS_DIRECT_TESTED(
                    gap=points,
                    percent=percent,
                    lower=lower,
                    upper=upper,
                    test=p_value_words(p_value),
                ),
            ),
            ("Asked", *heads),
            (
                ("with the device", *share_cells(contrast.randomized)),
                ("directly", *share_cells(contrast.direct)),
            ),
        )
    if result.fit is not None:
        yield _regression(result.fit, result.request.confidence, percent)
    for predicted in result.predicted:
        test = predicted.test
        yield PlanSection(
            T.PREDICTED(name=predicted.column),
            (
                T.IF_ALL_OF_GROUP(),
                *(() if test is None else (T.DIFFERENCE(test=test.sentence),)),
            ),
            (predicted.column, *heads),
            tuple((name, *share_cells(mean)) for name, mean in predicted.shares),
        )


def _regression(fit: LogisticFit, confidence: float, percent: str) -> PlanSection:
    sentences = [
        T.NOT_TESTED(name=name) if test is None else T.ALL_TOGETHER(name=name, test=test.sentence)
        for name, test in fit.term_tests()
    ]
    if fit.freedom is not None:
        sentences.insert(0, T.ERRORS_HAVE(freedom=degrees_words(fit.freedom)))
    share = fit.open_share
    if share is not None:
        error, name, value = share.standard_error, SHARES[share.name], fixed_percent(share.value, 2)
        sentences.append(
            T.OPEN_SHARE_AT_BOUND(name=name, share=value)
            if error is None
            else T.OPEN_SHARE(name=name, share=value, error=points_text(error))
        )
    return PlanSection(
        T.REGRESSION(count=fit.respondents),
        tuple(sentences),
        ("Term", "Coefficient", "Standard error", "Odds ratio", f"{percent} interval", "p"),
        tuple(term_cells(row) for row in fit.coefficient_rows(confidence)),
    )


def share_cells(mean: ScoreMean, between: str = _BETWEEN) -> tuple[str, str, str, str]:
    """Returns an estimated share, its error, its interval and its respondents, as texts.

    Args:
        mean: The share.
        between: The interval in words, with its ends in braces.
    """
    lower, upper = (fixed_percent(end, 2) for end in share_ends(mean.lower, mean.upper))
    share = fixed_percent(mean.estimate, 2)
    error = "" if mean.stated_error is None else points_text(mean.stated_error)
    return share, error, between.format(lower=lower, upper=upper), f"{mean.respondents:,}"


def term_cells(row: CoefficientRow, between: str = _BETWEEN) -> tuple[str, str, str, str, str, str]:
    """Returns a term of a regression with its odds ratio and the interval of that, as texts.

    Args:
        row: The term.
        between: The interval in words, with its ends in braces.
    """
    return (
        row.name,
        significant_text(row.value, 4),
        significant_text(row.standard_error, 3),
        _odds(row.value),
        between.format(lower=_odds(row.lower), upper=_odds(row.upper)),
        p_value_text(row.p_value),
    )


def _odds(log_ratio: float) -> str:
    if log_ratio > _LARGEST:
        return "beyond all numbers"
    return significant_text(exp(log_ratio), 3)
