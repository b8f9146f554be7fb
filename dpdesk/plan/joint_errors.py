"""What a table, a group mean or slopes will be worth before a release.

With V the variance that one report's estimate of an attribute has, sampling and noise together, and
f the share of a category (as in the file, else as expected, else even), scores have the mean square
S = V + f^2. Answers are taken as independent. Of n records

- a cell of a table has the variance (S_1 S_2 ... - (f_1 f_2 ...)^2) / n;
- the mean of a number, or the share of a category, in a group has V S_group / (n f_group^2);
- the slope of an outcome on a predictor of variance s^2 has V_outcome V_predictor / (n s^4), at
  slopes of 0; beside other predictors the same, since these are independent of it.

A column that is kept has no noise: its V is the variance of its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import reduce
from math import inf, prod, sqrt

import numpy as np

from dpdesk.errors import ParameterError
from dpdesk.mechanisms import AnyDomain, Mechanism, Sampling, candidate, proposed
from dpdesk.mechanisms.choice import Candidate
from dpdesk.mechanisms.estimates import Answers
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.calendar import per_unit
from dpdesk.numbers.digits import bounded_error_text
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.joint_question import JointQuestion, Quantity, asked_of
from dpdesk.plan.model import ANALYSES_MAX, Plan
from dpdesk.plan.texts import T
from dpdesk.plan.usefulness import (
    RESPONDENTS_ASSUMED,
    Usefulness,
    half_range,
    spread_of,
    usefulness_of_numbers,
    usefulness_of_shares,
)

Z = normal_quantile(0.95)
LADDER = tuple(sorted({Decimal(f"{0.1 * 1.06**step:.2g}") for step in range(92)}))
"""Epsilons that are tried: 0.1 to 20 in steps of about 6 %, of two digits."""


@dataclass(frozen=True, slots=True)
class JointError:
    """What an estimate of several columns will be worth.

    Attributes:
        question: What is asked.
        what: The same in words.
        error_95: Half-width of its 95 % interval, in pp or in the unit: the largest over the cells,
            groups or categories.
        unprotected: The same if nothing were protected.
        unit: "pp", or the unit of a mean or slope; may be empty.
        usefulness: What its cells, groups or slopes will be worth, each by its own error. Sizes are
            shares, or a medium difference; of slopes that of two groups, or of numbers two standard
            deviations apart.
    """

    question: JointQuestion
    what: str
    error_95: float
    unprotected: float
    unit: str
    usefulness: Usefulness

    @property
    def text(self) -> str:
        """The error with its unit."""
        return bounded_error_text(self.error_95, self.unit, self.usefulness.half_range)


@dataclass(frozen=True, slots=True)
class Part:
    """One column of a question.

    Attributes:
        column: The column.
        domain: Its domain.
        mechanism: What protects it; None where it is kept.
        sampling: How it shares a respondent's report with others.
        respondents: Number of respondents who make a report.
        people: Number of all respondents.
    """

    column: ColumnPlan
    domain: AnyDomain
    mechanism: Mechanism | None
    sampling: Sampling
    respondents: int
    people: int

    @property
    def reports(self) -> float:
        """Share of the respondents who make a report."""
        return self.respondents / self.people

    @property
    def shares(self) -> Floats:
        """Share of each category; even ones where nothing is known."""
        answers = self.column.judged_answers
        even = (1 / self.domain.size,) * self.domain.size
        return np.array(even if answers is None else answers.shares)

    @property
    def variances(self) -> Floats:
        """Of the answers: of numbers one, or of the indicator of each category."""
        answers = self.column.judged_answers
        if not self.domain.holds_numbers:
            return self.shares * (1 - self.shares)
        spread = spread_of(self.domain) if answers is None else answers.spread
        return np.array([spread**2])

    @property
    def of_each(self) -> Floats:
        """V of the mean or of each category, with the plan's mechanism."""
        if self.mechanism is None:
            return self.variances
        answers = self.column.judged_answers
        forecast = self.sampling.forecast(self.mechanism, self.domain, self.column.expected_shares)
        if answers is None and self.domain.holds_numbers:
            return np.array([forecast.accuracy(1.0).total ** 2])
        noise, sampling = forecast.variances(answers or Answers(tuple(self.shares.tolist())))
        return noise + sampling

    def at(self, epsilon: Decimal, serves: Callable[[Mechanism], bool]) -> tuple[Floats, Mechanism]:
        """Returns V of each category, or of the mean, with the best mechanism that fits.

        One whose least noise is above the error of another is left out: those take long.
        """
        assert self.mechanism is not None  # noqa: S101 - epsilons of protected columns are asked
        expected, n = self.column.expected_shares, self.respondents
        found: list[Candidate] = []
        fitting = [m for m in proposed(self.domain, epsilon, self.sampling) if serves(m)]
        for mechanism in sorted(fitting, key=Mechanism.noise_at_least):
            floor = Z * 100.0 * sqrt(mechanism.noise_at_least())
            if not found or floor <= min(judged.half_width for judged in found):
                found.append(candidate(mechanism, self.domain, expected, self.sampling))
        if not found:
            return np.full(self.variances.shape, inf), self.mechanism
        best = min(found, key=lambda one: one.error_95(n)).mechanism
        return replace(self, mechanism=best).of_each, best


