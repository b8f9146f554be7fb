"""What an answer discloses, in words for respondents and for planners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp, isfinite

from dpdesk.composition.strength import strength_of
from dpdesk.designs import Design, Group, Jeopardy, Loss
from dpdesk.designs.instructions import NO, YES, Procedure, spoken_answer
from dpdesk.designs.law import CARRIER, loss_of_trait
from dpdesk.designs.probability import parameter_text
from dpdesk.i18n import any_of, joined
from dpdesk.numbers import rounded_up
from dpdesk.numbers.digits import epsilon_up

_DIGITS = 100
_HUNDRED = 100
_NAMED_ALONE = 2
LARGEST_WRITTEN = 20.0
"""Epsilon up to which the factor is written out."""


def at_most_text(ratio: Fraction) -> str:
    """Returns a ratio with up to two decimals, rounded up so that "at most" holds."""
    hundredths = -(-ratio.numerator * _DIGITS // ratio.denominator)
    return f"{hundredths / _DIGITS:,.2f}".rstrip("0").rstrip(".")


def factor_text(epsilon: float) -> str:
    """Returns e^epsilon with up to four digits, rounded up so that "at most" holds."""
    return f"{rounded_up(exp(epsilon), 4):,.12g}"


def is_hidden(group: Group) -> bool:
    """Returns whether an answer of a group leaves the true one open."""
    return any(answer.ratio is not None for answer in loss_of_trait((group,)).answers)


def respondent_sentences(
    procedure: Procedure, group: Group, *, bounded: bool = True
) -> tuple[str, ...]:
    """Returns what an answer discloses about the person who gives it, for respondents to read.

    Only the two true answers are compared: the sentences do not hold for a respondent who does not
    follow the instruction.

    Args:
        procedure: What they do.
        group: The law of their answers.
        bounded: Whether the chances are the device's own, so that a bound on them can be given.
    """
    loss = loss_of_trait((group,))
    if all(answer.ratio == 1 for answer in loss.answers):
        return ("What you say here tells nothing about your answer to the private question.",)
    covered = [answer for answer in loss.answers if answer.ratio is not None]
    finite = [answer.ratio for answer in covered if answer.ratio is not None]
    if not finite:
        return ("Your answer is not hidden: whoever hears it knows your true answer.",)
    proofs = tuple(_proof(procedure, answer) for answer in loss.disclosing)
    what = "What you say" if _says(procedure, group) else "The report"
    return (
        *proofs,
        *_doubts(procedure, group, covered, bounded=bounded),
        *((at_most_sentence(at_most_text(max(finite)), what=what),) if bounded else ()),
    )


def at_most_sentence(factor: str, other: str = "the other", *, what: str = "What you say") -> str:
    """Returns for respondents how far apart the chances of an answer can be.

    Args:
        factor: The largest ratio, rounded up.
        other: What the true answer is compared with.
        what: What others get to know.
    """
    return f"{what} is at most {factor} times as likely with one true answer as with {other}."


def _doubts(
    procedure: Procedure, group: Group, covered: Sequence[Jeopardy], *, bounded: bool
) -> Iterator[str]:
    """Yields for each answer that is no proof why its hearer still cannot be sure."""
    if not _says(procedure, group):
        yield (
            "Readers of the report still cannot be sure of your true answer. People with the other "
            "true answer may send the same."
        )
        return
    if len(covered) > _NAMED_ALONE:
        said = any_of([f"“{spoken_answer(procedure.say(answer.answer))}”" for answer in covered])
        yield (
            f"If you say {said}, the reader still cannot be sure of your true answer. People with "
            "the other true answer may say the same."
        )
        return
    for answer in covered:
        said = spoken_answer(procedure.say(answer.answer))
        chances = [row[group.answers.index(answer.answer)] for row in group.law[:2]]
        # Of both kinds of people the one that says it less often.
        rarer = min(range(2), key=chances.__getitem__)
        hundred = round(_HUNDRED * chances[rarer])
        known = bounded and 0 < hundred < _HUNDRED
        many = f"About {hundred} in 100 people" if known else "Some people"
        yield (
            f"If you say “{said}”, the reader still cannot be sure of your true answer. {many} "
            f"whose true answer is {(YES, NO)[rarer]} say “{said}” too."
        )


def _says(procedure: Procedure, group: Group) -> bool:
    """Whether respondents say the answers themselves, and no program reports in their place."""
    said = {way.answer for way in (*procedure.carrier, *procedure.other)}
    return said <= {*group.answers}


def _proof(procedure: Procedure, answer: Jeopardy) -> str:
    true = "no" if answer.rules_out == CARRIER else "yes"
    said = spoken_answer(procedure.say(answer.answer))
    return f"Please know: who says “{said}” shows for certain that their true answer is {true}."


def epsilon_sentence(loss: Loss) -> str:
    """Returns the epsilon of a design in words, for a planner."""
    if isfinite(loss.epsilon):
        return _likelier_sentence(loss.epsilon, factor_text(loss.epsilon), "kind of respondent")
    named = joined([f"“{a.answer}”{_of(a)}" for a in loss.disclosing])
    return f"ε is infinite: an answer can be a proof. It is {named}."


def rule_out_sentence(epsilon: float, what: str) -> str:
    """Returns an epsilon in words, for a planner, where answers can rule true ones out.

    Args:
        epsilon: The privacy loss.
        what: What an answer distinguishes, such as "true answer".
    """
    if not isfinite(epsilon):
        return f"ε is infinite: an answer can rule a {what} out for certain."
    factor = f"e^{epsilon_up(epsilon)}" if epsilon > LARGEST_WRITTEN else factor_text(epsilon)
    return _likelier_sentence(epsilon, factor, what)


def _likelier_sentence(epsilon: float, factor: str, what: str) -> str:
    return (
        f"Protection: {strength_of(epsilon)}. ε = {epsilon_up(epsilon)}: no answer is more than "
        f"e^ε = {factor} times likelier of one {what} than of another."
    )


def proof_sentences(loss: Loss) -> tuple[str, ...]:
    """Returns, for every answer that is a proof, what it proves."""
    return tuple(
        f"“{a.answer}”{_of(a)} proves {'no carrier' if a.rules_out == CARRIER else 'a carrier'}."
        for a in loss.disclosing
    )


def _of(answer: Jeopardy) -> str:
    return f" ({answer.group})" if answer.group else ""


def parameters_of(design: Design) -> tuple[tuple[str, str], ...]:
    """Returns what each parameter of a design means and its value."""
    return tuple(
        (parameter.title, parameter_text(getattr(design, parameter.name)))
        for parameter in design.parameters()
    )
