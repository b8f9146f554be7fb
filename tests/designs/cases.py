"""One or two of every design, with parameters of no special symmetry."""

from __future__ import annotations

from dpdesk.designs import YesNoDesign, design_named

SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("direct", {}),
    ("warner", {"p": "3/4"}),
    ("warner", {"p": "0.2"}),
    ("crosswise", {"p": "1/4"}),
    ("triangular", {"p": "1/4"}),
    ("unrelated", {"p": "7/10", "q": "1/12"}),
    ("unrelated_two_samples", {"p1": "3/4", "p2": "1/5", "q": "1/3"}),
    ("forced", {"forced_no": "1/6", "forced_yes": "1/3"}),
    ("kuk", {"p1": "7/10", "p2": "1/5"}),
    ("kuk", {"p1": "7/10", "p2": "1/5", "draws": 3}),
    ("mangat", {"p": "2/3"}),
    ("mangat_singh", {"t": "1/5", "p": "2/3"}),
    ("singh_joarder", {"p": "2/3"}),
    ("christofides", {"chances": ("1/2", "1/3", "1/6")}),
    ("cheating_detection", {"p1": "1/4", "p2": "3/4"}),
    ("symmetric_cheating_detection", {"yes1": "1/8", "no1": "1/4", "yes2": "3/8", "no2": "1/8"}),
    ("stochastic_lie_detector", {"s1": "1/4", "s2": "4/5"}),
    ("extended_crosswise", {"p": "1/4"}),
    ("anchored_crosswise", {"p": "1/4", "anchor": "1/5"}),
    ("item_count", {"items": 3}),
]


def made(kind: str, settings: dict[str, object]) -> YesNoDesign:
    return design_named(kind)(**settings)  # type: ignore[arg-type]


ALL = [made(kind, settings) for kind, settings in SETTINGS]
NAMES = [f"{kind} {index}" for index, (kind, _) in enumerate(SETTINGS)]
