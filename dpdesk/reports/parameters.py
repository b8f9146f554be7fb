"""What was run for each attribute: domain, mechanism, epsilons, law, error."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import inf
from typing import Literal

import numpy as np

from dpdesk.domains import NumericDomain
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.estimation.rows import estimate_rows
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms import AnyDomain
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.mechanisms.missing_answer import BoundMissing
from dpdesk.numbers.digits import share_text
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan.column import SOURCES, ColumnPlan
from dpdesk.plan.losses import attribute_losses, hides_the_attribute, total_epsilon
from dpdesk.plan.missing import PolicyName
from dpdesk.plan.usefulness import (
    ReleasedMean,
    Usefulness,
    usefulness_of,
    usefulness_of_shares,
)
from dpdesk.plan.verdicts import Verdict
from dpdesk.reports.number_text import expected_error_text
from dpdesk.reports.section import ExactEpsilon, Section
from dpdesk.reports.strategy import losses_text
from dpdesk.reports.texts import T

CONFIDENCE = 0.95


class DomainFacts(Section):
    """What an answer can be, and how that is known."""

    type: Literal["categorical", "several", "integer", "real", "date"]
    """Categories, or numbers or dates on a grid."""
    size: int
    """Number of categories or of grid points, those for missing and other answers included."""
    lower: str | None
    """Lower bound of numbers, as declared."""
    upper: str | None
    """Upper bound of numbers, as declared."""
    step: str | None
    """Distance of neighbouring grid points."""
    unit: str
    """Unit of numbers."""
    provenance: Literal["declared", "codebook", "suggested"]
    """Where the domain comes from; "suggested" was read off the data."""
    confirmed: bool
    """Whether somebody confirmed that the domain is public knowledge."""
    confirmed_by: str
    """Who confirmed it; empty where no name was given."""


class MissingFacts(Section):
    """What becomes of missing answers, before the mechanism."""

    policy: PolicyName
    """What becomes of missing answers."""
    codes: str
    """The declared codes and ranges with their labels; empty if only blank cells are missing."""
    value: str
    """The category or the value."""
    asked: str
    """Who was asked, as a sentence; empty where everybody was. Declared, never read off data."""
    sentence: str
    """What becomes of them in words."""


class AttributeParameters(Section):
    """One protected attribute."""

    name: str
    """Name of the column."""
    label: str
    """The question or a longer name; the name where there is none."""
    kind: str
    """The kind of answer."""
    domain: DomainFacts
    """What an answer can be."""
    missing: MissingFacts
    """What becomes of missing answers."""
    outside: str
    """What becomes of answers outside the domain, in words."""
    mechanism: str
    """The mechanism's tag in the plan."""
    mechanism_short: str
    """Its short name."""
    mechanism_title: str
    """Its name in full."""
    report: str
    """What a respondent's report is, in words."""
    reference: str
    """The publication of its formulas."""
    epsilon_asked: ExactEpsilon
    """The epsilon of the plan."""
    epsilon_run: ExactEpsilon
    """The epsilon of the integer law that was run, rounded up at the 15th decimal."""
    likelihood_ratio: str
    """The exact largest likelihood ratio of that law, as a fraction of integers."""
    fingerprint: str
    """SHA-256 of the integer law."""
    p: float | None
    """Probability that a report supports the true category, or high at the upper bound."""
    q: float | None
    """Probability that it supports any other category, or high at the lower bound."""
    phi: float | None
    """Mean probability that a fake report supports a category; null without fakes."""
    scale: float | None
    """Scale of the noise, in the attribute's unit."""
    gamma: float | None
    """For staircase noise, the width of the upper step as a share of the interval's."""
    own_epsilon: float | None
    """For bounded staircase noise, its own epsilon, chosen so that the loss is the nominal one."""
    uncalibrated_loss: float | None
    """For bounded staircase noise, the loss if its own epsilon had been the nominal one."""
    permanent_epsilon: float | None
    """For RAPPOR, the loss of all reports of an answer; a release makes one."""
    truthful: float | None
    """Share of reports that are the true answer; null where a report is no answer."""
    quantity: Literal["share", "mean"]
    """What is estimated."""
    unit: str
    """Unit of the errors: "1" for shares, which are fractions of 1, else the attribute's."""
    noise_variance: float
    """Noise variance of the estimate: of a share near 0, of a mean at its largest."""
    error_95: float
    """Half-width of the 95 % interval, noise and sampling; of shares the largest."""
    error_assumes: str
    """What this error is of."""
    usefulness: Verdict | None
    """Whether the released estimates are useful, coarse or useless, each by its own error."""
    estimates_useful: int
    """How many of the estimates are useful."""
    estimates_all: int
    """How many there are: every share, or one mean."""
    usefulness_reason: str
    """The worst error against what is estimated and against the error without protection."""

    @property
    def half_range(self) -> float:
        """Half of all that the estimate can be, in the unit of its errors; infinite of dates."""
        if self.quantity == "share":
            return 0.5
        bounds = self.domain.lower, self.domain.upper
        if self.domain.type == "date" or None in bounds:
            return inf
        lower, upper = (float(bound or 0) for bound in bounds)
        return (upper - lower) / 2

    @property
    def error_told(self) -> str:
        """The error, in print; more than half of what can be is told as such."""
        is_share = self.quantity == "share"
        return expected_error_text(self.error_95, self.half_range, self.unit, share=is_share)


