"""Which mechanism of those that fit has the least error."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dpdesk.mechanisms.base import AnyDomain, Mechanism
from dpdesk.mechanisms.registry import fitting


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mechanism with its error on a domain.

    Attributes:
        mechanism: The parameters, at the epsilon asked for.
        noise_constant: n Var* (see `Forecast.noise_constant`).
    """

    mechanism: Mechanism
    noise_constant: float


def ranked(domain: AnyDomain, epsilon: Decimal) -> tuple[Candidate, ...]:
    """Returns every fitting mechanism, the one of least n Var* first.

    Of equals, the one listed first in the registry wins, so Warner goes before GRR for two
    answers.
    """
    candidates = [kind(epsilon=epsilon) for kind in fitting(domain)]  # type: ignore[call-arg]
    judged = [Candidate(m, m.forecast(domain).noise_constant) for m in candidates]
    # Relative rounding, so that formulas that agree but for the last bits count as equal.
    return tuple(sorted(judged, key=lambda c: float(f"{c.noise_constant:.9g}")))
