"""Checks of the law for sets by every report that there is, shared with the kill matrix."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.options import NOT_ASKED, OptionsLaw
from dpdesk.domains import OptionSet
from dpdesk.mechanisms.set_response import SetOracle, SetResponse
from tests.cost.exact_exponential import exp_bounds

Law = dict[tuple[int, ...], Fraction]


def options(size: int) -> OptionSet:
    return OptionSet(values=tuple(f"option {number}" for number in range(size)))


def bound_at(size: int, epsilon: str, asked: int | None = None) -> SetOracle:
    return SetResponse(epsilon=Decimal(epsilon), asked=asked).bind(options(size))


def exact_law(law: OptionsLaw, code: int) -> Law:
    """The chance of every report, from one word of each stretch of words and its length."""
    choices = comb(law.options, law.asked)
    stretch = WORD_TOTAL // choices
    chosen = [(rank * stretch, stretch) for rank in range(choices)]
    chosen[-1] = (chosen[-1][0], WORD_TOTAL - chosen[-1][0])
    truth, lie = law.response.truth, law.response.lie
    assert truth + (2**law.asked - 1) * lie == WORD_TOTAL
    said = [(0, truth)] + [(truth + i * lie, lie) for i in range(2**law.asked - 1)]
    result: Law = defaultdict(Fraction)
    for (first, wide), (second, long) in product(chosen, said):
        # Both ends of each stretch.
        words = np.array([first, first + wide - 1, second, second + long - 1], dtype=np.uint64)
        low, high = law.sample(np.full(2, code, dtype=np.int32), words).tolist()
        assert low == high
        result[tuple(low)] += Fraction(wide, WORD_TOTAL) * Fraction(long, WORD_TOTAL)
    assert sum(result.values()) == 1
    return dict(result)


def no_report_tells_more_than_the_certificate(
    size: int = 3, asked: int = 2, epsilon: str = "1"
) -> None:
    bound = bound_at(size, epsilon, asked)
    laws = [exact_law(bound.law, code) for code in range(2**size)]
    assert all(set(law) == set(laws[0]) for law in laws)
    worst = max(
        max(law[report] for law in laws) / min(law[report] for law in laws) for report in laws[0]
    )
    assert worst == bound.certificate.likelihood_ratio <= exp_bounds(Fraction(epsilon))[0]
    assert bound.epsilon - bound.certificate.epsilon_certified <= Decimal("1e-9")


def every_choice_is_asked_alike_and_read_without_bias(size: int = 3, asked: int = 2) -> None:
    bound = bound_at(size, "1.5", asked)
    flip = Fraction(bound.law.response.lie * 2 ** (asked - 1), WORD_TOTAL)
    assert float(flip) == bound.q
    for code in range(2**size):
        law = exact_law(bound.law, code)
        for chosen in combinations(range(size), asked):
            told = {
                report: chance
                for report, chance in law.items()
                if {j for j, cell in enumerate(report) if cell != NOT_ASKED} == set(chosen)
            }
            share = sum(told.values())
            assert abs(share - Fraction(1, comb(size, asked))) < Fraction(1, 2**60)
            for option in chosen:
                # Exactly, among those who are asked the option.
                ones = sum(chance for report, chance in told.items() if report[option] == 1)
                assert (ones / share - flip) / (1 - 2 * flip) == code >> option & 1
