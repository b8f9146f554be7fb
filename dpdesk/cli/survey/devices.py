"""`dpdesk survey devices`: the randomizing devices that exist, with their exact chances."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.terminal import print_json

_SHOWN = 12
"""Most chances of a device that are printed; JSON has them all."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds no option: `dpdesk survey devices` has those of every command."""


def run(options: argparse.Namespace) -> int:
    """Prints the catalogue."""
    from dpdesk.designs.devices import CATALOGUE

    if options.json:
        print_json(
            [
                {
                    "name": device.word,
                    "title": device.title,
                    "needed": device.tool,
                    "chances": [str(chance) for chance in device.reachable],
                    "fairness": device.fairness,
                    "known_to_others": device.known_to_others,
                    "for_screens": device.for_screens,
                    "source": device.source,
                }
                for device in CATALOGUE
            ]
        )
        return ExitCode.OK
    for device in CATALOGUE:
        print(f"{device.word}: {device.title}. You need {device.tool}.")
        chances = [str(chance) for chance in device.reachable]
        more = f" and {len(chances) - _SHOWN} more" if len(chances) > _SHOWN else ""
        print(f"    chances: {', '.join(chances[:_SHOWN]) or 'any'}{more}")
        source = f" ({device.source})" if device.source else ""
        print(f"    {device.fairness}{source}")
    return ExitCode.OK
