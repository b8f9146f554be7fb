"""`dpdesk survey simulate`: what surveys like this one would show."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.options import add_design, add_device, add_supposed
from dpdesk.cli.values import confidence, seed, share, whole

if TYPE_CHECKING:
    from dpdesk.cli.survey.results import Output
    from dpdesk.designs.estimator_law import SurveyOutcomes
    from dpdesk.preview.survey import SupposedMean, SupposedShares, SupposedSurvey


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey simulate`."""
    add_design(parser)
    add_device(parser)
    parser.add_argument("--prevalence", type=share, metavar="PI", help="the true share of carriers")
    add_supposed(parser)
    parser.add_argument("--respondents", type=whole, required=True, metavar="N")
    parser.add_argument("--repetitions", type=whole, default=1000, metavar="R")
    parser.add_argument("--seed", type=seed, default=1, metavar="S", help="the same seed repeats")
    parser.add_argument(
        "--exact", action="store_true", help="go through all outcomes instead: one group, n to 5000"
    )
    parser.add_argument(
        "--deny",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="carriers who deny in any case; with --shares, who hide the answer of --look; with "
        "--mean, who act as if the least number were theirs",
    )
    parser.add_argument(
        "--refuse",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="non-carriers who never say yes, even when the device orders it",
    )
    parser.add_argument(
        "--careless",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="respondents who answer at random",
    )
    parser.add_argument("--confidence", type=confidence, default=0.95, metavar="SHARE")


def supposed(options: argparse.Namespace) -> SupposedSurvey:
    """Returns the survey that the words describe; what it would show is computed when asked for."""
    from dpdesk.cli.survey.request import by_quantity, supposed_share

    def itself(_: argparse.Namespace, survey: SupposedSurvey) -> SupposedSurvey:
        return survey

    return by_quantity(options, supposed_share, itself, itself)


def run(options: argparse.Namespace) -> int:
    """Prints the bias, the errors and the coverage of hypothetical surveys."""
    from dpdesk.cli.survey.request import by_quantity
    from dpdesk.cli.survey.results import tell, with_device

    found = by_quantity(options, _share, _shares, _mean)
    if options.device is not None:
        found = with_device(options, supposed(options).design, found)
    return tell(options, found)


def _share(options: argparse.Namespace) -> Output:
    """The share of carriers."""
    from dpdesk.cli.survey.request import supposed_share

    survey = supposed_share(options)
    found = survey.outcomes()
    content = {
        "simulation": True,
        "exact": found.exact,
        "seed": found.seed,
        "design": survey.design.model_dump(mode="json"),
        "prevalence": survey.prevalence,
        "n": survey.respondents,
        "repetitions": None if found.exact else survey.repetitions,
        "deny": survey.deny,
        "refuse": survey.refuse,
        "careless": survey.careless,
        "confidence": survey.confidence,
        **_entry(found, "negative_estimates"),
    }
    lines = [
        f"estimates: mean {100 * found.mean:.3f} %, by theory {100 * found.theory.mean:.3f} %, "
        f"true share {100 * found.truth:.3f} %",
        f"standard deviation {100 * found.spread:.3f} pp, by theory "
        f"{100 * found.planned_error:.3f} pp",
        _coverage(found, survey, "share"),
        f"negative estimates: {100 * found.beyond:.1f} %",
    ]
    return _output(survey, content, lines)


