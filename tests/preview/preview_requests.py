from __future__ import annotations

from decimal import Decimal

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.mechanisms import AnyDomain, mechanism_named
from dpdesk.preview import PreviewRequest

HAPPY = Categorical(values=("very happy", "pretty happy", "not too happy"))
BINARY = Categorical(values=("yes", "no"))
OCCUPATION = Categorical(values=tuple(f"occupation {i}" for i in range(16)))
LARGE = Categorical(values=tuple(f"place {i}" for i in range(1000)))
AGE = Integer(lower=18, upper=99, unit="years")
INCOME = Real(lower=Decimal(0), upper=Decimal(250), resolution=Decimal("0.5"), unit="k")
FINE = Integer(lower=0, upper=999)

CASES: tuple[tuple[AnyDomain, str], ...] = (
    (BINARY, "warner"),
    (HAPPY, "grr"),
    (HAPPY, "sue"),
    (OCCUPATION, "oue"),
    (OCCUPATION, "grr"),
    (LARGE, "oue"),
    (LARGE, "grr"),
    (AGE, "bounded_laplace"),
    (FINE, "bounded_laplace"),
    (INCOME, "duchi"),
)
NAMES = [f"{kind}-{domain.size}" for domain, kind in CASES]


def request(
    domain: AnyDomain, kind: str, epsilon: str = "1", respondents: int = 10_000
) -> PreviewRequest:
    mechanism = mechanism_named(kind)(epsilon=Decimal(epsilon))  # type: ignore[call-arg]
    return PreviewRequest(domain, mechanism, respondents, *domain.two_answers)
