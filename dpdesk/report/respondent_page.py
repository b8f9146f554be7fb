"""The first page of a report, which a respondent can read.

It says what was asked of whom, what was done to each answer, what can still be learnt about one
person at worst, and what not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from dpdesk.composition.strength import strength_of
from dpdesk.domains import ListedDomain
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.i18n import first_names, joined, quoted
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.losses import attribute_losses, hides_the_attribute, total_epsilon
from dpdesk.plan.model import Plan
from dpdesk.plan.verdicts import VERDICTS as USE_VERDICTS
from dpdesk.report.budget import EarlierReleases
from dpdesk.report.number_text import belief_up, of_hundred_text
from dpdesk.report.parameters import AttributeParameters, judged_domain, supposed_of
from dpdesk.report.risk import belief_after
from dpdesk.report.section import Section

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
        done=_done(released),
        answers=tuple(_answers(released)),
        worst=tuple(_worst(released, earlier)),
        hidden=tuple(_hidden(released)),
        not_hidden=tuple(_not_hidden(released)),
        good_for=tuple(_good_for(released, attributes)),
    )


CURATOR = "Nothing is hidden from the curator, whose computer held the true answers."
MORE_RELEASES = "Other releases of the same answers would add to this."
_OTHERS = (
    "What holds for people like you. That something is frequent in your region, say, can be "
    "concluded about you whether you took part or not."
)


def _asked(released: Released) -> Iterator[str]:
    several = len(released.attributes) > 1
    questions = f"{len(released.attributes):,} questions" if several else "one question"
    names = _listed([a.column.title for a in released.attributes])
    rows = released.plan.statistics.unit.rows_per_respondent
    people = (
        f"A survey was answered by {released.rows:,} respondents; every row of it is taken to be "
        "one of them."
        if rows == 1
        else f"A survey has {released.rows:,} rows, up to {rows:,} of each respondent."
    )
    yield (f"{people} This release holds answers to {questions} that went through chance: {names}.")
    answers, weights = _kept(released)
    coarser = {c.title: c.kept_coarser.words for c in released.plan.kept if c.kept_coarser}
    exact = [title for title in answers if title not in coarser]
    if exact:
        yield f"It also holds, exactly as answered and without any protection: {_listed(exact)}."
    if coarser:
        listed = [f"“{title}” {words}" for title, words in coarser.items()]
        yield (
            "It also holds, true but coarser and without any protection: "
            f"{first_names(listed, _NAMES_MOST)}."
        )
    if weights:
        yield (
            "It also holds the survey weight of each respondent, without any protection: column "
            f"{_listed(weights)}."
        )


def _kept(released: Released) -> tuple[list[str], list[str]]:
    """Returns the titles of what is released unchanged: of answers, and of weights."""
    kept = released.plan.kept
    weights = [column.title for column in kept if column.kind == "weight"]
    return [column.title for column in kept if column.kind != "weight"], weights


_WENT = "it may have stayed as it was or become another"


def _done(released: Released) -> str:
    count = len(released.attributes)
    drawn = (
        f"For each respondent one of the {count:,} questions was drawn at random. The answer to it "
        f"went through chance: {_WENT}"
    )
    where = "This was done on the curator's computer, before anything left it."
    if count == 1:
        return f"Every answer went through chance: {_WENT}. {where}"
    if released.plan.strategy == "spl":
        return f"Every answer went through chance, each by itself: {_WENT}. {where}"
    if released.plan.strategy == "smp":
        return f"{drawn}; the others are left empty. {where}"
    return f"{drawn}; the others are made up, and nobody is told which is which. {where}"


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
            what="They went through chance as well; the parameters below say how.",
        )


def _worst(released: Released, earlier: EarlierReleases | None) -> Iterator[str]:
    total = total_epsilon(released.plan)
    alone = max(attribute_losses(released.plan).values())
    is_one = released.plan.statistics.unit.rows_per_respondent == 1
    found, are = ("row", "is") if is_one else ("rows", "are")
    yield (
        f"Protection: {strength_of(total)}. Someone who finds your {found}, unsure between two "
        f"guesses at your answers, can become {even_odds(total)} sure of one. Your {found} {are} "
        f"at most {ratio_text(total)} times as likely under one guess as under the other."
    )
    if len(released.attributes) > 1 and alone != total:
        yield (
            f"If the two guesses differ in one answer only, they can become {even_odds(alone)} "
            f"sure: the protection of one answer is {strength_of(alone)}."
        )
    yield f"{household(total, 'at all their answers')}."
    if earlier is not None and earlier.releases:
        count = len(earlier.releases)
        yield (
            f"The same people were in {count:,} earlier "
            f"{'release' if count == 1 else 'releases'}; losses of releases add up. With all "
            f"of them, this one included, 50 % become at worst {even_odds(earlier.total or total)}"
            + ("" if earlier.total_delta == "0" else f", but for a chance of {earlier.total_delta}")
            + "."
        )
    else:
        yield MORE_RELEASES


def _hidden(released: Released) -> Iterator[str]:
    blanks = ", if you answered them at all" if released.plan.left_blank else ""
    yield (
        "Certainty. Whatever your row shows, any other answers of yours to these questions "
        f"could have given the same row{blanks}."
    )
    kept = [column.title for column in released.plan.kept]
    if kept:
        yield (
            f"This does not hold for an answer that {_listed(kept)} "
            f"{'tells' if len(kept) == 1 else 'tell'}, which is in the row as it is"
            f"{' or coarser' if any(c.kept_coarser for c in released.plan.kept) else ''}."
        )
    yield (
        "Which of the answers in the file are true: readers of the release cannot be sure that an "
        "answer is yours and not one that chance put there."
    )
    protected = released.plan.protected
    hiding = [column.title for column in protected if column.missing.treatment.hides_who_answered]
    if hiding:
        yield (
            f"Whether you answered {_listed(hiding)} at all: giving no answer went through chance "
            "as any answer did, so that readers cannot be sure who answered."
        )
    routed = [
        f"“{column.title}” (only where {_condition(released.plan, column.missing.asked)})"
        for column in protected
        if column.missing.asked is not None and column.missing.treatment.hides_who_answered
    ]
    if routed:
        yield (
            f"Whether you were asked {first_names(routed, _NAMES_MOST)}: not to have been asked "
            "went through chance as giving no answer did."
        )


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
    return f"{asked.condition()}; {first_names(means, _FEW)}" if means else asked.condition()


def _not_hidden(released: Released) -> Iterator[str]:
    answers, weights = _kept(released)
    if answers:
        yield f"Your answers to {_listed(answers)}, and what can be guessed from them."
        if released.kept is not None and released.kept.rows_below:
            yield (
                "Who you are, to somebody who knows these answers of yours: "
                f"{released.kept.counts()}. Whoever is found has all that the row holds."
            )
    if weights:
        yield f"Your survey weight (column {_listed(weights)}), and what can be guessed from it."
    blank = [column.title for column in released.plan.left_blank]
    if blank:
        yield (
            f"Whether you answered {_listed(blank)}: an empty cell says that you did not, and what "
            "goes with that can be guessed from it."
        )
    is_one = released.plan.statistics.unit.rows_per_respondent == 1
    many = f"That {released.rows:,} did" if is_one else f"That there are {released.rows:,} rows"
    yield f"That you took part. {many} is public too."
    if released.plan.strategy == "smp" and len(released.attributes) > 1:
        yield "Which question was drawn for you; the draw had nothing to do with your answers."
    yield _OTHERS
    yield CURATOR


def _good_for(released: Released, attributes: Sequence[AttributeParameters]) -> Iterator[str]:
    """Yields the range of the margins of error, of shares and of means."""
    shares = sorted((a for a in attributes if a.quantity == "share"), key=lambda a: a.error_95)
    if shares:
        yield (
            "How chance works is known, so that shares of all people can be estimated, though not "
            f"exactly. The largest margin of error (95 %) of a question is {_between(shares)}. "
            "Each share is no farther from the truth in about 95 of 100 releases."
        )
    means = [a for a in attributes if a.quantity == "mean"]
    if means:
        # Of missing answers that are protected the error rests on their share.
        supposed = {
            a.column.name: f" if {words}"
            for a in released.attributes
            if (words := supposed_of(a.column, judged_domain(a)))
        }
        errors = [f"“{a.label}” {a.error_told}{supposed.get(a.name, '')}" for a in means]
        listed = first_names(errors, _NAMES_MOST)
        yield f"The margin of error (95 %) of a mean is: {listed}."
    if note := released.plan.statistics.unit.interval_note:
        yield note
    worth = Counter(a.usefulness for a in attributes if a.usefulness is not None)
    if worth:
        questions = "1 question" if worth.total() == 1 else f"{worth.total():,} questions"
        counts = joined([f"{verdict} for {worth[verdict]:,}" for verdict in USE_VERDICTS])
        useful, every = (
            sum(each)
            for each in zip(
                *((a.estimates_useful, a.estimates_all) for a in attributes), strict=True
            )
        )
        yield (
            f"By these margins, {useful:,} of {every:,} estimates are useful. The estimates of "
            f"{questions} as a whole are {counts}."
        )


def _between(shares: Sequence[AttributeParameters]) -> str:
    least, most = (a.error_told.removesuffix("\u00a0pp") for a in (shares[0], shares[-1]))
    both = most if least == most else f"{least} to {most}"
    return f"{both} percentage points"


def household(epsilon: Decimal, of: str) -> str:
    """Returns what the loss of one respondent means for a household.

    Args:
        epsilon: The loss of one.
        of: What is guessed of all its members.
    """
    return (
        f"A household of {HOUSEHOLD} whose answers depend on each other loses {HOUSEHOLD} times as "
        f"much: of two guesses {of}, 50 % become at worst {even_odds(HOUSEHOLD * epsilon)}"
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
