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
from dpdesk.designs.devices.device import Chances, Device
from dpdesk.designs.devices.drawing import Tile, text_tile
from dpdesk.designs.devices.texts import T
from dpdesk.i18n import N_, translated

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
    "Birthdays are assumed equally likely on all days of a year. Real births vary by season: in "
    "the USA in 2000 from 95% to 105%. January to March held 24.3%, not 24.7%: a crosswise "
    "question shows 9.4% (p = 361/1461) or 8.9% (p = 1/4) instead of 10%. More respondents do not "
    "reduce this error. Days 1 to 8 of a month held 26.2% (assumed: 26.3%). Use days of the month, "
    "or enter your country’s share of births."
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

    tool = N_("a birthday that the interviewer does not know, for example your mother’s")
    fact = BIRTHDAY
    quarter_days: ClassVar[tuple[int, ...]]
    """How many quarter days of a year are of each outcome; 1,461 together."""

    @property
    def weights(self) -> Chances:
        return tuple(Fraction(days, _YEAR) for days in self.quarter_days)

    def asked(self, chance: Fraction, parent: str) -> str:
        found = self.draw((chance, 1 - chance)) if 0 < chance < 1 else None
        return "" if found is None else self.question(found.events[0], parent)

    @abstractmethod
    def question(self, event: Sequence[int], parent: str) -> str:
        """Returns an event as a question."""


class BirthdayMonth(Birthday):
    """The month of a birthday."""

    word, title = "birth_month", N_("Month of a birthday")
    use = N_("Think of the month in which this birthday is")
    fairness = N_(
        "Chances follow the days of each month. Real births vary by season, in the USA in 2000 "
        "from 95% to 105%; days of the month vary less. The interviewer may know the birthday: "
        "respondents should choose an unknown person’s."
    )
    quarter_days = _MONTH_DAYS

    def shown(self, event: Sequence[int]) -> str:
        first, last = self.name_of(event[0]), self.name_of(event[-1])
        return T.IN_MONTH(month=first) if first == last else T.IN_MONTHS(first=first, last=last)

    def question(self, event: Sequence[int], parent: str) -> str:
        first, last = self.name_of(event[0]), self.name_of(event[-1])
        if first == last:
            return T.BORN_IN(parent=parent, month=first)
        return T.BORN_BETWEEN(parent=parent, first=first, last=last)

    def name_of(self, outcome: int) -> str:
        return translated(MONTHS[outcome])

    def tile(self, outcome: int) -> Tile:
        return text_tile(MONTHS[outcome][:3])


def share_of_months(months: int) -> Fraction:
    """Returns the exact share of birthdays in the first so many months of the year."""
    return Fraction(sum(_MONTH_DAYS[:months]), _YEAR)


class BirthdayDay(Birthday):
    """The day of the month of a birthday."""

    word, title = "birth_day", N_("Day of a birthday")
    use = N_("Think of the day of the month on which this birthday is")
    fairness = N_(
        "Chances follow how often each day occurs in a year. The interviewer may know the "
        "birthday: respondents should choose an unknown person’s."
    )
    shows = T.ON_DAY
    # Days 1 to 28 come twelve times a year, the 29th 11.25, the 30th 11 and the 31st 7.
    quarter_days = (*(48,) * 28, 45, 44, 28)

    def question(self, event: Sequence[int], parent: str) -> str:
        return T.BORN_ON(parent=parent, outcomes=self.names_of(event))


class LastDigit(UniformDevice):
    """The last digit of a telephone number."""

    word, title = "last_digit", N_("Last digit of a phone")
    tool = N_("a phone number that the interviewer does not know, for example a relative’s")
    use = N_("Think of the last digit of this number")
    names = tuple(map(str, range(10)))
    shows = T.LAST_DIGIT
    fact = "telephone number"
    fairness = N_(
        "Not exact: last digits are only roughly uniform. House numbers are worse: 7 in 10 begin "
        "with 1 to 4. The interviewer may know the number."
    )
    source = "Diekmann 2012, Sociological Methods & Research 41, 325-334"
