"""Instructions of designs whose answer is a number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from dpdesk.designs.christofides import Christofides
from dpdesk.designs.instructions.devices import chance_words, draw_among
from dpdesk.designs.instructions.procedure import UNSEEN, Procedure, Way
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.kuk import Kuk

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def kuk(design: Kuk, question: str) -> tuple[Procedure, ...]:
    """Two decks; who has the trait reads the first, everybody else the second."""
    k = design.draws
    cards = "one card" if k == 1 else f"{k} cards"
    back = "" if k == 1 else " Put each card back before you draw the next."
    tool = (
        f"two decks of cards: {chance_words(design.p1)} cards of deck 1 is red, and "
        f"{chance_words(design.p2)} of deck 2"
    )
    steps = (
        f"Draw {cards} from deck 1 and as many from deck 2, {UNSEEN}.{back}",
        "If your true answer is yes: say how many of the cards from deck 1 were red.",
        "If your true answer is no: say how many of the cards from deck 2 were red.",
    )
    carrier, other = (
        tuple(
            Way(comb(k, y) * red**y * (1 - red) ** (k - y), _red(y, deck), f"{y} red")
            for y in range(k + 1)
            if comb(k, y) * red**y * (1 - red) ** (k - y)
        )
        for deck, red in ((1, design.p1), (2, design.p2))
    )
    reason = "Only you know which of both decks your number comes from."
    return (Procedure("", tool, (("", question),), steps, reason, carrier, other),)


def _red(number: int, deck: int) -> str:
    return f"{number} red {'card' if number == 1 else 'cards'} from deck {deck}"


def christofides(design: Christofides, question: str) -> tuple[Procedure, ...]:
    """The number that the device shows, or the one as far from the other end."""
    m = len(design.chances)
    kept = [(j, chance) for j, chance in enumerate(design.chances, start=1) if chance]
    draw = draw_among([chance for _, chance in kept])
    steps = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    carrier, other = [], []
    for (j, chance), outcome in zip(kept, draw.outcomes, strict=True):
        steps.append(
            f"If {outcome} ({chance_words(chance)}): say {j} if your true answer is no, and "
            f"{m + 1 - j} if it is yes."
        )
        carrier.append(Way(chance, outcome, str(m + 1 - j)))
        other.append(Way(chance, outcome, str(j)))
    reason = "Only you know what the device showed, so nobody knows which way you counted."
    return (
        Procedure(
            "",
            draw.tool,
            (("", question),),
            tuple(steps),
            reason,
            tuple(carrier),
            tuple(other),
        ),
    )


def item_count(design: ItemCount, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
    """How many of the items of a list; one group's list has the sensitive item as well."""
    m = design.items
    chances = [Fraction(comb(m, y), 2**m) for y in range(m + 1)]
    steps = (
        "Count how many of the questions you would answer with yes.",
        "Say only this number, and not which questions they are.",
    )
    reason = "Nobody knows which of the questions you counted."
    longer, shorter = (
        tuple(Way(chance, _items(y), str(y + more)) for y, chance in enumerate(chances))
        for more in (1, 0)
    )
    return (
        Procedure(
            "longer list", "", _lettered((*others, question)), steps, reason, longer, shorter
        ),
        Procedure("shorter list", "", _lettered(others), steps, reason, shorter, shorter),
    )


def _items(number: int) -> str:
    apply = "answer is" if number == 1 else "answers are"
    return f"{number} of the innocent {apply} yes"


def _lettered(questions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    many = len(questions) > len(_LETTERS)
    return tuple(
        (str(number + 1) if many else _LETTERS[number], question)
        for number, question in enumerate(questions)
    )
