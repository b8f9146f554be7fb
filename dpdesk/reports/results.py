"""The estimates of a release, with their errors and how they were processed."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from dpdesk.estimation.of_asked import ANSWERED_UNASKED
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.estimation.rows import (
    AMONG_ANSWERED,
    ANSWERED,
    INTERVAL_SHARE,
    MEAN,
    NO_SAMPLING_AT_AN_END,
    OF_ASKED,
    SHARE,
    EstimateRow,
    end_without_sampling,
    rows_by_quantity,
)
from dpdesk.i18n import Text, quoted
from dpdesk.mechanisms.possible_shares import POSSIBLE_KINDS
from dpdesk.numbers.intervals import is_even
from dpdesk.reports.section import Named, Section
from dpdesk.reports.texts import T

SHOWN_MAX = 200
"""The most categories of one attribute that a report lists; `estimates.csv` has all."""


_UNSEEN = 0.005
"""Part of the 95 % error, which is printed with two digits, below which no difference shows."""


class QuantityEstimate(Section):
    """One estimated share or mean."""

    category: str
    """Released text of the category, or the interval of numbers; empty for a mean."""
    label: str
    """What the category means; the attribute's label for a mean."""
    estimate: float
    """The unbiased estimate as it is; a share may be negative."""
    truncated: float
    """The estimate moved into the possible range."""
    error_95: float
    """Distance of the farther end of the 95 % interval, noise and sampling together."""
    noise_standard_error: float
    """Standard error that the mechanism adds, given the respondents."""
    sampling_standard_error: float | None
    """Standard error of drawing respondents; null where reports do not identify it."""
    total_standard_error: float
    """Standard error of both together."""
    lower: float
    """Lower end of the 95 % interval from noise and sampling, not truncated."""
    upper: float
    """Upper end of the same."""
    simplex: float | None
    """The nearest possible estimate; like those below biased, without error, or null."""
    norm_sub: float | None
    """Negative estimates set to 0 and one amount taken from all others."""
    iterative_bayes: float | None
    """The share under which the reports are likeliest."""
    smoothed_bayes: float | None
    """The same, smoothed over neighbouring numbers."""
    lasso: float | None
    """Categories selected by the lasso and fitted again, 0 where not significant."""

    @property
    def is_even(self) -> bool:
        """Whether both ends of the interval are as far from the estimate, in print."""
        return is_even(self.estimate, self.lower, self.upper)

    @property
    def is_truncated(self) -> bool:
        """Whether the estimate lies outside of the possible range."""
        return self.estimate != self.truncated

    def sampled_at(self, *, share: bool) -> float | None:
        """Returns the share, 0 or 1, at which drawing the respondents has no error; else None.

        Args:
            share: Whether it is a share.
        """
        quantity = SHARE if share else MEAN
        return end_without_sampling(self.estimate, self.sampling_standard_error, quantity)


class AttributeResult(Section):
    """The estimates of one attribute."""

    attribute: str
    """Name of the column."""
    label: str
    """The question or a longer name."""
    quantity: Literal["share", "mean"]
    """What is estimated; shares are fractions of 1."""
    unit: str
    """Unit of a mean; empty for shares."""
    reports: int
    """Number of reports."""
    effective_reports: float
    """Kish's effective number of reports; `reports` without weights."""
    noise_is_upper_bound: bool
    """Whether the noise's standard error is only an upper bound: reports do not identify it."""
    quantities: int
    """Number of all estimates, listed or not."""
    estimates: tuple[QuantityEstimate, ...]
    """The estimates in the domain's order; of more than 200 the 200 largest."""
    answered: QuantityEstimate | None
    """For numbers that may be missing, the share of respondents who answered; else null."""
    asked: str
    """Who was asked, such as "smoker is yes"; empty where everybody was."""
    answered_of_asked: QuantityEstimate | None
    """Share answered among those asked, a ratio of two estimates; null where unknown."""
    of_asked_withheld: str
    """Why that share is not told, as a clause; empty where it is, or everybody was asked."""
    blanks: int
    """Number of blank records, whose respondents did not answer; 0 where that is not public."""
    among_answered: tuple[QuantityEstimate, ...]
    """Shares among those who answered, where "no answer" is a category; at most 200."""
    intervals: tuple[QuantityEstimate, ...]
    """For numbers, the shares of intervals of the domain, if the reports identify them."""


class PossibleEstimate(Named):
    """A kind of possible estimate that the report shows.

    An estimate has a field of its name, and estimates.csv a column.
    """

    title: str
    """Its name for people."""
    meaning: str
    """What it is, in words."""


class Results(Section):
    """All estimates."""

    attributes: tuple[AttributeResult, ...]
    """The protected attributes, in the order of the columns."""
    weights: str
    """Column of the survey weights that the estimates use; empty where there are none."""
    further: tuple[PossibleEstimate, ...]
    """The kinds of possible estimates of the attributes of which they moved some visibly."""
    post_processing: tuple[str, ...]
    """What was done to the estimates, as sentences."""


def results(released: Released) -> Results:
    """Returns the estimates of a release."""
    weight_column = released.plan.weight_column
    attributes = tuple(_of_attribute(attribute, released.rows) for attribute in released.attributes)
    return Results(
        attributes=attributes,
        weights="" if weight_column is None else weight_column.name,
        further=tuple(_possible_kinds(attributes)),
        post_processing=tuple(_post_processing(released, attributes)),
    )


