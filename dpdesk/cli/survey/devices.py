"""`dpdesk survey devices`: the randomizing devices that exist, with their exact chances."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.texts import T
from dpdesk.cli.terminal import print_facts, print_json
from dpdesk.i18n import first_names

_SHOWN = 12
"""Most chances of a device that are printed; JSON has them all."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds no option: `dpdesk survey devices` has those of every command."""


def run(options: argparse.Namespace) -> int:
    """Prints the catalogue."""
    from dpdesk.designs.devices import CATALOGUE
    from dpdesk.facts import Fact, Facts

    devices = [
        Facts.of(
            Fact("name", device.word, T.NAME()),
            Fact("title", device.title, T.DESCRIPTION()),
            Fact("needed", device.tool, T.DEVICE()),
            Fact("chances", list(map(str, device.reachable)), T.CHANCES(), _chances_words),
            Fact("fairness", device.fairness, T.FAIRNESS()),
            Fact("known_to_others", device.known_to_others),
            Fact("for_screens", device.for_screens),
            Fact("source", device.source, T.SOURCE() if device.source else ""),
        )
        for device in CATALOGUE
    ]
    if options.json:
        print_json([device.entry() for device in devices])
        return ExitCode.OK
    for device in devices:
        print_facts(device)
        print()
    return ExitCode.OK


def _chances_words(chances: list[str]) -> str:
    return first_names(chances, _SHOWN) or T.ANY()
