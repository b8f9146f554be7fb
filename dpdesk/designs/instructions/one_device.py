"""Instructions of designs in which every respondent uses a device: coins, dice, cards."""

from __future__ import annotations

from fractions import Fraction

from dpdesk.designs.cheating_detection import CheatingDetection
from dpdesk.designs.direct import Direct
from dpdesk.designs.forced import Forced
from dpdesk.designs.instructions.devices import chance_words, draw_among
from dpdesk.designs.instructions.procedure import (
    NO,
    OPPOSITE,
    SAY_NO,
    SAY_YES,
    TRUTH,
    UNSEEN,
    YES,
    Branch,
    Procedure,
    Way,
    by_device,
    if_outcome,
    truth,
)
from dpdesk.designs.mangat import Mangat
from dpdesk.designs.mangat_singh import MangatSingh
from dpdesk.designs.singh_joarder import SinghJoarder
from dpdesk.designs.stochastic_lie_detector import StochasticLieDetector
from dpdesk.designs.symmetric_cheating_detection import SymmetricCheatingDetection
from dpdesk.designs.warner import WarnerDesign

_TWO_COINS = Fraction(3, 4)
GROUPS = ("first group", "second group")
_REASON = (
    "Only you know what the device showed, so nobody knows whether you told the truth or followed "
    "the device."
)


def direct(design: Direct, question: str) -> tuple[Procedure, ...]:
    """The truth."""
    return (by_device(question, [truth(Fraction(1))]),)


def warner(design: WarnerDesign, question: str) -> tuple[Procedure, ...]:
    """The truth or its opposite; with three in four, a coin that decides twice."""
    if design.p == _TWO_COINS:
        return (_two_tosses(question),)
    return (by_device(question, [truth(design.p), Branch(1 - design.p, OPPOSITE, NO, YES)]),)


def _two_tosses(question: str) -> Procedure:
    """The same chances without an opposite to think of: heads the truth, else the second toss."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    heads, again = "the coin shows heads", "the coin shows tails, then "
    steps = (
        f"Toss the coin, {UNSEEN}.",
        if_outcome(heads, half, TRUTH),
        if_outcome("the coin shows tails", half, "toss it a second time, unseen as well"),
        f"If the second toss shows heads ({chance_words(half)}): {SAY_YES}.",
        f"If the second toss shows tails ({chance_words(half)}): {SAY_NO}.",
    )
    ordered = (Way(quarter, f"{again}heads", YES), Way(quarter, f"{again}tails", NO))
    return Procedure(
        "",
        "a coin",
        (("", question),),
        steps,
        _REASON,
        (Way(half, heads, YES), *ordered),
        (Way(half, heads, NO), *ordered),
    )


def forced(design: Forced, question: str) -> tuple[Procedure, ...]:
    """No, yes, or the truth."""
    return (_ordered(question, design.forced_yes, design.forced_no),)


def cheating_detection(design: CheatingDetection, question: str) -> tuple[Procedure, ...]:
    """Yes, or the truth."""
    chances = (design.p1, design.p2)
    return tuple(
        _ordered(question, yes, Fraction(0), group)
        for group, yes in zip(GROUPS, chances, strict=True)
    )


def symmetric_cheating_detection(
    design: SymmetricCheatingDetection, question: str
) -> tuple[Procedure, ...]:
    """Yes, no, or the truth."""
    chances = ((design.yes1, design.no1), (design.yes2, design.no2))
    return tuple(
        _ordered(question, yes, no, group) for group, (yes, no) in zip(GROUPS, chances, strict=True)
    )


def _ordered(question: str, yes: Fraction, no: Fraction, group: str = "") -> Procedure:
    branches = [
        Branch(yes, SAY_YES, YES, YES),
        Branch(no, SAY_NO, NO, NO),
        truth(1 - yes - no),
    ]
    return by_device(question, branches, group)


def mangat(design: Mangat, question: str) -> tuple[Procedure, ...]:
    """Carriers say yes; others use Warner's device."""
    return (_others_only(question, design.p, ""),)


def stochastic_lie_detector(design: StochasticLieDetector, question: str) -> tuple[Procedure, ...]:
    """Carriers are asked for the truth; others use the device."""
    chances = (design.s1, design.s2)
    return tuple(_others_only(question, s, group) for group, s in zip(GROUPS, chances, strict=True))


