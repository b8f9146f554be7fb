"""Devices from the kitchen table: coins, dice, cards, a spinner and a bag of beads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb, floor, lcm
from typing import ClassVar

from dpdesk.designs.devices.device import CERTAIN, Chances, Device, Draw, is_run, listed
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
from dpdesk.i18n import N_

_COIN_WORDS = ("coin", "toss", "heads", "tails")
_DICE_WORDS = ("die", "dice")
_CARD_WORDS = ("card", "suit")
LARGEST_BAG = 100
"""Most beads or cards that anybody is asked to count."""
_COIN_SOURCE = "Bartoš et al. 2023, arXiv:2310.04153"
_DICE_FAIR = N_(
    "Fair enough if it rolls over a table several times; drilled pips favour 6 a little."
)
_PACK_FAIR = N_("Fair if the pack is complete, without jokers, and shuffled before each draw.")


class Coins(Device):
    """One coin or several, by the number of heads.

    Args:
        count: How many coins, from 1 to 3.
    """

    fairness = N_(
        "Fair enough: a coin tends to land as it lay before the toss, in about 51 of 100 tosses; "
        "shake it in closed hands."
    )
    source = _COIN_SOURCE
    spoken = _COIN_WORDS
    _TOOLS: ClassVar = {
        1: ("coin", N_("One coin"), "a coin", "Toss the coin"),
        2: ("two_coins", N_("Two coins"), "two coins", "Toss two coins"),
        3: ("three_coins", N_("Three coins"), "three coins", "Toss three coins"),
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
        if n == 1:
            return "the coin shows heads" if heads == (1,) else "the coin shows tails"
        known = {
            (n,): f"{'both' if n == 2 else 'all'} coins show heads",
            (0,): f"{'both' if n == 2 else 'all'} coins show tails",
            (0, n): "all coins show the same side" if n > 2 else "both coins show the same side",
            tuple(range(1, n)): "the coins show different sides",
            tuple(range(n)): "at least one coin shows tails",
            tuple(range(1, n + 1)): "at least one coin shows heads",
        }
        if heads in known:
            return known[heads]
        return f"the number of heads is {listed([str(number) for number in heads])}"

    def tile(self, outcome: int) -> Tile:
        return coins_tile("H" * (self._count - outcome) + "T" * outcome)


class Tosses(Device):
    """One coin, tossed twice; the second toss counts where the first shows tails.

    Everybody tosses twice: who tosses once is seen to have had heads.
    """

    word, title = "coin_twice", N_("One coin, tossed twice")
    tool, use = "a coin", "Toss the coin twice"
    fairness = Coins.fairness
    spoken = _COIN_WORDS
    source = _COIN_SOURCE
    _NAMES: ClassVar = ("heads first", "tails, then heads", "tails, then tails")

    @property
    def weights(self) -> Chances:
        return Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)

    def shown(self, event: Sequence[int]) -> str:
        return f"the coin shows {'; or '.join(self._NAMES[outcome] for outcome in event)}"

    def tile(self, outcome: int) -> Tile:
        return coins_tile(("H", "TH", "TT")[outcome])


class UniformDevice(Device):
    """A device whose outcomes are equally likely and are named by numbers or words."""

    names: ClassVar[tuple[str, ...]]
    """The elementary outcomes, as the respondent reads them."""
    shows: ClassVar[str]
    """What stands before a name, such as "the die shows"."""

    @property
    def weights(self) -> Chances:
        return (Fraction(1, len(self.names)),) * len(self.names)

    def shown(self, event: Sequence[int]) -> str:
        return f"{self.shows} {listed([self.names[outcome] for outcome in event])}"

    def tile(self, outcome: int) -> Tile:
        return text_tile(self.names[outcome])


class Die(UniformDevice):
    """One die."""

    word, title = "die", N_("One die")
    serves_rows = True
    tool, use = "a die", "Throw the die"
    fairness = _DICE_FAIR
    spoken = _DICE_WORDS
    names = ("1", "2", "3", "4", "5", "6")
    shows = "the die shows"

    def tile(self, outcome: int) -> Tile:
        return die_tile(outcome + 1)


class CardSuit(UniformDevice):
    """The suit of a card from a pack."""

    word, title = "card_suit", N_("Suit of a card")
    tool, use = (
        "a pack of 52 cards",
        "Draw a card from the shuffled pack, look at it and put it back",
    )
    fairness = _PACK_FAIR
    spoken = _CARD_WORDS
    names: ClassVar[tuple[str, ...]] = ("hearts", "diamonds", "clubs", "spades")
    shows = "the suit of the card is"

    def shown(self, event: Sequence[int]) -> str:
        if tuple(event) in {(0, 1), (2, 3)}:
            return f"the card is {'red' if event[0] == 0 else 'black'}"
        return super().shown(event)

    def tile(self, outcome: int) -> Tile:
        return suit_tile(self.names[outcome])


class CardColour(CardSuit):
    """The colour of a card from a pack."""

    word, title = "card_colour", N_("Colour of a card")
    names = ("red", "black")
    shows = "the card is"

    def shown(self, event: Sequence[int]) -> str:
        return f"{self.shows} {self.names[event[0]]}"

    def tile(self, outcome: int) -> Tile:
        return suit_tile("hearts" if outcome == 0 else "spades")


class CardRank(UniformDevice):
    """The rank of a card from a pack."""

    word, title = "card_rank", N_("Rank of a card")
    tool, use = CardSuit.tool, CardSuit.use
    fairness = _PACK_FAIR
    spoken = _CARD_WORDS
    names = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
    shows = "the card is"

    def shown(self, event: Sequence[int]) -> str:
        if is_run(event) and len(event) > 3:
            first, last = self.names[event[0]], self.names[event[-1]]
            return f"{self.shows} {_article(first)}, {_article(last)} or anything between"
        return f"{self.shows} {listed([_article(self.names[rank]) for rank in event])}"

    def tile(self, outcome: int) -> Tile:
        name = self.names[outcome]
        return text_tile(name if name.isdigit() else name[0].upper())


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'a8' else 'a'} {name}"


class TwoDiceSum(Device):
    """The sum of two dice."""

    word, title = "dice_sum", N_("Sum of two dice")
    tool, use = "two dice", "Throw both dice and add up their numbers"
    fairness = _DICE_FAIR
    spoken = _DICE_WORDS

    @property
    def weights(self) -> Chances:
        return tuple(Fraction(6 - abs(total - 7), 36) for total in range(2, 13))

    def shown(self, event: Sequence[int]) -> str:
        return f"the sum is {_from_to(event[0] + 2, event[-1] + 2)}"

    def tile(self, outcome: int) -> Tile:
        return text_tile(str(outcome + 2))


class TwoDicePair(UniformDevice):
    """Two dice that can be told apart, read as one number."""

    word, title = "dice_pair", N_("Two dice as a number")
    tool = "a red die and a white die"
    use = "Throw both dice and read the red one first: red 2 and white 5 make 25"
    fairness = _DICE_FAIR
    spoken = _DICE_WORDS
    names = tuple(f"{red}{white}" for red in range(1, 7) for white in range(1, 7))
    shows = "the dice show"

    def shown(self, event: Sequence[int]) -> str:
        first, last = self.names[event[0]], self.names[event[-1]]
        return f"{self.shows} {first if first == last else f'{first} to {last}'}"

    def tile(self, outcome: int) -> Tile:
        return dice_tile(outcome // 6 + 1, outcome % 6 + 1)


class Spinner(UniformDevice):
    """An arrow over a disc of twelve equal parts."""

    word, title = "spinner", N_("Spinner in twelfths")
    spoken = ("spinner", "arrow")
    tool, use = "a spinner with 12 equal parts, numbered from 1 to 12", "Spin the arrow"
    fairness = N_("Fair if the disc lies flat and the arrow turns several times.")
    names = tuple(map(str, range(1, 13)))
    shows = "the arrow stops at"

    def shown(self, event: Sequence[int]) -> str:
        return f"{self.shows} {_from_to(event[0] + 1, event[-1] + 1)}"

    def tiles(self, draw: Draw, place: int) -> list[Tile]:
        event = draw.events[place]
        return [spinner_tile(event, 12, _from_to(event[0] + 1, event[-1] + 1))]


def _from_to(first: int, last: int) -> str:
    if last - first < 2:
        return f"{first}" + (f" or {last}" if last > first else "")
    return f"{first} to {last}"


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
            return CERTAIN
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
            return CERTAIN
        events = _spans(size, chances)
        shown = tuple(self.shown(event) for event in events)
        weights = (Fraction(1, size),) * size if size <= LARGEST_BAG else ()
        return Draw(*self.words(size), shown, self, weights, events, self.setup(size))

    def words(self, size: int) -> tuple[str, str]:
        """Returns what is needed of so many numbered outcomes, and what is done with it."""
        return self.tool, self.use

    def setup(self, size: int) -> str:
        """Returns what whoever prepares the survey does, as a sentence; may be empty."""
        return ""

    def tile(self, outcome: int) -> Tile:
        return text_tile(f"{outcome + 1:,}")


def _spans(size: int, chances: Sequence[Fraction]) -> tuple[range, ...]:
    ends = [0, *(int(end * size) for end in accumulate(chances))]
    return tuple(range(low, high) for low, high in pairwise(ends))


class Beads(Countable):
    """A bag of up to 100 beads; of numbered cards where colours do not do."""

    word, title = "beads", N_("Bag of beads")
    spoken = ("bead", "bag")
    serves_rows = True
    tool, use = "a bag of beads", "Draw one bead from the bag, look at it and put it back"
    fairness = N_(
        "Fair if the beads differ in nothing but colour, are mixed before each draw, and are put "
        "back; count them every day."
    )
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
        shown = tuple(f"the bead is {colours[place]}" for place in range(len(chances)))
        tool = f"a bag with {size} beads ({counts})"
        return Draw(tool, self.use, shown, self, (Fraction(1, size),) * size, events)

    def named(self, draw: Draw, place: int) -> str:
        size, count = len(draw.weights), len(draw.events[place])
        colour = draw.outcomes[place].rpartition(" ")[2]
        if colour not in self._COLOURS:
            return draw.outcomes[place]
        return f"the bead drawn is one of {count} {colour} in {size}"

    def words(self, size: int) -> tuple[str, str]:
        return (
            f"a bag with {size} cards, numbered from 1 to {size}",
            "Draw one card from the bag, read its number and put it back",
        )

    def shown(self, event: Sequence[int]) -> str:
        return f"the card has {number_span(event)}"

    def tiles(self, draw: Draw, place: int) -> list[Tile]:
        colour = draw.outcomes[place].rpartition(" ")[2]
        if colour in self._COLOURS:
            return [beads_tile(len(draw.events[place]), colour)]
        return super().tiles(draw, place)


def number_span(event: Sequence[int]) -> str:
    """Returns "number 1", "number 1 or 2", or "a number from 1 to 10"."""
    low, high = event[0] + 1, event[-1] + 1
    if high - low < 2:
        return f"number {low:,}" + (f" or {high:,}" if high > low else "")
    return f"a number from {low:,} to {high:,}"


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
    tool, use = "a device that draws a number", "Let the device draw a number"
    fairness = N_(
        "As fair as the program; respondents must trust that the page neither shows nor stores "
        "the number that was drawn."
    )
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
        return f"a device that draws a number from 1 to {size:,}, all equally likely", self.use

    def setup(self, size: int) -> str:
        return (
            f"In a web form: a random whole number from 1 to {size:,}, each equally likely, shown "
            f"once and not stored. In a spreadsheet cell: =RANDBETWEEN(1,{size})"
        )

    def shown(self, event: Sequence[int]) -> str:
        return f"the device shows {number_span(event)}"
