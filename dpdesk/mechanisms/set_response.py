"""Randomized response for sets: some options are asked, and their combination is randomized."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.channel.options import BLOCK_ROWS, NOT_ASKED, OptionsLaw
from dpdesk.composition import Divergences, divergences
from dpdesk.domains import AnyDomain, OptionSet
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.among_answered import Supports, shares_by_support
from dpdesk.mechanisms.base import BoundMechanism, Mechanism, Tick
from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast, frequency_estimate
from dpdesk.mechanisms.sampling import SampledForecast, estimate_of_group
from dpdesk.mechanisms.score_rule import ScoreRule, support_rule
from dpdesk.mechanisms.tally import Tally, count_bits
from dpdesk.mechanisms.texts import T
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.randomness import WordSource

_DIGITS = Context(prec=30)
_ASKED_MAX = 31


class SetResponse(Mechanism):
    """Randomized response of the combination of s options, drawn from the d options of a set.

    The combination is one of 2^s values and told with odds e^eps against each other one (k-ary
    randomized response, Kairouz, Bonawitz & Ramage 2016); an option that is asked is then reported
    wrongly with chance q = 2^(s-1) / (e^eps + 2^s - 1). That options are drawn follows the
    mechanisms for many attributes (Wang et al. 2019, "Collecting and analyzing multidimensional
    data with local differential privacy"), which would split epsilon over the s of them.
    """

    short = "Set RR"
    title = N_("Randomized response for sets")
    summary = N_(
        "The report tells which of a few options were ticked, or another combination of them; "
        "they are drawn whatever was answered, so that one epsilon covers the whole set."
    )
    reference = "Kairouz, Bonawitz & Ramage 2016; Wang, Xiao, Yang, Zhao, Hui, Shin, Shin & Yu 2019"
    form = "integers"
    agreement = "{number} of 100{real} reports on any one option agree with the true answer to it."
    lost = N_("A report tells of some options alone.")

    kind: Literal["set_response"] = "set_response"
    asked: Annotated[
        int | None,
        Field(
            ge=1,
            le=_ASKED_MAX,
            title="Options drawn",
            description="Number of options that a respondent reports. Left open, it is the number "
            "of least error, near epsilon.",
            json_schema_extra={"symbol": "s"},
        ),
        PlainDigits,
    ] = None

    @classmethod
    def misfit(cls, domain: AnyDomain) -> Message | None:
        return None if isinstance(domain, OptionSet) else T.NEEDS_SEVERAL_ANSWERS()

    def objection(self, domain: AnyDomain) -> Message | None:
        if self.asked is not None and self.asked > domain.size:
            return T.MANY_OPTIONS(drawn=self.asked, options=domain.size)
        return self.misfit(domain)

    def asked_of(self, options: int) -> int:
        """Returns the number of options that a respondent reports."""
        return least_error_asked(options, self.epsilon) if self.asked is None else self.asked

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> SetOracle:
        self.require_fit(domain)
        return SetOracle(
            self, domain, OptionsLaw.at(domain.size, self.asked_of(domain.size), self.epsilon)
        )

    def forecast(self, domain: AnyDomain) -> SampledForecast:
        self.require_fit(domain)
        asked = self.asked_of(domain.size)
        q = _flip(asked, self.epsilon)
        told = FrequencyForecast(domain.size, 1 - q, q, "bits")
        return SampledForecast(told, domain.size / asked)

    def reported_share(self, domain: AnyDomain) -> float:
        return self.asked_of(domain.size) / domain.size

    def divergences(self, domain: AnyDomain, first: int, second: int) -> Divergences:
        # If one of the two options is asked, the report is the one, the other, or neither; if none
        # is, the reports have the same law.
        options, asked = domain.size, self.asked_of(domain.size)
        differ = 1 - math.comb(options - 2, asked) / math.comb(options, asked)
        told = differ / (1 + (2.0**asked - 1) * math.exp(-self.epsilon))
        lie = told * math.exp(-self.epsilon)
        return divergences(
            np.array([told, lie, 1 - told - lie]), np.array([lie, told, 1 - told - lie])
        )

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        return tuple(f"{name}={text}" for text in domain.texts)


def _flip(asked: int, epsilon: Decimal) -> float:
    """The chance that an option which is asked is reported wrongly, in floating point."""
    values = float(2**asked)
    return values / 2 / (math.exp(epsilon) + values - 1)


@lru_cache(maxsize=4096)
def least_error_asked(options: int, epsilon: Decimal) -> int:
    """Returns the number of options to ask of least error, by trying every one.

    A share of one half is estimated with variance d / (4 s (1 - 2 q)^2 n), and
    1 - 2 q = (E - 1) / (E + 2^s - 1): so that (E + 2^s - 1)^2 / s is to be least. Rationals decide,
    so that every machine chooses the same; of equals the smallest number is taken.
    """
    growth = Fraction(_DIGITS.exp(epsilon))
    return min(range(1, options + 1), key=lambda s: (growth + 2**s - 1) ** 2 / s)


class SetOracle(BoundMechanism):
    """Reports of some options of a set each, and the share of respondents who ticked each option.

    Attributes:
        law: The integer law that is drawn from.
        q: Chance that an option which is asked is reported wrongly.
    """

    numeric_outputs = False

    def __init__(self, mechanism: Mechanism, domain: AnyDomain, law: OptionsLaw) -> None:
        self.mechanism = mechanism
        self.domain = domain
        self.law = law
        self.outputs = domain.texts
        self.certificate = law.certificate(mechanism.epsilon)
        self.q = law.flip()
        self.blanks = law.asked < law.options
        self.limits = (NOT_ASKED + self.blanks,) * law.options

    @property
    def bytes_per_row(self) -> int:
        return 16 * self.size

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[np.uint8]:
        reports = np.empty((codes.size, self.size), dtype=np.uint8)
        for start in range(0, codes.size, BLOCK_ROWS):
            block = codes[start : start + BLOCK_ROWS]
            drawn = words.take(self.law.words_each * block.size)
            reports[start : start + BLOCK_ROWS] = self.law.sample(block, drawn)
        return reports

    def counts(self, reports: NDArray[np.integer], weights: Floats | None) -> Floats:
        both = np.concatenate((reports == 1, reports != NOT_ASKED), axis=1, dtype=np.uint8)
        return count_bits(both, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        # That of the group who were asked; what drawing the group adds counts as noise.
        each = [self._of_option(tally, option, confidence) for option in range(self.size)]
        return Estimate(
            quantity="share",
            value=np.concatenate([one.value for one in each]),
            truncated=np.concatenate([one.truncated for one in each]),
            noise_error=np.concatenate([one.noise_error for one in each]),
            sampling_error=np.concatenate([one.sampling_error for one in each]),
            total_error=np.concatenate([one.total_error for one in each]),
            lower=np.concatenate([one.lower for one in each]),
            upper=np.concatenate([one.upper for one in each]),
            reports=tally.reports,
            effective_reports=tally.effective_reports,
        )

    def totals(self, counts: Floats, weight: Floats) -> Floats:
        # An option is asked with the chance s/d, which the counts are divided by.
        ticked, asked = counts[:, : self.size], counts[:, self.size :]
        told = (ticked - self.q * asked) / (1 - 2 * self.q)
        return np.asarray(told * (self.law.options / self.law.asked))

    def report_scores(self, reports: NDArray[np.integer]) -> Floats:
        told = ((reports == 1) - self.q * (reports != NOT_ASKED)) / (1 - 2 * self.q)
        return np.asarray(told * (self.law.options / self.law.asked))

    def score_rule(self) -> ScoreRule:
        # Products with other attributes are averaged over all, of whom one in `factor` is asked.
        return support_rule("columns", 1 - self.q, self.q, factor=self.law.options / self.law.asked)

    def _of_option(self, tally: Tally, option: int, confidence: float) -> Estimate:
        asked, squares = option + self.size, tally.square_counts
        weight = float(tally.counts[asked])
        group = Tally(
            # Where reports have weights, how many of them tell of the option is not counted.
            math.ceil(tally.reports * self.law.asked / self.size),
            weight,
            weight if squares is None else float(squares[asked]),
            tally.counts[[option]],
            None if squares is None else squares[[option]],
        )
        if not weight:
            # Nobody was asked it: a report that says neither, and all intervals as wide as can be.
            group = Tally(1, 1.0, 1.0, np.array([0.5]))
        estimate = frequency_estimate(group, 1 - self.q, self.q, confidence)
        return estimate_of_group(estimate, max(tally.effective_reports, group.effective_reports))

    def among_answered(self, tally: Tally, missing: int) -> Estimate:
        # Of the reports that tell of an option only some tell of "no answer", too.
        size, asked, squares = self.size, tally.counts[self.size :], tally.square_counts
        told = asked > 0
        shares = np.divide(tally.counts[:size], asked, out=np.full(size, 0.5), where=told)
        # The parts of all weight, and of all squared weight, that are asked an option.
        weight = self.law.asked / size
        by_squares = None
        if squares is not None:
            by_squares = np.divide(
                squares[:size], squares[size:], out=np.full(size, 0.5), where=told
            )
        group = max(1, math.ceil(tally.reports * weight))
        effective = max(1.0, tally.effective_reports * weight)
        supports = Supports.of(
            size,
            (1 - self.q, self.q),
            (self.q / 2, self.q / 2),
            (self.law.asked - 1) / (size - 1) if size > 1 else 1.0,
        )
        of_group = Tally(
            group,
            effective,
            effective,
            shares * effective,
            None if by_squares is None else by_squares * effective,
        )
        estimate = shares_by_support(of_group, supports, missing)
        estimate = estimate_of_group(estimate, max(tally.effective_reports, effective))
        return replace(estimate, reports=tally.reports, effective_reports=tally.effective_reports)

    def parameters(self) -> dict[str, float]:
        return {
            "p": 1 - self.q,
            "q": self.q,
            "n_var_star": self.mechanism.forecast(self.domain).noise_constant,
            "asked": float(self.law.asked),
        }

    def estimation_rule(self, weighted: str) -> str:
        return T.OPTION_RULE(weighted=weighted, q=repr(self.q))

    def part_meanings(self) -> tuple[str, ...]:
        labels = map(self.domain.label, range(self.size))
        if not self.blanks:
            return tuple(T.TICKED(option=label) for label in labels)
        drawn, options = self.law.asked, self.law.options
        return tuple(
            T.TICKED_IF_DRAWN(option=label, drawn=drawn, options=options) for label in labels
        )

    def impossible(self, reports: NDArray[np.integer]) -> NDArray[np.bool_]:
        return np.asarray((reports != NOT_ASKED).sum(axis=1) != self.law.asked)

    def report_rule(self) -> str:
        return T.ROW_OF_OPTIONS(drawn=self.law.asked, options=self.law.options)