def _shares(options: argparse.Namespace, survey: SupposedShares) -> Output:
    """The shares of several answers."""
    from dpdesk.preview.survey import belief_table

    if not options.deny:
        refuse_ignored(options, {"look"}, "without --deny: no answer is hidden")
    found, theory = survey.all_outcomes(), survey.shares_theory
    table = belief_table(survey.design, survey.shares)
    columns = (found.means, found.spreads, theory.errors, found.coverage, found.negative)
    lines = [
        f"answer {number}: true share {100 * share:.3f} %, estimates {100 * mean:.3f} %, standard "
        f"deviation {100 * spread:.3f} pp, by theory {100 * error:.3f} pp, intervals that hold it "
        f"{100 * held:.1f} %, negative {100 * negative:.1f} %"
        for number, (share, mean, spread, error, held, negative) in enumerate(
            zip(survey.shares, *(column.tolist() for column in columns), strict=True), start=1
        )
    ]
    for report in table.proofs:
        ruled = ", ".join(str(index + 1) for index in report.ruled_out)
        lines.append(f"epsilon is infinite: answer {report.answer + 1} rules out {ruled}")
    content = _head(survey, survey.deny) | {
        "look": survey.looked + 1,
        "careless": survey.careless,
        "answers": [
            {
                "share": share,
                "mean_estimate": float(found.means[index]),
                "bias": float(found.means[index]) - share,
                "planned_bias": float(theory.means[index]) - share,
                "standard_deviation": float(found.spreads[index]),
                "planned_error": float(theory.errors[index]),
                "coverage": float(found.coverage[index]),
                "negative_estimates": float(found.negative[index]),
            }
            for index, share in enumerate(survey.shares)
        ],
        "reports": [
            {
                "answer": report.answer + 1,
                "chance": report.chance,
                "beliefs": list(report.beliefs),
                "ratio": report.ratio,
                "rules_out": [index + 1 for index in report.ruled_out],
            }
            for report in table.reports
        ],
        "reports_are_of_one_answer": table.alone,
    }
    return _output(survey, content, lines)


def _mean(_: argparse.Namespace, survey: SupposedMean) -> Output:
    """The mean of a number."""
    from dpdesk.engine.simulate.surveys import draws_everybody

    found, loss = survey.outcomes(), survey.design.loss
    content = _head(survey, survey.understating) | {
        "delta": loss.delta,
        "mean": survey.mean,
        "deviation": survey.deviation,
        "every_respondent_drawn": draws_everybody(survey.respondents, survey.repetitions),
        **_entry(found, "outside_estimates"),
    }
    lines = [
        f"estimates: mean {found.mean:.6g}, by theory {found.theory.mean:.6g}, true mean "
        f"{survey.mean:.6g}",
        f"standard deviation {found.spread:.4g}, by theory {found.theory.error:.4g}",
        _coverage(found, survey, "mean"),
        f"estimates outside of the bounds: {100 * found.beyond:.1f} %",
        loss.sentence,
    ]
    return _output(survey, content, lines)


def _output(survey: SupposedSurvey, content: dict[str, object], lines: list[str]) -> Output:
    """What was found, beneath what says that it is no data, and the design."""
    from dpdesk.cli.survey.design_choice import taken_lines
    from dpdesk.cli.survey.results import Output, below
    from dpdesk.composition.strength import protection_words, strength_of

    protection = protection_words(survey.epsilon)
    head = f"Simulation, not data (seed {survey.seed}): {survey.repetitions:,} surveys"
    if survey.is_exact:
        head = "Theory, not data: all outcomes of such a survey, with their chances"
    content |= {"strength": strength_of(survey.epsilon)}
    return Output(content, below(head, [*taken_lines(survey.design), *lines, protection]))


def _head(survey: SupposedSurvey, deny: float) -> dict[str, object]:
    """What is supposed of a survey of several answers or of a number, as it stands in JSON."""
    from dpdesk.cli.survey.results import epsilon_entry

    return {
        "simulation": True,
        "seed": survey.seed,
        "design": survey.design.model_dump(mode="json"),
        **epsilon_entry(survey.epsilon),
        "n": survey.respondents,
        "repetitions": survey.repetitions,
        "confidence": survey.confidence,
        "deny": deny,
    }


def _entry(found: SurveyOutcomes, beyond: str) -> dict[str, object]:
    """The estimates of one quantity as they stand in JSON.

    Args:
        found: The estimates.
        beyond: The name of the share of them that no truth could be.
    """
    return {
        "mean_estimate": found.mean,
        "bias": found.bias,
        "planned_bias": found.theory.mean - found.truth,
        "standard_deviation": found.spread,
        "planned_error": found.planned_error,
        "coverage": found.coverage,
        beyond: found.beyond,
    }


def _coverage(found: SurveyOutcomes, survey: SupposedSurvey, what: str) -> str:
    wide = " at the widest" if survey.design.error_is_bound else ""
    return (
        f"{100 * survey.confidence:g} % intervals{wide} that hold the true {what}: "
        f"{100 * found.coverage:.1f} %"
    )
