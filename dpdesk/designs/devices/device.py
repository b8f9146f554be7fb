"""What every randomizing device is: its outcomes with their exact chances, its words, its picture.

A device is a list of elementary outcomes, the sides of a die or the months of a birthday, each
with its exact chance. A rule of a survey divides them into events: "the die shows 1 or 2" tells
the truth, any other side says the opposite. Words, picture and chances come from the same division.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations, pairwise, permutations
from typing import ClassVar

from dpdesk.designs.devices.drawing import DOTS, MOST_TILES, Tile, picture, text_tile
from dpdesk.designs.devices.texts import T
from dpdesk.i18n import Text, any_of, translated

_MOST_PERMUTED = 4
"""Most events whose order is changed in search of a division."""
_FEW = 5
"""Up to so many elementary outcomes, any of them may form an event together."""
_LISTED = 3
"""More outcomes in a row than these are named by the first and the last one."""

Chances = tuple[Fraction, ...]
"""The chances of events that exclude each other; above 0, with sum 1."""


@dataclass(frozen=True, slots=True)
class Draw:
    """How a respondent lets chance decide.

    Attributes:
        tool: What is needed, such as "a die"; empty where nothing is left to chance.
        use: What is done with it, as a sentence without its full stop; empty likewise.
        outcomes: The events in words that follow "if", in the order of their chances.
        device: The device; None where nothing is left to chance.
        weights: The exact chance of each elementary outcome.
        events: The numbers of the elementary outcomes of each event, from 0.
    """

    tool: str
    use: str
    outcomes: tuple[str, ...]
    device: Device | None = None
    weights: Chances = ()
    events: tuple[Sequence[int], ...] = ()

    @property
    def chances(self) -> Chances:
        """The exact chances of the events."""
        if self.weights:
            return tuple(sum((self.weights[k] for k in e), Fraction(0)) for e in self.events)
        total = sum(map(len, self.events))
        return tuple(Fraction(len(event), total) for event in self.events)

    @property
    def first_step(self) -> list[str]:
        """The sentence that asks to use the device, unseen; none if nothing is drawn."""
        return [T.UNSEEN(use=self.use)] if self.use else []


@dataclass(frozen=True, slots=True)
class Picture:
    """A rule as a picture.

    Attributes:
        draw: How chance decides.
        labels: What is done after each event, in a few words.
        times: How often it is drawn.
    """

    draw: Draw
    labels: tuple[str, ...]
    times: int = 1

    def markup(self, *, paper: bool = False) -> str:
        """Returns the picture as SVG, or for printers as an image with its own colours."""
        draw = self.draw
        if draw.device is None:
            return ""
        rows = [(draw.device.tiles(draw, place), label) for place, label in enumerate(self.labels)]
        return picture(rows, draw.outcomes, paper=paper)


def certain() -> Draw:
    """Returns what is drawn where one event is certain."""
    return Draw("", "", (T.CERTAIN(),))


class Device(ABC):
    """A randomizing device with fixed outcomes; it says everything that is known of it."""

    word: ClassVar[str]
    """Its name on the command line."""
    title: ClassVar[str]
    """Its name in lists."""
    tool: ClassVar[str]
    """What the respondent needs."""
    use: ClassVar[str]
    """What the respondent does with it, as a sentence without its full stop."""
    fairness: ClassVar[str]
    """Whether it is fair enough, as sentences."""
    source: ClassVar[str] = ""
    """Where that is known from."""
    fact: ClassVar[str] = ""
    """The fact of a person that it reads, such as "birthday"; empty where each use draws anew."""
    shows: ClassVar[Text]
    """An event in words that follow "if", with the names of its {outcomes}."""
    serves_rows: ClassVar[bool] = False
    """Whether it is proposed where one device decides for several true answers."""
    for_screens: ClassVar[bool] = False
    """Whether it exists on a screen alone."""

    @property
    @abstractmethod
    def weights(self) -> Chances:
        """The exact chance of each elementary outcome."""

    @property
    def known_to_others(self) -> bool:
        """Whether somebody else, such as the interviewer, may know the outcome."""
        return bool(self.fact)

    @property
    def cautions(self) -> tuple[str, ...]:
        """What to know of it before a survey, as sentences."""
        fairness = translated(self.fairness)
        return (fairness, another_for_each(self.fact)) if self.fact else (fairness,)

    def name_of(self, outcome: int) -> str:
        """Returns the name of one elementary outcome."""
        return f"{outcome + 1:,}"

    def names_of(self, event: Sequence[int]) -> str:
        """Returns the names of the outcomes of an event, of many in a row the first and the last.

        Args:
            event: The numbers of its elementary outcomes, ascending, from 0.
        """
        if len(event) > _LISTED and event[-1] - event[0] + 1 == len(event):
            return T.FROM_TO(first=self.name_of(event[0]), last=self.name_of(event[-1]))
        return any_of([self.name_of(outcome) for outcome in event])

    def shown(self, event: Sequence[int]) -> str:
        """Returns an event in words that follow "if"; the argument is that of `names_of`."""
        return self.shows(outcomes=self.names_of(event))

    def tile(self, outcome: int) -> Tile:
        """Returns the picture of one elementary outcome."""
        return text_tile(self.name_of(outcome))

    @cached_property
    def reachable(self) -> Chances:
        """The chances that an event of two can have, ascending."""
        weights = self.weights
        if len(weights) < _FEW:
            sums = {
                sum(part, Fraction(0))
                for size in range(1, len(weights))
                for part in combinations(weights, size)
            }
        else:
            sums = set(accumulate(weights[:-1]))
        return tuple(sorted(sums | {1 - chance for chance in sums}))

    def near(self, chance: Fraction) -> Chances:
        """Returns chances of one event among which the nearest to a wanted one is, ascending."""
        return self.reachable

    def divided_near(self, chances: Sequence[Fraction]) -> Iterator[Chances]:
        """Yields chances of several events near the wanted ones; each stays above 0."""
        ends = [Fraction(0), *self.reachable, Fraction(1)]
        if len(chances) > len(self.weights):
            return
        wanted = list(accumulate(chances))[:-1]
        inner = [min((abs(end - cut), end) for end in ends)[1] for cut in wanted]
        cuts = [Fraction(0), *inner, Fraction(1)]
        parts = tuple(after - before for before, after in pairwise(cuts))
        if min(parts) > 0:
            yield parts

    def draw(self, chances: Sequence[Fraction]) -> Draw | None:
        """Returns how this device decides between events; None if it lacks these chances.

        Args:
            chances: Above 0, with sum 1.
        """
        if len(chances) == 1:
            return certain()
        events = self._divided(tuple(chances))
        if events is None:
            return None
        shown = tuple(self.shown(event) for event in events)
        words = translated(self.tool), translated(self.use)
        return Draw(*words, shown, self, self.weights, events)

    def named(self, draw: Draw, place: int) -> str:
        """Returns an event of a draw in words that need no description of the device.

        Args:
            draw: How this device decides.
            place: The number of the event.
        """
        return draw.outcomes[place]

    def asked(self, chance: Fraction, parent: str) -> str:
        """Returns a question that people answer with yes with exactly this chance; "" if none.

        Args:
            chance: The chance.
            parent: Whom it is about, such as "mother".
        """
        return ""

    def tiles(self, draw: Draw, place: int) -> list[Tile]:
        """Returns the pictures of the outcomes of an event, of many the first and the last.

        Args:
            draw: How this device decides.
            place: The number of the event.
        """
        event = draw.events[place]
        if len(event) > MOST_TILES:
            return [self.tile(event[0]), DOTS, self.tile(event[-1])]
        return [self.tile(outcome) for outcome in event]

    def draws_for_rows(self, rows: Sequence[Sequence[Fraction]]) -> tuple[Draw, ...] | None:
        """Returns how one device decides for each of several true answers; None if it cannot.

        Args:
            rows: The chances of the events under each true answer.
        """
        found = tuple(draw for row in rows if (draw := self.draw(row)) is not None)
        return found if len(found) == len(rows) else None

    def effort(self, chances: Sequence[Fraction]) -> int:
        """Returns how many things must be prepared; 0 where the device is at hand."""
        return 0

    def _divided(self, chances: Chances) -> tuple[tuple[int, ...], ...] | None:
        """The events: runs of outcomes in the order of the chances, or else in any order."""
        weights = self.weights
        if len(chances) > len(weights):
            return None
        if len(weights) < _FEW:
            return _parted(weights, chances)
        count = len(chances)
        orders = permutations(range(count)) if count <= _MOST_PERMUTED else iter([range(count)])
        for order in orders:
            runs = _runs(self._ends, [chances[place] for place in order])
            if runs is not None:
                events = dict(zip(order, runs, strict=True))
                return tuple(events[place] for place in range(count))
        return None

    @cached_property
    def _ends(self) -> Mapping[Fraction, int]:
        """How many of the first outcomes have a chance together, by that chance."""
        ends = accumulate(self.weights, initial=Fraction(0))
        return {end: count for count, end in enumerate(ends)}


def _runs(
    counts: Mapping[Fraction, int], chances: Sequence[Fraction]
) -> tuple[tuple[int, ...], ...] | None:
    """Neighbouring outcomes with these chances in this order; None where there are none."""
    cuts = [0]
    for end in accumulate(chances):
        count = counts.get(end)
        if count is None:
            return None
        cuts.append(count)
    return tuple(tuple(range(low, high)) for low, high in pairwise(cuts))


def _parted(weights: Chances, chances: Chances) -> tuple[tuple[int, ...], ...] | None:
    """Any few outcomes with these chances, the rarest events first."""
    events: dict[int, tuple[int, ...]] = {}

    def assign(places: list[int], free: tuple[int, ...]) -> bool:
        if not places:
            return not free
        place, *later = places
        for size in range(1, len(free) + 1):
            for part in combinations(free, size):
                if sum((weights[k] for k in part), Fraction(0)) != chances[place]:
                    continue
                if assign(later, tuple(k for k in free if k not in part)):
                    events[place] = part
                    return True
        return False

    order = sorted(range(len(chances)), key=chances.__getitem__)
    if not assign(order, tuple(range(len(weights)))):
        return None
    return tuple(events[place] for place in range(len(chances)))


def another_for_each(fact: str) -> str:
    """Returns why each question of a survey needs another person's fact, such as a birthday."""
    return T.ONE_EACH(fact=fact)


def unseen(use: str) -> str:
    """Returns the sentence that asks to use a device so that nobody else sees the result."""
    return T.UNSEEN(use=use)


def chance_words(chance: Fraction) -> str:
    """Returns a chance as people say it: "1 in 4"."""
    return T.CHANCE(part=chance.numerator, whole=chance.denominator)