def joint_error(plan: Plan, question: JointQuestion) -> JointError:
    """Returns the error of what is asked, with the plan's mechanisms and number of respondents.

    Args:
        plan: The plan.
        question: What is asked.

    Raises:
        ParameterError: A column has no domain, or no categories where these are needed; or no
            record holds reports of all.
    """
    told = (_error_of(plan, question, parts) for parts in readings(question, plan))
    return max(told, key=lambda one: one.usefulness.ratio)


def readings(question: JointQuestion, plan: Plan) -> tuple[tuple[Part, ...], ...]:
    """Returns the columns of each number that is asked for: of slopes one for each predictor.

    Raises:
        ParameterError: As `joint_error`.
    """
    parts = _parts(plan, question)
    if question.quantity != "slope":
        return (parts,)
    outcome, *predictors = parts
    return tuple((outcome, predictor) for predictor in predictors)


def _error_of(plan: Plan, question: JointQuestion, parts: tuple[Part, ...]) -> JointError:
    outcome, last = parts[0], parts[-1]
    name, other = outcome.column.name, last.column.name
    own = last.mechanism
    if question.quantity == "slope" and own is not None and not serving(question, last)(own):
        raise ParameterError(T.NO_SQUARES(name=other))
    people = records_of(plan, question)
    slopes = len(question.names) - 1
    if question.quantity == "cell":
        what = T.CELL(names=question.names)
    elif question.quantity == "group":
        text = T.MEAN_IN_GROUP if outcome.domain.holds_numbers else T.SHARE_IN_GROUP
        what = text(name=name, other=other)
    elif slopes > 1:
        what = T.SLOPE_WORST(name=name, other=other, slopes=slopes)
    else:
        what = T.SLOPE(name=name, other=other)
    if question.quantity != "slope" and all(p.column.judged_answers is None for p in parts):
        what = T.IF_EVEN(what=what)
    worth = _worth(question, parts, what, people)
    return JointError(question, what, *worth.largest, worth.unit, worth)


