"""`dpdesk survey plan` for strata, and for several questions of one questionnaire."""

from __future__ import annotations

import argparse

from dpdesk.designs import YesNoDesign, design_named
from dpdesk.designs.planning import (
    Question,
    Stratum,
    allocate,
    plan_of_questionnaire,
    plan_of_strata,
    respondents_for_strata,
)
from dpdesk.errors import ParameterError
from dpdesk.numbers import real_number


def plan_strata(options: argparse.Namespace, design: YesNoDesign) -> dict[str, object]:
    """Returns respondents and margins of strata and of the whole."""
    rows = [_numbers(text, "--stratum", "SHARE:PI[:N]") for text in options.stratum]
    strata = [Stratum(row[0], row[1]) for row in rows]
    given = [int(row[2]) for row in rows if len(row) > 2]
    if options.weights_cv or options.population is not None:
        raise ParameterError(
            "Strata are planned without further weights, for a large population.",
            remedy="Leave out --weights-cv and --population.",
        )
    if given:
        if len(given) < len(rows) or any(len(row) > 2 and row[2] != int(row[2]) for row in rows):
            raise ParameterError(
                "Some strata have a whole number of respondents, and some have none.",
                remedy="Give one for every stratum, or for none.",
            )
        found = plan_of_strata(design, strata, given, options.confidence)
    elif options.margin is not None:
        found = respondents_for_strata(
            design, strata, options.margin, options.allocation, options.confidence
        )
    elif options.respondents is not None:
        counts = allocate(design, strata, options.respondents, options.allocation)
        found = plan_of_strata(design, strata, counts, options.confidence)
    else:
        raise ParameterError(
            "Strata need a margin or a number of respondents.",
            remedy="Add --margin M or --respondents N, or a number to every --stratum.",
        )
    return {
        "n": found.total,
        "prevalence": found.prevalence,
        "margin": found.margin,
        "unstratified_margin": found.unstratified_margin,
        "strata": [
            {"share": s.share, "prevalence": s.prevalence, "n": n, "margin": margin}
            for s, n, margin in zip(strata, found.respondents, found.margins, strict=True)
        ],
    }


def plan_questions(options: argparse.Namespace) -> dict[str, object]:
    """Returns the respondents that several questions need within one budget."""
    if options.epsilon is None:
        raise ParameterError(
            "Several questions need a budget.", remedy="Add --epsilon E, for all answers together."
        )
    if options.set:
        raise ParameterError(
            "The parts of the budget decide the parameters of every question.",
            remedy="Leave out --set.",
        )
    rows = [_numbers(text, "--question", "PI:MARGIN[:WEIGHT]") for text in options.question]
    questions = [Question(*row) for row in rows]
    kind = design_named(options.design or "warner")
    found = plan_of_questionnaire(
        kind, questions, options.epsilon, options.split, options.confidence
    )
    return {
        "n": found.respondents,
        "epsilon": found.epsilon,
        "questions": [
            {
                "prevalence": planned.question.prevalence,
                "epsilon": planned.epsilon,
                "margin": planned.margin,
                "design": planned.design.model_dump(mode="json"),
            }
            for planned in found.questions
        ],
    }


def _numbers(text: str, word: str, form: str) -> list[float]:
    parts = [real_number(part.strip()) for part in text.split(":")]
    numbers = [number for number in parts if number is not None]
    if len(numbers) < len(parts) or len(numbers) not in {2, 3}:
        raise ParameterError(
            f"{word} {text} is not of the form {form}.",
            remedy=f"Write, for example, {word} 0.3:0.1.",
        )
    return numbers
