"""From the options of a command to whom its release is charged."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

from dpdesk.cli.ledger_words import resemblance_line
from dpdesk.cli.plain import plain
from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.errors import ParameterError
from dpdesk.ledger import Cap, Charge, Ledger
from dpdesk.ledger.charging import ChargeTo
from dpdesk.numbers import exact_number


def charge_to(options: argparse.Namespace) -> ChargeTo:
    """Returns whom the options charge a release to.

    Raises:
        ParameterError: The cap is no sum of epsilons.
    """
    cap = None if options.cap is None else Cap(parse_cap(options.cap))
    return ChargeTo(ledger=options.ledger, population=options.population, cap=cap)


def parse_cap(text: str) -> Decimal:
    """Reads a cap exactly: a sum of epsilons, which may be larger than one of them.

    Raises:
        ParameterError: It is no number from 0 to 9999 with at most 12 digits after the point.
    """
    rule = "Type a number from 0 to 9999 with at most 12 digits after the point, such as 2.5."
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,12})?", text):
        raise ParameterError("This is not a number that a cap can be.", remedy=rule)
    return Decimal(text)


def parse_delta(text: str) -> Decimal:
    """Reads a delta exactly.

    Raises:
        ParameterError: It is no number from 0 to below 1.
    """
    rule = "Type a number from 0 to below 1, such as 1e-6."
    delta = exact_number(text)
    if delta is None:
        raise ParameterError("This is not a number that delta can be.", remedy=rule)
    if not 0 <= delta < 1:
        raise ParameterError("Delta must lie between 0 and 1.", remedy=rule)
    return delta


@contextmanager
def told_of_charges(options: argparse.Namespace, table: SurveyTable) -> Iterator[ChargeTo]:
    """Says which known files a table resembles; yields whom its release is charged to.

    A release that ends without a result after it was charged says that it stays charged.
    """
    to = charge_to(options)
    kept = Ledger.open(to.ledger)
    _name_people(kept, table, to.population)
    for likeness in kept.similar(table):
        print(f"note: {plain(resemblance_line(likeness))}", file=sys.stderr)
    charges: list[Charge] = []
    try:
        yield replace(to, charged=charges.append)
    except BaseException:
        for charge in charges:
            print(
                "dpdesk: the draw had begun, so that its loss stays charged to "
                f"{plain(charge.population.name)}.",
                file=sys.stderr,
            )
        raise


def _name_people(kept: Ledger, table: SurveyTable, name: str) -> None:
    """Gives people that were recognised so far the name that is declared for them now."""
    if not name:
        return
    book = kept.book()
    own, other = book.of_file(kept.fingerprint(table).digest), book.named(name)
    if own is None or own.is_declared:
        return
    if other is None or other.id == own.id:
        kept.rename(own.name, name)
        print(f"note: {plain(own.name)} is called {plain(name)} from now on.", file=sys.stderr)


def budget_line(charge: Charge) -> str:
    """Returns what the people behind the data had spent before a release, and have spent now."""
    name, model = charge.population.name, charge.costs[0].model
    before, now = charge.population.spent(model), charge.spent(model)
    earlier = (
        "1 earlier release" if before.releases == 1 else f"{before.releases:,} earlier releases"
    )
    line = (
        f"ledger: {name}: {earlier} at ε = {format_epsilon(before.epsilon)}, "
        f"in all ε = {format_epsilon(now.epsilon)} ({model})"
    )
    left = charge.left(model)
    return line if left is None else f"{line}; ε = {format_epsilon(left.epsilon)} is left"