def _worth(
    question: JointQuestion, parts: tuple[Part, ...], what: str, people: float
) -> Usefulness:
    """What each cell, group or slope is worth."""
    quantity, first, last = question.quantity, parts[0], parts[-1]
    shares, spreads, variances = cells_of(quantity, parts)
    errors, alone = (
        Z * np.sqrt(variances(every) / people)
        for every in ([part.of_each for part in parts], [part.variances for part in parts])
    )
    if quantity == "cell" or (quantity == "group" and not first.domain.holds_numbers):
        of = shares if quantity == "cell" else [shares[0], np.ones(errors.size // shares[0].size)]
        of_file = any(part.column.is_counted for part in parts)
        return usefulness_of_shares(what, _products(of), errors, alone, of_file=of_file)
    sizes = [np.sqrt(spreads[0]) / 2, np.ones(errors.size // spreads[0].size)]
    if quantity == "slope" and last.domain.holds_numbers:
        # Numbers are compared two standard deviations apart, groups are apart by one.
        sizes[1] /= 2 * np.sqrt(spreads[1])
    scale, unit = unit_of(question, parts)
    half = inf if quantity == "slope" else half_range(first.domain)
    of_all = (scale * errors, scale * _products(sizes), scale * alone)
    bounds = first.domain.holds_numbers and not first.column.is_counted
    return replace(usefulness_of_numbers(what, *of_all, unit, half), of_bounds=bounds)


_CELLS_MOST = 100_000
"""Of a table with more cells only a typical one is looked at."""


def _products(factors: Sequence[Floats]) -> Floats:
    """Products of one number of each, of all combinations."""
    return np.ravel(reduce(np.multiply.outer, factors))


def cells_of(
    quantity: Quantity, parts: tuple[Part, ...]
) -> tuple[list[Floats], list[Floats], Callable[[list[Floats]], Floats]]:
    """Returns shares and variances of the answers to each column, and what an estimate's V is.

    The function returns the variance of one record's part of each cell, group or slope from V of
    each column; see the module.
    """
    shares = [part.shares if part.domain.picks_one else np.ones(1) for part in parts]
    spreads = [part.variances for part in parts]
    is_large = prod(each.size for each in shares) > _CELLS_MOST
    if is_large:
        shares, spreads = ([e.mean(keepdims=True) for e in every] for every in (shares, spreads))

    def variances(v: list[Floats]) -> Floats:
        v = [each.mean(keepdims=True) for each in v] if is_large else v
        if quantity == "cell":
            squares = [one + share**2 for one, share in zip(v, shares, strict=True)]
            return np.maximum(_products(squares) - _products(shares) ** 2, 0.0)
        # A group that nobody is in has no mean, and a category that nobody has no slope.
        of = shares[1] if quantity == "group" else spreads[1]
        known = of > 0 if of.any() else of == 0
        own, of = v[1][known], np.maximum(of[known], 1e-12)
        return _products([v[0], own / of**2 + (quantity == "group")])

    return shares, spreads, variances


def _parts(plan: Plan, question: JointQuestion) -> tuple[Part, ...]:
    parts = tuple(_part(plan, name) for name in question.names)
    protected = [part.column.name for part in parts if part.mechanism is not None]
    if len(protected) > 1 and plan.strategy != "spl" and len(plan.protected) > 1:
        raise ParameterError(T.NOT_TOGETHER(names=protected))
    for place, part in enumerate(parts):
        may_be_number = question.quantity == "slope" or (question.quantity == "group" and not place)
        if not part.domain.picks_one and not (may_be_number and part.domain.holds_numbers):
            raise ParameterError(T.NO_CATEGORIES(name=part.column.name))
    return parts


def records_of(plan: Plan, question: JointQuestion) -> float:
    """Number of records that hold reports of all; who makes none of one may make one of others."""
    parts = _parts(plan, question)
    # All columns have the weights of the same respondents.
    worth = min(part.column.worth for part in parts)
    reports = prod(part.reports / part.column.worth for part in parts)
    return (plan.judged_respondents or RESPONDENTS_ASSUMED) * reports * worth


def unit_of(question: JointQuestion, parts: tuple[Part, ...]) -> tuple[float, str]:
    """What errors are multiplied with, and their unit."""
    first, last = parts[0].domain, parts[-1].domain
    if question.quantity == "cell":
        return 100.0, "pp"
    per = per_unit(last.error_unit) if question.quantity == "slope" and last.holds_numbers else ""
    return first.scale, f"{first.error_unit} per {per}".strip() if per else first.error_unit


def _part(plan: Plan, name: str) -> Part:
    column = plan.column(name)
    domain = column.judged_domain
    if domain is None or column.role not in {"protect", "keep"}:
        raise ParameterError(T.NOT_RELEASED(name=name))
    people = plan.judged_respondents or RESPONDENTS_ASSUMED
    if column.kept_coarser is not None:
        raise ParameterError(T.RELEASED_COARSER(name=name))
    if column.role == "keep":
        return Part(column, domain, None, plan.sampling, column.reports(people), people)
    mechanism = column.mechanism
    if mechanism is None or mechanism.objection(domain) is not None:
        raise ParameterError(T.NO_FITTING_MECHANISM(name=name))
    count = column.reports(people)
    return Part(column, domain, mechanism, plan.sampling, count, people)


def serving(question: JointQuestion, part: Part) -> Callable[[Mechanism], bool]:
    """Returns which mechanisms a column can have: a slope needs squares of its predictor."""
    is_outcome = part.column.name == question.names[0]
    if question.quantity != "slope" or is_outcome or not part.domain.holds_numbers:
        return lambda _: True
    return lambda mechanism: tells_squares(mechanism, part.domain)


def tells_squares(mechanism: Mechanism, domain: AnyDomain) -> bool:
    """Whether reports of a number tell of its square, as a slope on it needs."""
    scores = mechanism.bind(domain).number_scores
    return scores is not None and not bool(np.isnan(scores).any())


@dataclass(frozen=True, slots=True)
class WantedAnalysis:
    """An analysis that a plan names.

    Attributes:
        text: As it is named.
        error: What it will be worth; None where it cannot be had.
        refusal: Why it cannot be had, with what can; None where it can.
    """

    text: str
    error: JointError | None
    refusal: ParameterError | None = None


def wanted_analyses(plan: Plan) -> tuple[WantedAnalysis, ...]:
    """Returns what the analyses will be worth that a plan names."""
    return tuple(wanted_analysis(plan, text) for text in plan.analyses)


def wanted_analysis(plan: Plan, text: str) -> WantedAnalysis:
    """Returns what an analysis of some columns of a plan will be worth, named or not."""
    try:
        return WantedAnalysis(text, joint_error(plan, asked_of(plan, text)))
    except ParameterError as error:
        return WantedAnalysis(text, None, error)


def with_analysis(plan: Plan, text: str) -> Plan:
    """Returns a plan that names one more analysis; one that is named already counts once.

    Raises:
        ParameterError: It is none of the columns of the plan, or there are too many.
    """
    text = text.strip()
    asked_of(plan, text)
    analyses = tuple(dict.fromkeys((*plan.analyses, text)))
    if len(analyses) > ANALYSES_MAX:
        raise ParameterError(T.TOO_MANY_ANALYSES(most=ANALYSES_MAX))
    return plan.with_fields(analyses=analyses)


def joint_pair(plan: Plan) -> tuple[ColumnPlan, ColumnPlan] | None:
    """Returns the two attributes of categories of middle size; None where no row holds both."""
    lists = [c for c in plan.protected if c.effective_domain and c.effective_domain.picks_one]
    if plan.strategy != "spl" or len(lists) < 2:
        return None
    lists.sort(key=lambda c: c.effective_domain.size if c.effective_domain else 0)
    middle = len(lists) // 2
    return lists[middle - 1], lists[middle]


def joint_question(plan: Plan) -> JointQuestion | None:
    """Returns what tables are judged by: the worst analysis that the plan names, or a usual cell.

    The usual cell is one of both attributes of `joint_pair`.

    Returns:
        None where a row does not hold both answers, or nothing that is named can be had.
    """
    if plan.analyses:
        told = [one.error for one in wanted_analyses(plan) if one.error is not None]
        worst = max(told, key=lambda one: one.usefulness.ratio, default=None)
        return None if worst is None else worst.question
    pair = joint_pair(plan)
    if pair is None:
        return None
    names = tuple(column.name for column in pair)
    return JointQuestion(" x ".join(names), "cell", names)


def joint_worth(plan: Plan, question: JointQuestion | None) -> Usefulness | None:
    """Returns what is asked will be worth; None where it cannot be had."""
    try:
        return None if question is None else joint_error(plan, question).usefulness
    except ParameterError:
        return None


def joint_cell(plan: Plan) -> Usefulness | None:
    """Returns what tables will be worth, by `joint_question`; None where there is none."""
    return joint_worth(plan, joint_question(plan))
