"""Devices from the kitchen table: coins, dice, cards, a spinner and a bag of beads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb, floor, lcm
from typing import ClassVar

from dpdesk.designs.devices.device import Chances, Device, Draw, certain
from dpdesk.designs.devices.drawing import (
    Tile,
    beads_tile,
    coins_tile,
    dice_tile,
    die_tile,
    spinner_tile,
    suit_tile,
    text_tile,
)
from dpdesk.designs.devices.texts import T
from dpdesk.i18n import N_, Message, any_of, translated

_HEADS, _TAILS = N_("heads"), N_("tails")
LARGEST_BAG = 100
"""Most beads or cards that anybody is asked to count."""
_COIN_SOURCE = "Bartoš et al. 2023, arXiv:2310.04153"
_DICE_FAIR = N_("Fair enough if it rolls over a table. Drilled pips favour 6 a little.")
_PACK_FAIR = N_("Fair if the pack is complete, without jokers, and shuffled before each draw.")


class Coins(Device):
    """One coin or several, by the number of heads.

    Args:
        count: How many coins, from 1 to 3.
    """

    fairness = N_(
        "Fair enough: a coin lands as it lay in about 51 of 100 tosses. Shake it in closed hands."
    )
    source = _COIN_SOURCE
    _TOOLS: ClassVar = {
        1: ("coin", N_("One coin"), N_("a coin"), N_("Toss the coin")),
        2: ("two_coins", N_("Two coins"), N_("two coins"), N_("Toss two coins")),
        3: ("three_coins", N_("Three coins"), N_("three coins"), N_("Toss three coins")),
    }

    def __init__(self, count: int) -> None:
        self._count = count
        # Each number of coins is a device of its own.
        self.word, self.title, self.tool, self.use = self._TOOLS[count]  # type: ignore[misc]

    @property
    def weights(self) -> Chances:
        n = self._count
        return tuple(Fraction(comb(n, tails), 2**n) for tails in range(n + 1))

    def shown(self, event: Sequence[int]) -> str:
        n = self._count
        heads = tuple(sorted(n - tails for tails in event))
        named_heads, named_tails = translated(_HEADS), translated(_TAILS)
        if n == 1:
            return T.COIN(sides=named_heads if heads == (1,) else named_tails)
        every = T.BOTH_COINS if n == 2 else T.ALL_COINS
        known = {
            (n,): every(side=named_heads),
            (0,): every(side=named_tails),
            (0, n): T.SAME_SIDES(),
            tuple(range(1, n)): T.DIFFERENT_SIDES(),
            tuple(range(n)): T.AT_LEAST_ONE(side=named_tails),
            tuple(range(1, n + 1)): T.AT_LEAST_ONE(side=named_heads),
        }
        return known.get(heads) or T.HEADS(outcomes=any_of([str(number) for number in heads]))

    def tile(self, outcome: int) -> Tile:
        return coins_tile("H" * (self._count - outcome) + "T" * outcome)


class Tosses(Device):
    """One coin, tossed twice; the second toss counts where the first shows tails.

    Everybody tosses twice: who tosses once is seen to have had heads.
    """

    word, title = "coin_twice", N_("One coin, tossed twice")
    tool, use = N_("a coin"), N_("Toss the coin twice")
    fairness = Coins.fairness
    source = _COIN_SOURCE
    _NAMES: ClassVar = (N_("heads first"), N_("tails then heads"), N_("tails then tails"))

    @property
    def weights(self) -> Chances:
        return Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)

    def shown(self, event: Sequence[int]) -> str:
        return T.COIN(sides=any_of([translated(self._NAMES[outcome]) for outcome in event]))

    def tile(self, outcome: int) -> Tile:
        return coins_tile(("H", "TH", "TT")[outcome])


class UniformDevice(Device):
    """A device whose outcomes are equally likely and are named by numbers or words."""

    names: ClassVar[tuple[str, ...]]
    """The elementary outcomes, as the respondent reads them."""

    @property
    def weights(self) -> Chances:
        return (Fraction(1, len(self.names)),) * len(self.names)

    def name_of(self, outcome: int) -> str:
        return translated(self.names[outcome])


class Die(UniformDevice):
    """One die."""

    word, title = "die", N_("One die")
    serves_rows = True
    tool, use = N_("a die"), N_("Throw the die")
    fairness = _DICE_FAIR
    names = ("1", "2", "3", "4", "5", "6")
    shows = T.DIE

    def tile(self, outcome: int) -> Tile:
        return die_tile(outcome + 1)


class CardSuit(UniformDevice):
    """The suit of a card from a pack."""

    word, title = "card_suit", N_("Suit of a card")
    tool = N_("a pack of 52 cards")
    use = N_("Draw a card from the shuffled pack, look at it and put it back")
    fairness = _PACK_FAIR
    names: ClassVar[tuple[str, ...]] = ("hearts", "diamonds", "clubs", "spades")
    shows = T.SUIT

    def tile(self, outcome: int) -> Tile:
        return suit_tile(self.names[outcome])


class CardColour(CardSuit):
    """The colour of a card from a pack."""

    word, title = "card_colour", N_("Colour of a card")
    names = ("red", "black")
    shows = T.CARD

    def tile(self, outcome: int) -> Tile:
        return suit_tile("hearts" if outcome == 0 else "spades")


class CardRank(UniformDevice):
    """The rank of a card from a pack."""

    word, title = "card_rank", N_("Rank of a card")
    tool, use = CardSuit.tool, CardSuit.use
    fairness = _PACK_FAIR
    names = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
    shows = T.RANK

    def tile(self, outcome: int) -> Tile:
        name = self.names[outcome]
        return text_tile(name if name.isdigit() else name[0].upper())


class TwoDiceSum(Device):
    """The sum of two dice."""

    word, title = "dice_sum", N_("Sum of two dice")
    tool, use = N_("two dice"), N_("Throw both dice and add up their numbers")
    fairness = _DICE_FAIR
    shows = T.SUM

    @property
    def weights(self) -> Chances:
        return tuple(Fraction(6 - abs(total - 7), 36) for total in range(2, 13))

    def name_of(self, outcome: int) -> str:
        return str(outcome + 2)


class TwoDicePair(UniformDevice):
    """Two dice of different colours, read as one number."""

    word, title = "dice_pair", N_("Two dice as a number")
    tool = N_("a red die and a white die")
    use = N_("Throw both dice and read the red one first: red 2 and white 5 make 25")
    fairness = _DICE_FAIR
    names = tuple(f"{red}{white}" for red in range(1, 7) for white in range(1, 7))
    shows = T.DICE

    def tile(self, outcome: int) -> Tile:
        return dice_tile(outcome // 6 + 1, outcome % 6 + 1)


class Spinner(UniformDevice):
    """An arrow over a disc of twelve equal parts."""

    word, title = "spinner", N_("Spinner in twelfths")
    tool = N_("a spinner with 12 equal parts, numbered from 1 to 12")
    use = N_("Spin the arrow")
    fairness = N_("Fair if the disc lies flat and the arrow turns several times.")
    names = tuple(map(str, range(1, 13)))
    shows = T.ARROW

    def tiles(self, draw: Draw, place: int) -> list[Tile]:
        event = draw.events[place]
        return [spinner_tile(event, 12, self.names_of(event))]


class Countable(Device):
    """A device with as many equally likely outcomes as the chances need."""

    largest: ClassVar[int | None]
    """Most outcomes; None where there may be any number."""

    @property
    def weights(self) -> Chances:
        return ()

    def size(self, chances: Sequence[Fraction]) -> int | None:
        """Returns the least number of outcomes that has the chances; None if too many."""
        size = lcm(*(chance.denominator for chance in chances))
        return size if self.largest is None or size <= self.largest else None

    def effort(self, chances: Sequence[Fraction]) -> int:
        return lcm(*(chance.denominator for chance in chances))

    def draw(self, chances: Sequence[Fraction]) -> Draw | None:
        if len(chances) == 1:
            return certain()
        size = self.size(chances)
        return None if size is None else self.of_size(size, chances)

    def draws_for_rows(self, rows: Sequence[Sequence[Fraction]]) -> tuple[Draw, ...] | None:
        size = self.size([chance for row in rows for chance in row])
        if size is None:
            return None
        return tuple(self.numbered(size, row) for row in rows)

    def of_size(self, size: int, chances: Sequence[Fraction]) -> Draw:
        """Returns how so many outcomes decide; a multiple of every denominator."""
        return self.numbered(size, chances)

    def numbered(self, size: int, chances: Sequence[Fraction]) -> Draw:
        """Returns how so many numbered outcomes decide."""
        if size == 1:
            return certain()
        events = _spans(size, chances)
        shown = tuple(self.shown(event) for event in events)
        weights = (Fraction(1, size),) * size if size <= LARGEST_BAG else ()
        return Draw(*self.words(size), shown, self, weights, events)

    @abstractmethod
    def words(self, size: int) -> tuple[str, str]:
        """Returns what is needed of so many numbered outcomes, and what is done with it."""


def _spans(size: int, chances: Sequence[Fraction]) -> tuple[range, ...]:
    ends = [0, *(int(end * size) for end in accumulate(chances))]
    return tuple(range(low, high) for low, high in pairwise(ends))


class Beads(Countable):
    """A bag of up to 100 beads; of numbered cards where colours do not do."""

    word, title = "beads", N_("Bag of beads")
    serves_rows = True
    tool, use = N_("a bag of beads"), N_("Draw one bead from the bag, look at it and put it back")
    fairness = N_(
        "Fair if the beads differ only in colour, are mixed before each draw and put back. "
        "Count them every day."
    )
    shows = T.NUMBERED_CARD
    largest = LARGEST_BAG
    _COLOURS = ("red", "white", "blue", "green", "orange", "violet")
    _SIZES = (*range(2, 21), 24, 25, 30, 36, 40, 50, 60, 75, 80, 100)
    """Bags that somebody fills without losing count."""

    @cached_property
    def reachable(self) -> Chances:
        return tuple(sorted({Fraction(k, size) for size in self._SIZES for k in range(1, size)}))

    def near(self, chance: Fraction) -> Chances:
        found = set()
        for size in self._SIZES:
            below = floor(chance * size)
            found |= {Fraction(k, size) for k in (below, below + 1) if 0 < k < size}
        return tuple(sorted(found))

    def divided_near(self, chances: Sequence[Fraction]) -> Iterator[Chances]:
        for size in self._SIZES:
            parts = tuple(Fraction(count, size) for count in rounded_counts(chances, size))
            if min(parts) > 0:
                yield parts

    def of_size(self, size: int, chances: Sequence[Fraction]) -> Draw:
        if len(chances) > len(self._COLOURS):
            return self.numbered(size, chances)
        events = _spans(size, chances)
        # The rarest event is red: it is the one that is looked for.
        order = sorted(range(len(chances)), key=chances.__getitem__)
        colours = {place: self._COLOURS[rank] for rank, place in enumerate(order)}
        counts = ", ".join(f"{len(events[place])} {colours[place]}" for place in order)
        shown = tuple(bead_shown(colours[place]) for place in range(len(chances)))
        tool, use = T.BAG_OF_BEADS(size=size, counts=counts), translated(self.use)
        return Draw(tool, use, shown, self, (Fraction(1, size),) * size, events)

    def named(self, draw: Draw, place: int) -> str:
        colour = _colour(draw.outcomes[place])
        if not colour:
            return draw.outcomes[place]
        return T.BEAD_OF(count=len(draw.events[place]), colour=colour, size=len(draw.weights))

    def words(self, size: int) -> tuple[str, str]:
        return T.BAG_OF_CARDS(size=size), T.DRAW_CARD()

    def tiles(self, draw: Draw, place: int) -> list[Tile]:
        colour = _colour(draw.outcomes[place])
        if colour:
            return [beads_tile(len(draw.events[place]), colour)]
        return super().tiles(draw, place)


def bead_shown(colour: str) -> Message:
    """Returns that a bead of a colour was drawn, in words that follow "if"."""
    return T.BEAD(colour=colour)


def _colour(outcome: str) -> str:
    """The colour of a bead that an outcome is about; empty where it is a number."""
    return str(outcome.values.get("colour", "")) if isinstance(outcome, Message) else ""


def rounded_counts(chances: Sequence[Fraction], size: int) -> list[int]:
    """Returns whole numbers with a given sum that are nearest to chances, by largest remainders."""
    counts = [floor(chance * size) for chance in chances]
    order = sorted(range(len(chances)), key=lambda k: counts[k] - chances[k] * size)
    for place in order[: size - sum(counts)]:
        counts[place] += 1
    return counts


class Screen(Countable):
    """A random number on a screen: a web form's rule or a cell of a spreadsheet."""

    word, title = "screen", N_("Random number on a screen")
    serves_rows = True
    tool, use = N_("a device that draws a number"), N_("Let the device draw a number")
    fairness = N_(
        "As fair as the program. Respondents must trust that the page neither shows nor stores "
        "the number."
    )
    shows = T.SCREEN
    largest = None
    for_screens = True

    @cached_property
    def reachable(self) -> Chances:
        return ()

    def near(self, chance: Fraction) -> Chances:
        return (chance,) if 0 < chance < 1 else ()

    def divided_near(self, chances: Sequence[Fraction]) -> Iterator[Chances]:
        yield tuple(chances)

    def words(self, size: int) -> tuple[str, str]:
        return T.NUMBERS(size=size), translated(self.use)
