"""`dpdesk survey designs`: every design with its parameters."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.terminal import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds no option: `dpdesk survey designs` has those of every command."""


def run(options: argparse.Namespace) -> int:
    """Prints the designs."""
    from dpdesk.designs import registry

    entries = [
        {
            "kind": design.tag(),
            "title": design.title,
            "summary": design.summary,
            "groups": design.group_count,
            "caution": design.caution,
            "reference": design.reference,
            "parameters": [
                {"name": p.name, "description": p.title, "default": p.default or None}
                for p in design.parameters()
            ],
        }
        for design in registry.DESIGNS
    ]
    if options.json:
        print_json(entries)
        return ExitCode.OK
    for design in registry.DESIGNS:
        print(f"{design.tag()}: {design.title}. {design.summary}")
        for parameter in design.parameters():
            usual = f" (default {parameter.default})" if parameter.default else ""
            print(f"    {parameter.name}  {parameter.title}{usual}")
    return ExitCode.OK
