"""`dpdesk survey designs`: every design with its parameters."""

from __future__ import annotations

import argparse
import json

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.designs import DESIGNS
from dpdesk.designs.registry import kind_of_design


def designs(options: argparse.Namespace) -> int:
    """Prints the designs."""
    entries = [
        {
            "kind": kind_of_design(design),
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
        for design in DESIGNS
    ]
    if options.json:
        print(json.dumps(entries, indent=2))
        return ExitCode.OK
    for design in DESIGNS:
        print(f"{kind_of_design(design)}: {design.title}. {design.summary}")
        for parameter in design.parameters():
            usual = f" (default {parameter.default})" if parameter.default else ""
            print(f"    {parameter.name}  {parameter.title}{usual}")
    return ExitCode.OK
