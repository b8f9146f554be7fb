"""What people will do with the records: what each purpose asks of a release, and its words.

A purpose decides what the best mechanism is. For "shares" it is the total error of a share or mean.
For "tables" it is the error of a joint cell, which orders mechanisms alike: the mean square of a
report's score is the variance of one report plus the square of the share
(`dpdesk.plan.joint_errors.joint_cell`), and only the variance depends on the mechanism. For a
"file" only reports that are answers of the same column are looked at
(`dpdesk.mechanisms.choice.best_of`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.i18n import N_

PurposeName = Literal["shares", "tables", "file"]
"""A purpose as plans write it: see `dpdesk.plan.Plan.purpose`."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What people will do with the records.

    Attributes:
        short: On the button that changes it.
        title: The name.
        meaning: What it is, in a sentence or two.
        of_several: What is added to it where a plan has questions with several answers.
        every_answer: Whether a row must have a report of every attribute; a larger error is
            accepted for that.
        answers_only: Whether only reports that are answers of the same column are wanted.
        tables: Whether tables of two attributes are wanted, and not only each attribute by itself.
    """

    short: str
    title: str = ""
    meaning: str = ""
    of_several: str = ""
    every_answer: bool = False
    answers_only: bool = False
    tables: bool = False

    def strategy(self, attributes: int) -> Literal["spl", "smp"]:
        """Returns its strategy: one answer of each respondent where that is enough.

        One answer has the least error; of a single attribute it is the same as every answer.
        """
        return "spl" if self.every_answer or attributes < 2 else "smp"


PURPOSES: dict[PurposeName, Purpose] = {
    "shares": Purpose(
        short=N_("For shares and means…"),
        title=N_("Shares and means only"),
        meaning=N_(
            "How many said what, question by question. The least error for the same budget."
        ),
    ),
    "tables": Purpose(
        short=N_("For tables and models…"),
        title=N_("Tables and models across questions"),
        meaning=N_(
            "Who said this also said that: every row has a report of every question. Name models "
            "below: some need other mechanisms."
        ),
        every_answer=True,
        tables=True,
    ),
    "file": Purpose(
        short=N_("For a file like the old…"),
        title=N_("A file that looks like the old one"),
        meaning=N_("Same columns, same answers: programs that read the old file read the new one."),
        of_several=N_(
            "Only a question with several answers becomes a column of 0 and 1 for each option."
        ),
        every_answer=True,
        answers_only=True,
    ),
}
"""Every purpose, in the order in which they are offered."""

UNDECIDED = Purpose(short=N_("What for?…"))
"""While nobody said what the records are for."""
