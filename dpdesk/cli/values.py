"""How the values of options are read; a wrong one is refused with the reason and an example."""

from __future__ import annotations

import argparse

from dpdesk.cli.texts import T

_LEAST_SHARE = 1e-9


def whole(text: str) -> int:
    """Reads a whole number of at most 18 digits."""
    from dpdesk.numbers import whole_number

    number = whole_number(text)
    if number is None:
        raise argparse.ArgumentTypeError(T.NO_WHOLE_NUMBER())
    return number


def real(text: str) -> float:
    """Reads a finite decimal number."""
    from dpdesk.numbers import real_number

    number = real_number(text)
    if number is None:
        raise argparse.ArgumentTypeError(T.NO_REAL_NUMBER())
    return number


def share(text: str) -> float:
    """Reads a share: a decimal number, or one in per cent such as 10%."""
    from dpdesk.numbers import real_share

    number = real_share(text)
    if number is None:
        raise argparse.ArgumentTypeError(T.NO_PLAIN_SHARE())
    return number


def confidence(text: str) -> float:
    """Reads the coverage of an interval, as a share."""
    from dpdesk.numbers import real_share

    level = real_share(text)
    if level is None or not _LEAST_SHARE <= level <= 1 - _LEAST_SHARE:
        raise argparse.ArgumentTypeError(T.NO_COVERAGE())
    return level


def seed(text: str) -> int:
    """Reads the seed of a simulation."""
    from dpdesk.numbers import whole_number

    number = whole_number(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError(T.NO_SEED())
    return number


def population_name(text: str) -> str:
    """Reads the name of a population."""
    if not text.strip():
        # Without the option the population is found by the file. A name that is empty by accident,
        # such as an unset variable of a script, must not have the same effect.
        raise argparse.ArgumentTypeError(T.EMPTY_NAME())
    return text