def _of_attribute(attribute: ReleasedAttribute, records: int) -> AttributeResult:
    every = rows_by_quantity(attribute)
    rows = list(_largest(every[SHARE] or every[MEAN]))
    first, answered, of_asked = rows[0], every[ANSWERED], every[OF_ASKED]
    asked = attribute.column.missing.asked
    return AttributeResult(
        attribute=attribute.column.name,
        label=attribute.column.title,
        quantity="share" if first.is_share else "mean",
        unit=first.unit,
        reports=first.reports,
        effective_reports=first.effective_reports,
        noise_is_upper_bound=not first.is_share and first.sampling_standard_error is None,
        quantities=attribute.bound.size if first.is_share else 1,
        estimates=tuple(_estimate(row) for row in rows),
        answered=_estimate(answered[0]) if answered else None,
        asked="" if asked is None else asked.condition(),
        answered_of_asked=_estimate(of_asked[0]) if of_asked else None,
        of_asked_withheld=attribute.of_asked_withheld,
        blanks=records - first.reports if attribute.column.missing.treatment.stays_blank else 0,
        among_answered=tuple(map(_estimate, _largest(every[AMONG_ANSWERED]))),
        intervals=tuple(map(_estimate, every[INTERVAL_SHARE])),
    )


def _largest(estimated: Iterable[EstimateRow]) -> Iterator[EstimateRow]:
    numbered = enumerate(estimated)
    largest = heapq.nlargest(SHOWN_MAX, numbered, key=lambda item: item[1].estimate)
    yield from (row for _, row in sorted(largest, key=lambda item: item[0]))


def _estimate(row: EstimateRow) -> QuantityEstimate:
    return QuantityEstimate(**{name: getattr(row, name) for name in QuantityEstimate.model_fields})


def _possible_kinds(attributes: tuple[AttributeResult, ...]) -> Iterator[PossibleEstimate]:
    """Yields the kinds of possible estimates of the attributes of which some estimate moved."""
    names = {n for a in attributes for n in possible_names((*a.estimates, *a.intervals))}
    for kind in POSSIBLE_KINDS:
        if kind.name in names:
            yield PossibleEstimate(name=kind.name, title=kind.title, meaning=kind.meaning)


def possible_names(estimates: Sequence[QuantityEstimate]) -> tuple[str, ...]:
    """Returns the names of the possible estimates of one attribute, if any moved some visibly.

    Where nothing moved, a table of them would repeat the unbiased estimates.
    """
    names = [kind.name for kind in POSSIBLE_KINDS]
    if not any(_is_moved(e, name) for e in estimates for name in names):
        return ()
    return tuple(n for n in names if any(getattr(e, n) is not None for e in estimates))


def _is_moved(estimate: QuantityEstimate, name: str) -> bool:
    possible: float | None = getattr(estimate, name)
    if possible is None:
        return False
    return abs(possible - estimate.estimate) > _UNSEEN * estimate.error_95


def _has_ends(result: AttributeResult) -> bool:
    """Whether drawing the respondents has no error beside some share of an attribute."""
    share = result.quantity == "share"
    return any(e.sampled_at(share=share) is not None for e in result.estimates)


_OF_SOME: tuple[tuple[Callable[[AttributeResult], object], Text], ...] = (
    (lambda a: a.noise_is_upper_bound, T.UNIDENTIFIED),
    (lambda a: a.answered is not None, T.MEANS_OF_ANSWERED),
    (lambda a: a.asked, T.ROUTED),
    (lambda a: a.among_answered, T.SHARES_AMONG_ANSWERED),
    (lambda a: a.blanks, T.ESTIMATES_OF_ANSWERED),
)
"""What is said of the attributes that something holds of."""


def _post_processing(released: Released, attributes: tuple[AttributeResult, ...]) -> Iterator[str]:
    strategy, weights = released.plan.strategy, released.plan.weight_column
    yield T.UNBIASED()
    if any(e.is_truncated for a in attributes for e in a.estimates):
        yield T.MOVED_BESIDE()
    if note := released.plan.statistics.unit.interval_note:
        yield note
    if any(_has_ends(a) for a in attributes):
        yield NO_SAMPLING_AT_AN_END
    if weights is not None:
        yield T.WEIGHTED(name=weights.name)
    if next(_possible_kinds(attributes), None) is not None:
        yield T.POSSIBLE_BIASED()
    drawn = len(released.attributes) > 1 and strategy != "spl"
    if drawn:
        yield T.OF_DRAWN() if strategy == "smp" else T.FAKES_TAKEN_OUT()
    for holds, text in _OF_SOME:
        if names := [a.attribute for a in attributes if holds(a)]:
            yield text(names=quoted(names))
    if names := [a.attribute for a in attributes if a.answered_of_asked is not None]:
        yield T.RATIO_OF_ASKED(names=quoted(names))
        if drawn and strategy == "smp":
            yield T.APART_ASKED()
        else:
            most = f"{100 * ANSWERED_UNASKED:.0f} %"
            yield (
                T.UNASKED_ANSWERED(most=most)
                if weights is None
                else (T.UNASKED_ANSWERED_BY_WEIGHT(most=most))
            )
        yield T.EACH_UNASKED_ADDS()
    if any(a.quantities > len(a.estimates) for a in attributes):
        yield T.LARGEST_LISTED(most=SHOWN_MAX)