class Parameters(Section):
    """All attributes and the loss of them together."""

    attributes: tuple[AttributeParameters, ...]
    """The protected attributes, in the order of the columns."""
    epsilon_asked: ExactEpsilon
    """Loss of the whole record by the epsilons of the plan: see `composition`."""
    epsilon_run: ExactEpsilon
    """The same by the epsilons that were run."""
    epsilon_of_one_attribute: ExactEpsilon
    """The largest loss of a single attribute."""
    composition: str
    """How the losses add up."""


def parameters(released: Released) -> Parameters:
    """Returns the parameters of a release."""
    run = [a.bound.certificate.epsilon_certified for a in released.attributes]
    asked = total_epsilon(released.plan)
    rows = released.plan.statistics.unit.rows_per_respondent
    return Parameters(
        attributes=tuple(_of_attribute(a, released) for a in released.attributes),
        epsilon_asked=asked,
        # Fakes of unequal epsilons lose less than the largest of them.
        epsilon_run=rows * sum(run, Decimal(0))
        if released.plan.strategy == "spl"
        else min(rows * max(run), asked),
        epsilon_of_one_attribute=max(attribute_losses(released.plan).values()),
        composition=losses_text(released.plan),
    )


def _worth(
    attribute: ReleasedAttribute, judged: AnyDomain, released: Released, supposed: str
) -> Usefulness | None:
    """How useful the released estimates of an attribute are."""
    estimate, z = attribute.estimate, normal_quantile(CONFIDENCE)
    errors = z * estimate.total_error
    sampling = np.nan_to_num(z * estimate.sampling_error)
    if not judged.holds_numbers:
        what = "an estimated share of {share}"
        return usefulness_of_shares(what, estimate.value, errors, sampling)
    mean = ReleasedMean(*(float(np.ravel(e)[0]) for e in (estimate.value, errors, sampling)))
    # The verdict is on the same number of reports; of a group its plan counts all respondents.
    plan, column = released.plan, attribute.column
    people = attribute.tally.effective_reports * plan.sampling.groups
    asked = (attribute.bound.mechanism, judged, plan.sampling, people, column.expected_shares)
    return usefulness_of(*asked, supposed, released=mean)


def _of_attribute(attribute: ReleasedAttribute, released: Released) -> AttributeParameters:
    column, bound = attribute.column, attribute.bound
    mechanism, certificate, domain = bound.mechanism, bound.certificate, bound.domain
    numbers = bound.parameters()
    sampling, judged = released.plan.sampling, judged_domain(attribute)
    # Only a group reports the attribute, with its own number of reports; the mechanism is the same.
    forecast = (
        mechanism.forecast(judged)
        if sampling.strategy == "smp"
        else sampling.forecast(mechanism, judged, column.expected_shares)
    )
    reports = attribute.tally.effective_reports
    is_share, supposed = forecast.quantity == "share", supposed_of(column, judged)
    worth = _worth(attribute, judged, released, supposed)
    rows = estimate_rows(attribute)
    ratio = certificate.likelihood_ratio
    return AttributeParameters(
        name=column.name,
        label=column.title,
        kind=column.kind,
        domain=_domain_facts(attribute, released),
        missing=_missing_facts(column),
        outside=in_a_row(_outside(column)),
        mechanism=mechanism.kind,
        mechanism_short=mechanism.short,
        mechanism_title=mechanism.title,
        report=mechanism.summary,
        reference=mechanism.reference,
        epsilon_asked=certificate.epsilon_nominal,
        epsilon_run=certificate.epsilon_certified,
        likelihood_ratio=f"{ratio.numerator}/{ratio.denominator}",
        fingerprint=certificate.fingerprint,
        p=numbers.get("p"),
        q=numbers.get("q"),
        phi=float(bound.support.mean())
        if isinstance(bound, FakeDataOracle) and hides_the_attribute(released.plan)
        else None,
        scale=numbers.get("scale"),
        gamma=numbers.get("gamma"),
        own_epsilon=numbers.get("eps0"),
        uncalibrated_loss=numbers.get("naive_loss"),
        permanent_epsilon=numbers.get("permanent_epsilon"),
        truthful=forecast.truthful,
        quantity=forecast.quantity,
        unit="1" if is_share else domain.unit,
        noise_variance=numbers["n_var_star"] * domain.noise_unit**2 / reports,
        error_95=max(row.error_95 for row in rows if row.quantity == forecast.quantity),
        error_assumes=in_a_row(_assumed(None if domain.holds_numbers else domain.size, supposed)),
        usefulness=None if worth is None else worth.verdict,
        estimates_useful=0 if worth is None else worth.counts.useful,
        estimates_all=0 if worth is None else sum(worth.counts),
        usefulness_reason="" if worth is None else worth.reason,
    )


