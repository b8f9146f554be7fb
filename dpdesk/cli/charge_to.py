"""The population that a release of the command line is charged to."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from dpdesk.cli.terminal import plain, print_note
from dpdesk.cli.texts import T
from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.errors import ParameterError
from dpdesk.i18n import in_a_row
from dpdesk.ledgers import Cap, Charge, Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.ledgers.texts import T as LedgerTexts
from dpdesk.numbers import exact_number


def charge_to(options: argparse.Namespace) -> ChargeTo:
    """Returns whom the options charge a release to.

    Raises:
        ParameterError: The cap is invalid.
    """
    cap = None if options.cap is None else Cap(parse_cap(options.cap))
    return ChargeTo(
        ledger=options.ledger,
        population=options.population or "",
        declare=True,
        other_people=options.other_people,
        cap=cap,
    )


def parse_cap(text: str) -> Decimal:
    """Reads a cap exactly: a sum of epsilons, which may be larger than one of them.

    Raises:
        ParameterError: It is not a number from 0 to 9999 with at most 12 digits after the point.
    """
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,12})?", text):
        raise ParameterError(T.BAD_CAP())
    return Decimal(text)


def parse_delta(text: str) -> Decimal:
    """Reads a delta exactly.

    Raises:
        ParameterError: It is not a number from 0 to below 1.
    """
    delta = exact_number(text)
    if delta is None or not 0 <= delta < 1:
        raise ParameterError(T.BAD_DELTA())
    return delta


def open_ledger(path: Path | None) -> Ledger:
    """Opens a ledger; one that is started at a path of the user is said to be new.

    A mistyped path would otherwise hide all earlier releases.
    """
    is_new = False
    with suppress(OSError):
        # What is no path is refused by the ledger.
        is_new = path is not None and not path.exists()
    ledger = Ledger.open(path)
    if is_new and path is not None:
        print_note(T.NEW_LEDGER(file=path.name))
    return ledger


@contextmanager
def charging_to(options: argparse.Namespace, table: SurveyTable) -> Iterator[ChargeTo]:
    """Asks whose data these are, if they resemble known ones; yields whom to charge.

    If the release fails after it was charged, a message says that it stays charged.

    Raises:
        SamePeopleError: The data resemble known ones, and nobody said whether these are the same
            people.
    """
    to = _answered(charge_to(options), table)
    charges: list[Charge] = []

    def charged(charge: Charge) -> None:
        charges.append(charge)
        if charge.named:
            print_note(T.IS_CALLED(old=charge.named, new=charge.population.name))

    try:
        yield replace(to, charged=charged)
    except BaseException:
        for charge in charges:
            print_note(T.STAYS_CHARGED(name=charge.population.name))
        raise


def _answered(to: ChargeTo, table: SurveyTable) -> ChargeTo:
    """Asks on a terminal whether these are the same people; elsewhere options must say it."""
    ledger = open_ledger(to.ledger)
    resemblances = ledger.similar(table)
    while True:
        question = ledger.question(table, resemblances, to.population)
        if question is None or to.other_people:
            for resemblance in resemblances:
                print_note(resemblance.sentence)
            return to
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise question
        print(plain(question.message), file=sys.stderr)
        for number, name in enumerate(question.populations, start=1):
            print(plain(f"  {number}  {T.AS_PEOPLE_OF(name=name)}"), file=sys.stderr)
        print("  o  other people; the ledger keeps that answer", file=sys.stderr)
        print("Anything else stops here. ", end="", file=sys.stderr, flush=True)
        typed = sys.stdin.readline().strip()
        if typed == "o":
            return replace(to, other_people=True)
        numbered = {str(number): name for number, name in enumerate(question.populations, 1)}
        if typed not in numbered:
            raise question
        if to.population:
            # Two names for one file: we cannot know which one is right.
            raise question
        to = replace(to, population=numbered[typed])


def budget_line(charge: Charge) -> str:
    """Returns what the people behind the data had spent before a release, and have spent now."""
    before, now, left = charge.population.spent(), charge.spent(), charge.left()
    spent = T.SPENT_WITH(
        name=charge.population.name,
        count=before.releases,
        before=format_epsilon(before.epsilon),
        now=format_epsilon(now.epsilon),
    )
    rest = [] if left is None else [T.REMAINS(epsilon=format_epsilon(left.epsilon))]
    return in_a_row([spent, *rest, *([LedgerTexts.DOUBLED()] if now.is_doubled else [])])
