"""Devices that everybody carries: somebody's birthday, and digits of numbers.

Their outcomes are facts and are not drawn: whoever knows the fact knows the outcome, and who looks
a second time finds the same. So a fact decides one thing of one answer.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from dpdesk.designs.devices.at_hand import UniformDevice
from dpdesk.designs.devices.device import Chances, Device, is_run, listed
from dpdesk.designs.devices.drawing import Tile, text_tile
from dpdesk.i18n import N_

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
BIRTHDAY = "birthday"
"""The fact of a person that a device, or an innocent question, is about."""
BIRTHDAYS = N_(
    "Birthdays: every day of a year of 365.25 days is supposed to be equally likely, 29 February a "
    "quarter as often. Real births vary with the season: in the USA in 2000 the months had from 95 "
    "to 105 % of the births of their days. January to March held 24.3 %, and not 24.7 %, so that a "
    "crosswise question with p = 361/1461 finds 9.4 % where 10 % are true, and with p = 1/4 finds "
    "8.9 %. No number of respondents mends that. Days of the month vary less: days 1 to 8 held "
    "26.2 % of the births, and 26.3 % are supposed. Where the births of a country are known by "
    "month, type their share."
)
"""What is assumed of birthdays, and what real ones do to it.

Births by day: Social Security Administration, 4,149,598 births of 2000.
"""
_YEAR = 1461
"""Quarter days of a year of 365.25 days."""
_MONTH_DAYS = (124, 113, 124, 120, 124, 120, 124, 124, 120, 124, 120, 124)
"""Quarter days of each month; a February has 28.25 days."""


class Birthday(Device):
    """Somebody's birthday, every day of a year of 365.25 days being equally likely."""

    tool = "the birthday of somebody whom nobody here knows, such as your mother"
    fact = BIRTHDAY
    spoken = ("birthday", "birth", "born")
    quarter_days: ClassVar[tuple[int, ...]]
    """How many quarter days of a year are of each outcome; 1,461 together."""

    @property
    def weights(self) -> Chances:
        return tuple(Fraction(days, _YEAR) for days in self.quarter_days)

    def asked(self, chance: Fraction, parent: str) -> str:
        """Returns a question that people answer with yes with exactly this chance; "" if none.

        Args:
            chance: The chance.
            parent: Whose birthday is asked for, such as "mother".
        """
        found = self.draw((chance, 1 - chance)) if 0 < chance < 1 else None
        return "" if found is None else self.question(found.events[0], parent)

    @abstractmethod
    def question(self, event: Sequence[int], parent: str) -> str:
        """Returns an event as a question."""


class BirthdayMonth(Birthday):
    """The month of a birthday."""

    word, title = "birth_month", N_("Month of a birthday")
    use = "Think of the month in which this birthday is"
    fairness = N_(
        "Chances are by the days of each month in a year of 365.25 days. Real births vary with the "
        "season, in the USA in 2000 from 95 to 105 % of that; days of the month vary less. Who "
        "knows the birthday knows the outcome, and the interviewer may: let respondents think of "
        "somebody whom nobody here knows."
    )
    quarter_days = _MONTH_DAYS

    def shown(self, event: Sequence[int]) -> str:
        return f"the birthday is {self._when(event)}"

    def question(self, event: Sequence[int], parent: str) -> str:
        return f"Was your {parent} born {self._when(event)}?"

    def _when(self, event: Sequence[int]) -> str:
        first, last = MONTHS[event[0]], MONTHS[event[-1]]
        return f"in {first}" if first == last else f"between {first} and {last}"

    def tile(self, outcome: int) -> Tile:
        return text_tile(MONTHS[outcome][:3])


def share_of_months(months: int) -> Fraction:
    """Returns the exact share of birthdays in the first so many months of the year."""
    return Fraction(sum(_MONTH_DAYS[:months]), _YEAR)


class BirthdayDay(Birthday):
    """The day of the month of a birthday."""

    word, title = "birth_day", N_("Day of a birthday")
    use = "Think of the day of the month on which this birthday is"
    fairness = N_(
        "Chances are by how often each day comes in a year of 365.25 days, and all days are "
        "supposed to have as many births. Who knows the birthday knows the outcome, and the "
        "interviewer may: let respondents think of somebody whom nobody here knows."
    )
    # Days 1 to 28 come twelve times a year, the 29th 11.25, the 30th 11 and the 31st 7.
    quarter_days = (*(48,) * 28, 45, 44, 28)

    def shown(self, event: Sequence[int]) -> str:
        return f"the birthday is {self._when(event)} of the month"

    def question(self, event: Sequence[int], parent: str) -> str:
        return f"Is your {parent}'s birthday {self._when(event)} of a month?"

    def _when(self, event: Sequence[int]) -> str:
        first, last = event[0] + 1, event[-1] + 1
        if first == last:
            return f"on day {first}"
        return (
            f"on day {first} or {last}" if last == first + 1 else f"on a day from {first} to {last}"
        )

    def tile(self, outcome: int) -> Tile:
        return text_tile(str(outcome + 1))


class LastDigit(UniformDevice):
    """The last digit of a telephone number."""

    word, title = "last_digit", N_("Last digit of a phone")
    tool = "a telephone number that nobody here knows, such as that of a relative"
    use = "Think of the last digit of this number"
    names = tuple(map(str, range(10)))
    shows = "the last digit is"
    fact = "telephone number"
    spoken = ("digit", "telephone", "phone")
    fairness = N_(
        "Not exact: digits of telephone numbers are only roughly uniform, and people choose round "
        "numbers; chances of 1 in 10 are supposed. Those of house numbers are not uniform at all: "
        "of first digits 7 in 10 are 1 to 4. The interviewer may know the number."
    )
    source = "Diekmann 2012, Sociological Methods & Research 41, 325-334"

    def shown(self, event: Sequence[int]) -> str:
        names = [self.names[digit] for digit in event]
        if is_run(event) and len(event) > 3:
            return f"{self.shows} {names[0]} to {names[-1]}"
        return f"{self.shows} {listed(names)}"
