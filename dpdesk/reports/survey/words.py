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
from dpdesk.i18n import Text, any_of, in_a_row
from dpdesk.numbers import rounded_up
from dpdesk.numbers.digits import epsilon_up
from dpdesk.reports.survey.texts import T

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
        return (T.REVEALS_NOTHING(),)
    covered = [answer for answer in loss.answers if answer.ratio is not None]
    finite = [answer.ratio for answer in covered if answer.ratio is not None]
    if not finite:
        return (T.NOT_HIDDEN(),)
    at_most = T.AT_MOST if _says(procedure, group) else T.AT_MOST_OF_REPORT
    return (
        *(_proof(procedure, answer) for answer in loss.disclosing),
        *_doubts(procedure, group, covered, bounded=bounded),
        *((at_most(factor=at_most_text(max(finite))),) if bounded else ()),
    )


def _doubts(
    procedure: Procedure, group: Group, covered: Sequence[Jeopardy], *, bounded: bool
) -> Iterator[str]:
    """Yields for each answer that is no proof why its hearer still cannot be sure."""
    if not _says(procedure, group):
        yield T.REPORT_UNSURE()
        return
    names = [f"“{spoken_answer(procedure.say(answer.answer))}”" for answer in covered]
    if len(covered) > _NAMED_ALONE:
        yield in_a_row((T.STILL_UNSURE(said=any_of(names)), T.OTHERS_SAY_IT()))
        return
    for answer, said in zip(covered, names, strict=True):
        chances = [row[group.answers.index(answer.answer)] for row in group.law[:2]]
        # Of both kinds of people the one that says it less often.
        rarer = min(range(2), key=chances.__getitem__)
        hundred, true = round(_HUNDRED * chances[rarer]), (YES, NO)[rarer]
        known = bounded and 0 < hundred < _HUNDRED
        others = (
            T.MANY_SAY_IT(hundred=hundred, answer=true) if known else T.SOME_SAY_IT(answer=true)
        )
        yield in_a_row((T.STILL_UNSURE(said=said), others))


def _says(procedure: Procedure, group: Group) -> bool:
    """Whether respondents say the answers themselves, and no program reports in their place."""
    said = {way.answer for way in (*procedure.carrier, *procedure.other)}
    return said <= {*group.answers}


def _proof(procedure: Procedure, answer: Jeopardy) -> str:
    said = spoken_answer(procedure.say(answer.answer))
    return T.SHOWS(said=said, answer=NO if answer.rules_out == CARRIER else YES)


def epsilon_sentence(loss: Loss) -> str:
    """Returns the epsilon of a design in words, for a planner."""
    if not isfinite(loss.epsilon):
        return T.INFINITE(names=[_named(answer) for answer in loss.disclosing])
    return _bound(T.EPSILON_OF_GROUPS, loss.epsilon, factor_text(loss.epsilon))


def rule_out_sentence(epsilon: float) -> str:
    """Returns an epsilon in words, for a planner, where answers can rule true ones out."""
    if not isfinite(epsilon):
        return T.RULES_OUT()
    factor = f"e^{epsilon_up(epsilon)}" if epsilon > LARGEST_WRITTEN else factor_text(epsilon)
    return _bound(T.EPSILON_OF_ANSWERS, epsilon, factor)


def _bound(text: Text, epsilon: float, factor: str) -> str:
    return text(strength=strength_of(epsilon), epsilon=epsilon_up(epsilon), factor=factor)


def proof_sentences(loss: Loss) -> tuple[str, ...]:
    """Returns, for every answer that is a proof, what it proves."""
    return tuple(
        (T.PROVES_NO_TRAIT if answer.rules_out == CARRIER else T.PROVES_TRAIT)(
            answer=_named(answer)
        )
        for answer in loss.disclosing
    )


def _named(answer: Jeopardy) -> str:
    return f"“{answer.answer}” ({answer.group})" if answer.group else f"“{answer.answer}”"


def parameters_of(design: Design) -> tuple[tuple[str, str], ...]:
    """Returns what each parameter of a design means and its value."""
    return tuple(
        (parameter.title, parameter_text(getattr(design, parameter.name)))
        for parameter in design.parameters()
    )
