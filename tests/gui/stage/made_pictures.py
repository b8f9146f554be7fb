"""Pictures of every kind, as the tests of the stage draw them."""

from __future__ import annotations

import math

from dpdesk.demonstrations.picture import (
    Axis,
    Bar,
    Bars,
    Curve,
    Curves,
    Mark,
    People,
    Picture,
    Table,
)
from dpdesk.gui.stage.step_layout import StepTexts

X = tuple(i / 4 for i in range(201))


def bell(width: float, middle: float = 15.0) -> tuple[float, ...]:
    """A normal density over `X`."""
    return tuple(math.exp(-(((x - middle) / width) ** 2) / 2) / width for x in X)


def people(count: int = 360, every: int = 3) -> People:
    answers = tuple(i % every == 0 for i in range(count))
    return People(answers, f"{sum(answers)} of {count} said yes. Nobody knows who had to.", (3,))


CURVES = Curves(
    (
        Curve(X, bell(5), "now", "now: 360 people"),
        Curve(X, bell(15), "before", "before: 40 people"),
    ),
    (Mark(15, "truth", "truth 15 %"),),
    Axis("estimated share", 0, 50, "%"),
    None,
    "Estimate 15 %, give or take 9.7 percentage points.",
)
BARS = Bars(
    (
        Bar("the answer itself", 4.1, "4.1"),
        Bar("one bit for each of the answers of the question", 2.2, "2.2", "before"),
        Bar("truth", 2.9, "2.9", "truth"),
        Bar("other", 3.1, "3.1 ± 0.5", "other", 2.6, 3.6),
    ),
    Axis("95 % error (percentage points)", 0, 5),
    "Bits err by 2.2 points where the answer itself errs by 4.1.",
)
TABLE = Table(
    ("age", "town", "illness that was named"),
    (("34", "Ulm", "flu"), ("35", "Ulm", "asthma"), ("61", "Bonn", "gout")),
    "One row is the only one of its age and town.",
    frozenset({(2, 0), (2, 1)}),
)
PAIRS: tuple[tuple[Picture, ...], ...] = (
    (people(), CURVES),
    (BARS,),
    (TABLE, BARS),
    (people(3000),),
)


def texts(pictures: tuple[Picture, ...], choices: tuple[str, ...] = ("40", "360")) -> StepTexts:
    """A step with pictures, with words as long as demonstrations have them."""
    return StepTexts(
        "Two coins · step 4 of 8",
        "One answer says little. A thousand say a lot.",
        "Everybody tossed two coins before answering. Press → to ask more people.",
        "The estimate is within 9.7 percentage points of the truth in 95 of 100 surveys.",
        "← → steps · ↑ ↓ choices · space draws again · + − size · B black · Esc leaves",
        "Question: “Have you ever copied in an exam?”",
        pictures,
        choices,
        1,
    )
