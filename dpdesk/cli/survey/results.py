"""What was found, as facts and sentences: the same for counts and for files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from math import exp, isfinite
from typing import TYPE_CHECKING, NamedTuple

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import device_choice, nearly_lines
from dpdesk.cli.survey.texts import T
from dpdesk.cli.terminal import plain, print_facts, print_json
from dpdesk.composition.strength import protection_words, strength_of
from dpdesk.designs.planning import tool_of
from dpdesk.errors import ParameterError
from dpdesk.facts import Fact, Facts
from dpdesk.numbers import bound_text, degrees_words, p_value_text, p_value_words
from dpdesk.numbers.digits import epsilon_up, fixed_percent, percent_text, points_text

if TYPE_CHECKING:
    from dpdesk.designs import Design, Loss, YesNoDesign
    from dpdesk.designs.inference import Adherence
    from dpdesk.designs.number_design import NumberDesign
    from dpdesk.designs.sample_design import Contrast, ScoreMean
    from dpdesk.designs.several_answers import SeveralDesign

Words = Callable[[float], str]
"""Puts a number into words."""


class Output(NamedTuple):
    """What a task found.

    Attributes:
        facts: As JSON has it, and as people read it with a label.
        head: The line above.
        notes: Sentences below.
    """

    facts: Facts
    head: str = ""
    notes: Iterable[str] = ()


def tell(options: argparse.Namespace, output: Output) -> int:
    """Prints what was found, as JSON or for people."""
    if options.json:
        print_json(output.facts.entry())
        return ExitCode.OK
    if output.head:
        print(plain(output.head))
    print_facts(output.facts)
    print()
    for note in dict.fromkeys(output.notes):
        print(plain(note.replace("\u00a0", " ")))
    return ExitCode.OK


def with_device(options: argparse.Namespace, design: Design, output: Output) -> Output:
    """Returns what was found, with the device that respondents use, if one is named."""
    if options.device is None:
        return output
    device = device_choice(options, design).device
    if device is None:
        raise ParameterError(T.ANY_DEVICE())
    own = (
        Fact("name", device.word),
        Fact("needed", tool_of(device, design), T.DEVICE()),
        Fact("fairness", device.fairness, T.FAIRNESS()),
    )
    return output._replace(facts=Facts.of(*output.facts, Fact("device", Facts(own))))


def percent(share: float) -> str:
    """Returns a share in per cent with two decimals."""
    return fixed_percent(share, 2)


def digits(count: int) -> Words:
    """Returns what puts a number into words with so many significant digits."""
    return lambda number: f"{number:,.{count}g}"


def count_words(count: int) -> str:
    """Returns a whole number with commas between thousands."""
    return f"{count:,}"


def between(words: Words) -> Callable[[Iterable[float]], str]:
    """Returns what puts the two ends of an interval into words."""

    def range_words(ends: Iterable[float]) -> str:
        low, high = map(words, ends)
        return T.RANGE(low=low, high=high)

    return range_words


def design_fact(design: Design) -> Fact:
    """Returns a design, with its parameters as people read them."""
    label = T.PARAMETERS() if design.setting else ""
    return Fact("design", design.model_dump(mode="json"), label, lambda _: design.setting)


def estimate_output(design: Design, facts: Iterable[Fact], notes: Iterable[str] = ()) -> Output:
    """Returns estimates beneath their design, with what it says of itself."""
    caution = (design.caution,) if design.caution else ()
    notes = (*nearly_lines(design), *notes, *caution)
    return Output(Facts.of(design_fact(design), *facts), design.title, notes)


def shares_output(design: SeveralDesign, facts: Iterable[Fact], notes: Iterable[str]) -> Output:
    """Returns estimated shares of several answers beneath their design, with its loss."""
    loss = design.loss
    return estimate_output(
        design, (*facts, *epsilon_facts(loss.epsilon)), (*notes, *loss_lines(loss))
    )


def mean_output(design: NumberDesign, facts: Iterable[Fact], notes: Iterable[str]) -> Output:
    """Returns an estimated mean of numbers beneath its design, with its loss."""
    loss = design.loss
    facts = (*facts, *epsilon_facts(loss.epsilon), Fact("delta", loss.delta))
    return estimate_output(design, facts, (*notes, protection_words(loss.epsilon), loss.sentence))


def epsilon_facts(epsilon: float) -> tuple[Fact, ...]:
    """Returns an epsilon as it stands in JSON, which has no infinite numbers."""
    known = isfinite(epsilon)
    return (
        Fact("epsilon", epsilon if known else None),
        Fact("epsilon_infinite", not known),
        Fact("strength", strength_of(epsilon)),
    )


def contrast_fact(contrast: Contrast, confidence: float) -> Fact:
    """Returns the device against direct questions."""
    own = (
        Fact("randomized", Facts(mean_facts(contrast.randomized, confidence)), T.WITH_DEVICE()),
        Fact("direct", Facts(mean_facts(contrast.direct, confidence)), T.DIRECTLY()),
        Fact(
            "difference",
            Facts(mean_facts(contrast.difference, confidence, points_text)),
            T.DIFFERENCE(),
        ),
        Fact("p_value", contrast.p_value, T.P_VALUE(), p_value_text),
    )
    return Fact("contrast", Facts(own), T.CONTRAST())


def mean_facts(
    mean: ScoreMean, confidence: float, words: Words = percent, error_words: Words = points_text
) -> tuple[Fact, ...]:
    """Returns an estimate with its error, its interval and its respondents."""
    return (
        Fact("estimate", mean.estimate, T.ESTIMATE(), words),
        Fact("se", mean.stated_error, T.ERROR(), error_words),
        Fact("interval", [mean.lower, mean.upper], interval_label(confidence), between(words)),
        Fact("df", mean.freedom),
        Fact("n", mean.respondents, T.RESPONDENTS(), count_words),
    )


def interval_label(confidence: float) -> str:
    """Returns what an interval of this coverage is called."""
    return T.INTERVAL(level=percent_text(confidence))


def share_misfit(
    interval: tuple[float, float], confidence: float, design: YesNoDesign | None = None
) -> list[str]:
    """Returns a sentence on a share whose whole interval is impossible, or nothing.

    Args:
        interval: Unmoved: it may reach beyond 0 and 1.
        confidence: Its coverage.
        design: That of a question answered with yes or no; None of any other.
    """
    why: str = T.NO_TRUTH()
    if design is not None:
        why = design.misfit(too_many_carriers=interval[0] > 1)
    return _misfit(interval, (0.0, 1.0), confidence, T.ANY_SHARE(), why)


def mean_misfit(
    interval: tuple[float, float], confidence: float, design: NumberDesign
) -> list[str]:
    """Returns a sentence on a mean whose whole interval lies outside the possible answers."""
    bounds = (design.lower, design.upper)
    return _misfit(interval, bounds, confidence, between(digits(6))(bounds), T.NO_TRUTH())


def _misfit(
    interval: tuple[float, float],
    bounds: tuple[float, float],
    confidence: float,
    possible: str,
    why: str,
) -> list[str]:
    if bounds[0] <= interval[1] and interval[0] <= bounds[1]:
        return []
    told = T.MISFIT(interval=interval_label(confidence), possible=possible, why=why)
    return [told, told.remedy]


def adherence_note(found: Adherence) -> str:
    """Returns in words whether respondents follow the instruction."""
    law = f"z = {found.statistic:.3f}"
    if found.freedom is not None:
        law = T.T_TEST(statistic=f"{found.statistic:.3f}", degrees=degrees_words(found.freedom))
    return T.ADHERENCE(
        quantity=found.title,
        value=percent(found.value),
        expected=percent_text(found.expected),
        law=law,
        p=p_value_words(found.p_value),
    )


def loss_lines(loss: Loss) -> list[str]:
    """Returns in words what the answers disclose."""
    lines = [protection_words(loss.epsilon), T.INFINITE_LOSS()]
    if isfinite(loss.epsilon):
        factor = bound_text(exp(loss.epsilon), 4)
        lines[1] = T.LOSS(epsilon=epsilon_up(loss.epsilon), factor=factor)
    for answer in loss.answers:
        named = T.QUOTED(answer=answer.answer)
        if answer.group:
            named = T.QUOTED_IN_GROUP(answer=answer.answer, group=answer.group)
        if answer.ratio is None:
            lines.append(T.PROVES(answer=named, kind=answer.rules_out))
        elif answer.ratio > 1:
            ratio = bound_text(float(answer.ratio), 4)
            lines.append(T.POINTS_TO(answer=named, factor=ratio, kind=answer.points_to))
    return lines
