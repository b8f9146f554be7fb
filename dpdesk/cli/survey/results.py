"""What was found, in words and as it stands in JSON: the same for counts and for files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from math import exp, isfinite
from typing import TYPE_CHECKING, NamedTuple

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import device_choice, taken_lines
from dpdesk.cli.terminal import print_json
from dpdesk.composition.strength import protection_words, strength_of
from dpdesk.designs.planning import tool_of
from dpdesk.errors import ParameterError
from dpdesk.numbers import bound_text, degrees_words, p_value_words
from dpdesk.numbers.digits import epsilon_up

if TYPE_CHECKING:
    from dpdesk.designs import Design, Loss, YesNoDesign
    from dpdesk.designs.inference import Adherence
    from dpdesk.designs.number_design import NumberDesign
    from dpdesk.designs.sample_design import Contrast, ScoreMean
    from dpdesk.designs.several_answers import SeveralDesign


_NO_TRUTH = "No true answers bring such ones about"


class Output(NamedTuple):
    """What a task found.

    Attributes:
        content: As it stands in JSON.
        lines: As people read it.
    """

    content: dict[str, object]
    lines: Iterable[str]


def tell(options: argparse.Namespace, output: Output) -> int:
    """Prints what was found, as JSON or as lines."""
    if options.json:
        print_json(output.content)
    else:
        for line in output.lines:
            print(line)
    return ExitCode.OK


def with_device(options: argparse.Namespace, design: Design, output: Output) -> Output:
    """Returns what was found, with the device that respondents use, if one is named.

    Raises:
        ParameterError: There is no such device, or it lacks the chances of the design; then
            answers that came through it are not those of the design.
    """
    if options.device is None:
        return output
    device = device_choice(options, design).device
    if device is None:
        raise ParameterError(
            "Which device respondents use is not said.", remedy="Name it, as in --device die."
        )
    entry = {"name": device.word, "needed": tool_of(device, design), "fairness": device.fairness}
    told = f"device: {entry['needed']}. {device.fairness}"
    return Output(output.content | {"device": entry}, [*output.lines, f"  {told}"])


def below(head: str, lines: Iterable[str]) -> Iterator[str]:
    """Yields a line and others below it."""
    yield head
    for line in lines:
        yield f"  {line}"


def shares_output(
    design: SeveralDesign, content: dict[str, object], lines: Iterable[str]
) -> Output:
    """Returns estimated shares of several answers beneath their design, with its loss."""
    loss = design.loss
    entry = content | epsilon_entry(loss.epsilon)
    return _beneath(design, entry, [*lines, *loss_lines(loss)])


def mean_output(design: NumberDesign, content: dict[str, object], lines: Iterable[str]) -> Output:
    """Returns an estimated mean of numbers beneath its design, with its loss."""
    loss = design.loss
    entry = content | epsilon_entry(loss.epsilon) | {"delta": loss.delta}
    return _beneath(design, entry, [*lines, protection_words(loss.epsilon), loss.sentence])


def _beneath(design: Design, content: dict[str, object], lines: Iterable[str]) -> Output:
    caution = (design.caution,) if design.caution else ()
    return Output(
        {"design": design.model_dump(mode="json")} | content,
        below(f"{design.title}:", [*taken_lines(design), *lines, *caution]),
    )


def epsilon_entry(epsilon: float) -> dict[str, object]:
    """Returns an epsilon as it stands in JSON, which has no infinite numbers."""
    known = isfinite(epsilon)
    return {
        "epsilon": epsilon if known else None,
        "epsilon_infinite": not known,
        "strength": strength_of(epsilon),
    }


def contrast_entry(contrast: Contrast) -> dict[str, object]:
    """Returns a contrast as it stands in JSON."""
    return {
        "randomized": mean_entry(contrast.randomized),
        "direct": mean_entry(contrast.direct),
        "difference": mean_entry(contrast.difference),
        "p_value": contrast.p_value,
    }


def mean_entry(mean: ScoreMean) -> dict[str, object]:
    """Returns an estimate as it stands in JSON."""
    return {
        "estimate": mean.estimate,
        "se": mean.stated_error,
        "interval": [mean.lower, mean.upper],
        "df": mean.freedom,
        "n": mean.respondents,
    }


def contrast_lines(contrast: Contrast, confidence: float) -> Iterator[str]:
    """Yields the device against direct questions, as lines."""
    percent = f"{100 * confidence:g} %"
    yield f"asked with the device: {mean_words(contrast.randomized, confidence)}"
    yield f"asked directly: {mean_words(contrast.direct, confidence)}"
    gap = contrast.difference
    chance = "" if contrast.p_value is None else f", {p_value_words(contrast.p_value)}"
    yield (
        f"device less direct: {100 * gap.estimate:.2f} pp{error_words(gap.stated_error)}, "
        f"{percent} interval {100 * gap.lower:.2f} to {100 * gap.upper:.2f} pp{chance}"
    )


def mean_words(mean: ScoreMean, confidence: float) -> str:
    """Returns a share with its error and its interval in words."""
    return share_words(mean.estimate, mean.stated_error, (mean.lower, mean.upper), confidence)


def error_words(error: float | None) -> str:
    """Returns a standard error behind an estimate, in words; nothing where it is not known."""
    return "" if error is None else f", standard error {100 * error:.2f} pp"


def share_words(
    share: float, error: float | None, interval: tuple[float, float], confidence: float
) -> str:
    """Returns a share with its error and its interval in words."""
    low, high = interval
    return (
        f"{100 * share:.2f} %{error_words(error)}, "
        f"{100 * confidence:g} % interval {100 * low:.2f} % to {100 * high:.2f} %"
    )


def share_misfit(
    interval: tuple[float, float], confidence: float, design: YesNoDesign | None = None
) -> list[str]:
    """Returns a sentence on a share whose whole interval is impossible, or nothing.

    Args:
        interval: As it is, not moved between 0 and 1.
        confidence: Its coverage.
        design: That of a question answered with yes or no; None of any other.
    """
    why = _NO_TRUTH
    if design is not None:
        why = design.misfit(too_many_carriers=interval[0] > 1)
    return _misfit(interval, (0.0, 1.0), f"{100 * confidence:g} % interval", "0 to 100 %", why)


def mean_misfit(
    interval: tuple[float, float], confidence: float, design: NumberDesign
) -> list[str]:
    """Returns a sentence on a mean whose whole interval lies outside the possible answers."""
    bounds, named = (design.lower, design.upper), f"{100 * confidence:g} % interval"
    return _misfit(interval, bounds, named, f"{bounds[0]:g} to {bounds[1]:g}", _NO_TRUTH)


def _misfit(
    interval: tuple[float, float], bounds: tuple[float, float], named: str, between: str, why: str
) -> list[str]:
    if bounds[0] <= interval[1] and interval[0] <= bounds[1]:
        return []
    return [
        f"the whole {named} lies outside {between}. {why}: a parameter or what counts as an answer "
        "is wrong, or respondents did not follow the instruction."
    ]


def adherence_lines(found: Adherence) -> list[str]:
    """Returns in words whether respondents follow the instruction."""
    law, freedom = "z", ""
    if found.freedom is not None:
        law, freedom = "t", f" with {degrees_words(found.freedom)}"
    return [
        f"adherence: {found.title} {100 * found.value:.2f} %, expected {100 * found.expected:g} %; "
        f"{law} = {found.statistic:.3f}{freedom}, {p_value_words(found.p_value)}"
    ]


def loss_lines(loss: Loss) -> list[str]:
    """Returns in words what the answers disclose."""
    lines = [protection_words(loss.epsilon)]
    if isfinite(loss.epsilon):
        lines.append(
            f"epsilon {epsilon_up(loss.epsilon)}: an answer is at most "
            f"{bound_text(exp(loss.epsilon), 4)} times as likely of one kind of respondent as of "
            "another"
        )
    else:
        lines.append("epsilon is infinite: an answer can be a proof")
    for answer in loss.answers:
        where = f" ({answer.group})" if answer.group else ""
        if answer.ratio is None:
            lines.append(f"“{answer.answer}”{where} proves: not {answer.rules_out}")
        elif answer.ratio > 1:
            lines.append(
                f"“{answer.answer}”{where} is up to {bound_text(float(answer.ratio), 4)} times "
                f"as likely of: {answer.points_to}"
            )
    return lines
