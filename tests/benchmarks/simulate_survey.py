"""Times one redraw of the page of hypothetical surveys, without the window.

    python -m tests.benchmarks.simulate_survey [--steps N]

Every step changes epsilon a little, as a slider does, so that nothing is remembered: 1,000 surveys
are drawn anew (or, up to 5,000 respondents, all outcomes gone through), estimated, piled up and put
beside their theory, and the four figures computed; for several answers and for numbers the curves
of the error as well. The command fails where the median at 10^9
respondents is above 50 ms, or above twice the one at 10^4.
"""

from __future__ import annotations

import argparse
import time
from decimal import Decimal
from fractions import Fraction
from statistics import median

from dpdesk.designs import YesNoDesign, design_named
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.scrambling import Additive
from dpdesk.preview.survey import (
    SupposedMean,
    SupposedShare,
    SupposedShares,
    error_curves,
    error_surface,
    estimates_view,
    figures_of_survey,
)

OTHERS = ("forced, 10 answers", "OUE, 10 answers", "additive, a number")
LIMIT, GROWTH = 50.0, 2.0
FEW, SMALL, LARGE = 5_000, 10**4, 10**9


def designs(step: int) -> dict[str, YesNoDesign]:
    """Designs whose parameters are new at every step."""
    chance = Fraction(3, 4) + Fraction(step, 10**6)
    rest = 1 - chance
    return {
        "Warner": design_named("warner")(p=chance),
        "forced response": design_named("forced")(forced_no=rest, forced_yes=rest),
        "Kuk, 50 cards": design_named("kuk")(p1=chance, p2=rest, draws=50),
        "cheating detection": design_named("cheating_detection")(p1=rest, p2=chance),
        "item count, 50 items": design_named("item_count")(items=50),
        "OUE, k = 1,000": MechanismShare(
            mechanism="oue", categories=1_000, epsilon=1 + Decimal(step) / 1000
        ),
    }


def milliseconds(name: str, respondents: int, steps: int) -> float:
    taken = []
    for step in range(steps):
        request = SupposedShare(designs(step)[name], 0.1, respondents, seed=step)
        begun = time.perf_counter()
        figures_of_survey(request)
        taken.append(1000 * (time.perf_counter() - begun))
    return median(taken)


def other_request(name: str, respondents: int, step: int) -> SupposedShares | SupposedMean:
    """A survey of several answers, or of numbers, that is new at every step."""
    small = Fraction(step, 10**6)
    if name == "additive, a number":
        added = Additive(lower=0, upper=2_000, scale=1_000 + step)
        return SupposedMean(added, 400.0, 350.0, respondents, seed=step)
    shares = (0.37, *(0.07,) * 9)
    design = ForcedCategories(orders=(Fraction(1, 20) + small,) * 10)
    if name == "OUE, 10 answers":
        epsilon = 1 + Decimal(step) / 1000
        program = MechanismShare(mechanism="oue", categories=10, epsilon=epsilon)
        return SupposedShares(program, shares, respondents, seed=step)
    return SupposedShares(design, shares, respondents, seed=step)


def other_milliseconds(name: str, respondents: int, steps: int) -> float:
    """Times what the page draws of several answers or of a number: bars, figures and curves."""
    taken = []
    for step in range(steps):
        request = other_request(name, respondents, step)
        begun = time.perf_counter()
        if isinstance(request, SupposedShares):
            estimates_view(request)
            figures_of_survey(request)
        else:
            estimates_view(request)
            figures_of_survey(request)
        error_curves(request)
        taken.append(1000 * (time.perf_counter() - begun))
    return median(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    steps = parser.parse_args().steps
    failed = False
    print(f"{'design':<22} {'n = 5,000':>10} {'10,000':>10} {'10^9':>10} ratio   (ms, median)")
    for name in designs(0):
        few, small, large = (milliseconds(name, n, steps) for n in (FEW, SMALL, LARGE))
        print(f"{name:<22} {few:>10.2f} {small:>10.2f} {large:>10.2f} {large / small:>5.2f}")
        failed |= large > LIMIT or large > GROWTH * small
    for name in OTHERS:
        few, small, large = (other_milliseconds(name, n, steps) for n in (FEW, SMALL, LARGE))
        print(f"{name:<22} {few:>10.2f} {small:>10.2f} {large:>10.2f} {large / small:>5.2f}")
        failed |= large > LIMIT or large > GROWTH * small
    taken = []
    for step in range(steps):
        begun = time.perf_counter()
        error_surface(SupposedShare(designs(0)["warner"], 0.1 + step / 10**6, LARGE))
        taken.append(1000 * (time.perf_counter() - begun))
    print(f"{'error by n and epsilon':<22} {median(taken):>10.2f}")
    print("above the limits" if failed else f"within {LIMIT:.0f} ms and {GROWTH:g} times")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
