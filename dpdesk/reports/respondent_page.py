"""The first page of a report, which a respondent can read.

It says what was asked of whom, what was done to each answer, what can still be learnt about one
person at worst, and what not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, Context, Decimal

from dpdesk.composition.strength import strength_of
from dpdesk.composition.words import delta_text
from dpdesk.domains import ListedDomain
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.i18n import in_a_row, joined, quoted
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.losses import attribute_losses, hides_the_attribute, total_epsilon
from dpdesk.plan.model import Plan
from dpdesk.plan.verdicts import RATINGS
from dpdesk.plan.verdicts import VERDICTS as USE_VERDICTS
from dpdesk.reports.budget import EarlierReleases
from dpdesk.reports.number_text import belief_up, of_hundred_text
from dpdesk.reports.parameters import AttributeParameters, judged_domain, supposed_of
from dpdesk.reports.risk import belief_after
from dpdesk.reports.section import Section
from dpdesk.reports.texts import T

HOUSEHOLD = 4
"""Members of the household that the page takes as an example."""

ROWS_MOST = 8
"""The most rows of what was done, so that it stays one page."""

_NAMES_MOST = 12
_FEW = 4
_LONGEST = 80


class DoneToAnswers(Section):
    """What was done to the answers to some questions, or to the result of one."""

    of: str
    """The questions, or the statistic."""
    what: str
    """What was done, in words."""


class RespondentPage(Section):
    """What a release means for one person, without formulas."""

    asked: tuple[str, ...]
    """What was asked of whom, as sentences."""
    done: str
    """What was done to the answers, and where."""
    answers: tuple[DoneToAnswers, ...]
    """The same for each kind of question or for each statistic."""
    worst: tuple[str, ...]
    """What can still be learnt about one person at worst."""
    hidden: tuple[str, ...]
    """What cannot be known for certain."""
    not_hidden: tuple[str, ...]
    """What is not protected at all."""
    good_for: tuple[str, ...]
    """What the release tells about all people, and how exactly."""


def page_of_records(
    released: Released,
    attributes: Sequence[AttributeParameters],
    earlier: EarlierReleases | None = None,
) -> RespondentPage:
    """Returns the page of a release of records.

    Args:
        released: What was released; holds no true answer.
        attributes: The parameters of each protected attribute.
        earlier: Earlier releases of the population that was declared for this one.
    """
    return RespondentPage(
        asked=tuple(_asked(released)),
        done=in_a_row(_done(released)),
        answers=tuple(_answers(released)),
        worst=tuple(_worst(released, earlier)),
        hidden=tuple(_hidden(released)),
        not_hidden=tuple(_not_hidden(released)),
        good_for=tuple(_good_for(released, attributes)),
    )


def _asked(released: Released) -> Iterator[str]:
    names = _listed([a.column.title for a in released.attributes])
    rows = released.plan.statistics.unit.rows_per_respondent
    people = (
        T.ANSWERED_BY(count=released.rows)
        if rows == 1
        else T.ROWS_OF_EACH(rows=released.rows, most=rows)
    )
    yield in_a_row((people, T.HOLDS_RANDOMIZED(count=len(released.attributes), names=names)))
    answers, weights = _kept(released)
    recoded = {c.title: c.kept_coarser.words for c in released.plan.kept if c.kept_coarser}
    exact = [title for title in answers if title not in recoded]
    if exact:
        yield T.HOLDS_EXACT(names=_listed(exact))
    if recoded:
        listed = [f"“{title}” {words}" for title, words in recoded.items()]
        yield T.HOLDS_RECODED(names=joined(listed, _NAMES_MOST))
    if weights:
        yield T.HOLDS_WEIGHTS(names=_listed(weights))


def _kept(released: Released) -> tuple[list[str], list[str]]:
    """Returns the titles of what is released unchanged: of answers, and of weights."""
    kept = released.plan.kept
    weights = [column.title for column in kept if column.kind == "weight"]
    return [column.title for column in kept if column.kind != "weight"], weights


def _done(released: Released) -> Iterator[str]:
    count, strategy = len(released.attributes), released.plan.strategy
    if count == 1 or strategy == "spl":
        yield T.EACH_RANDOMIZED()
    else:
        yield T.DRAWN_RANDOMIZED(count=count)
        yield T.OTHERS_EMPTY() if strategy == "smp" else T.OTHERS_FAKE()
    yield T.BEFORE_RELEASE()


def _answers(released: Released) -> Iterator[DoneToAnswers]:
    """Yields a row for the questions of each mechanism."""
    groups: dict[str, list[ReleasedAttribute]] = {}
    for attribute in released.attributes:
        groups.setdefault(attribute.bound.mechanism.kind, []).append(attribute)
    names_most = _NAMES_MOST if len(groups) <= _FEW else _FEW
    for group in list(groups.values())[:ROWS_MOST]:
        mechanism = group[0].bound.mechanism
        chances = [a.bound.mechanism.forecast(a.bound.domain).truthful for a in group]
        known = [chance for chance in chances if chance is not None]
        told = ""
        if len(known) == len(group):
            least, most = (of_hundred_text(chance) for chance in (min(known), max(known)))
            number = least if least == most else f"{least} to {most}"
            if number[0].isdigit():
                number = f"about {number}"
            number = f"{number[0].upper()}{number[1:]}"
            real = " real" if hides_the_attribute(released.plan) else ""
            told = f" {mechanism.agreement.format(number=number, real=real)}"
        yield DoneToAnswers(
            of=_listed([a.column.title for a in group], names_most),
            what=f"{mechanism.summary}{told}",
        )
    others = [a for group in list(groups.values())[ROWS_MOST:] for a in group]
    if others:
        yield DoneToAnswers(
            of=_listed([a.column.title for a in others], names_most),
            what=T.AS_WELL(),
        )


def _worst(released: Released, earlier: EarlierReleases | None) -> Iterator[str]:
    total = total_epsilon(released.plan)
    alone = max(attribute_losses(released.plan).values())
    is_one = released.plan.statistics.unit.rows_per_respondent == 1
    worst, bound = (T.WORST, T.WORST_RATIO) if is_one else (T.WORST_OF_ROWS, T.WORST_RATIO_OF_ROWS)
    sure = worst(strength=strength_of(total), belief=even_odds(total))
    yield in_a_row((sure, bound(ratio=ratio_text(total))))
    if len(released.attributes) > 1 and alone != total:
        yield T.WORST_OF_ONE(strength=strength_of(alone), belief=even_odds(alone))
    yield T.HOUSEHOLD(members=HOUSEHOLD, belief=even_odds(HOUSEHOLD * total))
    if earlier is None or not earlier.releases:
        yield T.MORE_RELEASES()
        return
    yield in_a_row(
        (
            T.EARLIER(count=len(earlier.releases)),
            T.EARLIER_WORST(belief=even_odds(earlier.total or total)),
            *exceptions(Decimal(earlier.total_delta)),
        )
    )


def exceptions(delta: Decimal) -> Iterator[str]:
    """Yields what a delta leaves out of a bound on beliefs; nothing without one."""
    if delta:
        rounded = Context(prec=3, rounding=ROUND_CEILING).plus(delta)
        yield T.RARE_EXCEPTIONS(delta=delta_text(rounded))


def _hidden(released: Released) -> Iterator[str]:
    plan = released.plan
    yield T.CERTAINTY_IF_ANSWERED() if plan.left_blank else T.CERTAINTY()
    if kept := [column.title for column in plan.kept]:
        yield T.UNLESS_KEPT(names=_listed(kept))
    yield T.WHICH_TRUE()
    hiding = [c for c in plan.protected if c.missing.treatment.hides_who_answered]
    if hiding:
        yield T.WHETHER_ANSWERED(names=_listed([column.title for column in hiding]))
    routed = [
        T.ONLY_WHERE(name=column.title, condition=_condition(plan, column.missing.asked))
        for column in hiding
        if column.missing.asked is not None
    ]
    if routed:
        yield T.WHETHER_ASKED(names=joined(routed, _NAMES_MOST))


def _condition(plan: Plan, asked: AskedIf) -> str:
    """Returns who was asked, with what the codes in it mean."""
    labels: dict[str, str] = {}
    known = {column.name: column.domain for column in plan.columns}
    for one in asked.any_of:
        domain = known.get(one.column)
        if isinstance(domain, ListedDomain):
            of = domain.labels
            labels |= {code: of[code] for code in (*one.values, *one.options) if of.get(code)}
    means = [f"{code} means {label}" for code, label in labels.items() if code != label]
    return f"{asked.condition()}; {joined(means, _FEW)}" if means else asked.condition()


def _not_hidden(released: Released) -> Iterator[str]:
    answers, weights = _kept(released)
    if answers:
        yield T.YOUR_ANSWERS(names=_listed(answers))
        if released.kept is not None and released.kept.rows_below:
            yield T.WHO_YOU_ARE(counts=released.kept.counts())
    if weights:
        yield T.YOUR_WEIGHT(names=_listed(weights))
    if blank := [column.title for column in released.plan.left_blank]:
        yield T.YOUR_BLANKS(names=_listed(blank))
    is_one = released.plan.statistics.unit.rows_per_respondent == 1
    yield (T.TOOK_PART if is_one else T.TOOK_PART_OF_ROWS)(rows=released.rows)
    if released.plan.strategy == "smp" and len(released.attributes) > 1:
        yield T.WHICH_DRAWN()
    yield T.LIKE_YOU()
    yield T.CURATOR_KNOWS()


def _good_for(released: Released, attributes: Sequence[AttributeParameters]) -> Iterator[str]:
    """Yields the range of the margins of error, of shares and of means."""
    shares = sorted((a for a in attributes if a.quantity == "share"), key=lambda a: a.error_95)
    if shares:
        least, most = (a.error_told.removesuffix("\u00a0pp") for a in (shares[0], shares[-1]))
        if least == most:
            yield T.ALL_SHARES_WITHIN(most=most)
        else:
            yield T.SHARES_WITHIN(least=least, most=most)
    means = [a for a in attributes if a.quantity == "mean"]
    if means:
        # Of missing answers that are protected the error rests on their share.
        supposed = {
            a.column.name: f" if {words}"
            for a in released.attributes
            if (words := supposed_of(a.column, judged_domain(a)))
        }
        errors = [f"“{a.label}” {a.error_told}{supposed.get(a.name, '')}" for a in means]
        yield T.MEANS_WITHIN(names=joined(errors, _NAMES_MOST))
    if note := released.plan.statistics.unit.interval_note:
        yield note
    worth = Counter(a.usefulness for a in attributes if a.usefulness is not None)
    if worth:
        yield T.USEFUL(
            useful=sum(a.estimates_useful for a in attributes),
            all=sum(a.estimates_all for a in attributes),
            counts=[f"{worth[verdict]:,} {RATINGS[verdict]()}" for verdict in USE_VERDICTS],
        )


def even_odds(epsilon: Decimal) -> str:
    """Returns what even odds can become at most, in per cent."""
    return belief_up(belief_after(0.5, epsilon))


def _listed(names: Sequence[str], most: int = _NAMES_MOST) -> str:
    """Returns names in a sentence, of many the first ones and the number of the others."""
    longest = _LONGEST if len(names) > _FEW else max(map(len, names))
    short = [name if len(name) <= longest else f"{name[:longest]}…" for name in names]
    # One name more is hardly longer than "1 more".
    return quoted(short, most + 1 if len(names) == most + 1 else most)