def judged_domain(attribute: ReleasedAttribute) -> AnyDomain:
    """Returns the domain with the released share of missing answers, which is public.

    The results may contradict the supposed one, and then so would errors that rest on it. Where the
    reports do not even show that anybody is missing, it is the supposed one as far as they allow.
    """
    domain, bound = attribute.bound.domain, attribute.bound
    if not isinstance(bound, BoundMissing):
        return domain
    answered = bound.share_answered(attribute.tally, CONFIDENCE)
    least, most = (1 - float(end[0]) for end in (answered.upper, answered.lower))
    missing = 1 - float(answered.value[0])
    if least <= 0:
        missing = min(domain.missing_share, most)
    edge = 1 / (1 + attribute.tally.reports)
    return bound.domain.with_missing(round(min(max(missing, edge), 1 - edge), 6))


def supposed_of(column: ColumnPlan, judged: AnyDomain) -> str:
    """Returns which share of missing answers errors go by, in words; empty for none."""
    if not judged.missing_share:
        return ""
    said = T.DID_NOT_ANSWER if column.missing.asked is None else T.HAVE_NO_ANSWER
    return said(share=share_text(judged.missing_share))


def _domain_facts(attribute: ReleasedAttribute, released: Released) -> DomainFacts:
    column, domain = attribute.column, attribute.bound.domain
    lower, upper, step = domain.bounds or (None, None, None)
    return DomainFacts(
        type=domain.type,
        size=domain.size,
        lower=lower,
        upper=upper,
        step=step,
        unit=domain.unit,
        provenance=column.provenance,
        confirmed=column.confirmed,
        confirmed_by=released.plan.details.confirmed_by if column.confirmed else "",
    )


def _missing_facts(column: ColumnPlan) -> MissingFacts:
    missing = column.missing
    return MissingFacts(
        policy=missing.policy,
        value=missing.value,
        codes=missing.codes,
        asked="" if missing.asked is None else missing.asked.sentence,
        sentence=missing.treatment.sentence(missing),
    )


def _assumed(categories: int | None, missing: str) -> Iterator[str]:
    """Yields what an error is of: of how many shares, and what it supposes of missing answers."""
    yield T.ERROR_OF_MEAN() if categories is None else T.LARGEST_ERROR(count=categories)
    if missing:
        yield T.ERROR_SUPPOSES(missing=missing)


def _outside(column: ColumnPlan) -> Iterator[str]:
    domain, counts_missing = column.domain, column.missing.treatment.takes_unread
    if domain is not None and not domain.holds_numbers:
        if column.other:
            yield T.OUTSIDE_OTHER(name=column.other)
        elif counts_missing:
            yield T.OUTSIDE_MISSING(name=column.missing.value)
        else:
            yield T.OUTSIDE_STOPS()
        return
    in_digits = not isinstance(domain, NumericDomain) or domain.in_digits
    yield T.NUMBERS_MOVED() if in_digits else T.DATES_MOVED()
    if counts_missing:
        yield T.NO_NUMBER_MISSING() if in_digits else T.NO_DATE_MISSING()


def domain_text(facts: DomainFacts) -> str:
    """Returns a domain in a few words."""
    if facts.type == "categorical":
        return T.CATEGORIES(count=facts.size)
    if facts.type == "several":
        return T.OPTIONS(count=facts.size)
    upper = f"{facts.upper} {facts.unit}".strip()
    return T.ON_GRID(lower=facts.lower, upper=upper, step=facts.step)


def provenance_text(facts: DomainFacts) -> str:
    """Returns where a domain comes from and who confirmed it, as a sentence."""
    source = SOURCES[facts.provenance].capitalize()
    if not facts.confirmed:
        return T.NOT_CONFIRMED(source=source)
    if facts.confirmed_by:
        return T.CONFIRMED_BY(source=source, name=facts.confirmed_by)
    return T.CONFIRMED(source=source)
