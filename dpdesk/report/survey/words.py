"""What an answer discloses, in words for respondents and for planners."""

from __future__ import annotations

from fractions import Fraction
from math import exp, isfinite

from dpdesk.designs import Design, Group, Jeopardy, Loss
from dpdesk.designs.instructions import Procedure
from dpdesk.designs.law import CARRIER, loss_of_trait
from dpdesk.designs.probability import parameter_text
from dpdesk.i18n import joined
from dpdesk.numbers import rounded_up
from dpdesk.report.number_text import epsilon_up

_DIGITS = 100
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
    finite = [answer.ratio for answer in loss.answers if answer.ratio is not None]
    if not finite:
        return ("Your answer is not hidden: whoever hears it knows your true answer.",)
    proofs = tuple(_proof(procedure, answer) for answer in loss.disclosing)
    bound = (
        f"; the chances of both differ by a factor of {at_most_text(max(finite))} at most"
        if bounded
        else ""
    )
    if not proofs:
        return (
            "No answer is a proof: somebody with the other true answer may give the same one"
            f"{bound}.",
        )
    covered = [answer for answer in loss.answers if answer.ratio is not None]
    said = joined([f"“{procedure.say(answer.answer)}”" for answer in covered])
    return (
        *proofs,
        f"{'Saying' if len(covered) == 1 else 'Each of'} {said} proves nothing: somebody with the "
        f"other true answer may say it as well{bound}.",
    )


def _proof(procedure: Procedure, answer: Jeopardy) -> str:
    true = "no" if answer.rules_out == CARRIER else "yes"
    return (
        f"Please know: who says “{procedure.say(answer.answer)}” shows for certain that their true "
        f"answer is {true}."
    )


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
        f"ε = {epsilon_up(epsilon)}: no answer is more than e^ε = {factor} times likelier of one "
        f"{what} than of another."
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