def _others_only(question: str, says_no: Fraction, group: str) -> Procedure:
    """Who has the trait says yes whatever the device shows, which everybody uses all the same."""
    chances = {NO: says_no, YES: 1 - says_no}
    kept = {answer: chance for answer, chance in chances.items() if chance}
    draw = draw_among(list(kept.values()))
    shown = list(zip(kept.items(), draw.outcomes, strict=True))
    start = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    orders = [
        if_outcome(outcome, chance, f"say {answer}")[:-1].removeprefix("If ")
        for (answer, chance), outcome in shown
    ]
    steps = (
        *start,
        "If your true answer is yes: say yes, whatever the device shows.",
        *(f"If your true answer is no, and {order}." for order in orders),
    )
    return Procedure(
        group,
        draw.tool,
        (("", question),),
        steps,
        "Everybody uses the device, so nobody knows whether you needed it.",
        tuple(Way(chance, outcome, YES) for (_, chance), outcome in shown),
        tuple(Way(chance, outcome, answer) for (answer, chance), outcome in shown),
    )


def mangat_singh(design: MangatSingh, question: str) -> tuple[Procedure, ...]:
    """The truth, or Warner's device."""
    first = [(design.t, True), (1 - design.t, False)]
    second = [(design.p, True), (1 - design.p, False)]
    one, two = _outcomes(first), _outcomes(second)
    carrier: list[Way] = []
    other: list[Way] = []
    steps = [f"{one.use}, {UNSEEN}."] if one.use else []
    for chance, orders_truth, outcome in one.branches:
        if orders_truth:
            carrier.append(Way(chance, outcome, YES))
            other.append(Way(chance, outcome, NO))
            steps.append(if_outcome(outcome, chance, TRUTH))
            continue
        again = f"do the second draw. {two.use}, {UNSEEN}" if two.use else "go on"
        steps.append(if_outcome(outcome, chance, again))
        for further, asks, shown in two.branches:
            words = f"{outcome}; in the second draw {shown}"
            carrier.append(Way(chance * further, words, YES if asks else NO))
            other.append(Way(chance * further, words, NO if asks else YES))
            steps.append(
                f"If, in the second draw, {shown} ({chance_words(further)}): "
                f"{TRUTH if asks else OPPOSITE}."
            )
    used = (one.tool, two.tool if design.t < 1 else "")
    tools = sorted({tool for tool in used if tool})
    return (
        Procedure(
            "",
            " and ".join(tools),
            (("", question),),
            tuple(steps),
            _REASON,
            tuple(carrier),
            tuple(other),
        ),
    )


def singh_joarder(design: SinghJoarder, question: str) -> tuple[Procedure, ...]:
    """Warner's device, which who would have to deny uses twice."""
    found = _outcomes([(design.p, True), (1 - design.p, False)])
    carrier: list[Way] = []
    other: list[Way] = []
    steps = [f"{found.use}, {UNSEEN}."] if found.use else []
    for chance, asks, outcome in found.branches:
        other.append(Way(chance, outcome, NO if asks else YES))
        if asks:
            carrier.append(Way(chance, outcome, YES))
            steps.append(if_outcome(outcome, chance, TRUTH))
            continue
        steps.append(
            if_outcome(
                outcome,
                chance,
                "say yes if your true answer is no. If it is yes, say nothing yet, and use the "
                "device a second time, unseen",
            )
        )
        for further, asks_again, shown in found.branches:
            answer = YES if asks_again else NO
            carrier.append(Way(chance * further, f"{outcome}; the second time {shown}", answer))
            steps.append(f"If, the second time, {shown} ({chance_words(further)}): say {answer}.")
    return (
        Procedure(
            "",
            found.tool,
            (("", question),),
            tuple(steps),
            _REASON,
            tuple(carrier),
            tuple(other),
        ),
    )


class _Outcomes:
    """A device with two outcomes, those of chance 0 left out."""

    def __init__(self, branches: list[tuple[Fraction, bool]]) -> None:
        kept = [branch for branch in branches if branch[0]]
        draw = draw_among([chance for chance, _ in kept])
        self.tool, self.use = draw.tool, draw.use
        self.branches = [
            (chance, asks, outcome)
            for (chance, asks), outcome in zip(kept, draw.outcomes, strict=True)
        ]


def _outcomes(branches: list[tuple[Fraction, bool]]) -> _Outcomes:
    return _Outcomes(branches)
