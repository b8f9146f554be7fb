"""The words that say whom a release is charged to, and those of `dpdesk ledger`."""

from __future__ import annotations

import argparse

from dpdesk.cli.words import ledger, path


def add_population(parser: argparse.ArgumentParser) -> None:
    """Adds the options of everything that is charged."""
    group = parser.add_argument_group("the ledger, which every release is charged to")
    group.add_argument(
        "--population",
        default="",
        metavar="NAME",
        help="the people behind the data; releases of the same name add up, and the report lists "
        "them (default: those that the file is known to belong to)",
    )
    group.add_argument(
        "--cap",
        metavar="EPSILON",
        help="from now on their releases of this model may lose no more than this together",
    )
    _add_place(group)


def add_ledger(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk ledger`."""
    parser.description = (
        "Shows what was released of each population, what that cost in the local and in the "
        "central model, and what is left. With DATA, which population a file belongs to and what "
        "it resembles."
    )
    parser.add_argument("data", type=path, nargs="?", metavar="DATA", help="a survey")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--population", default="", metavar="NAME", help="this population alone")
    change = parser.add_argument_group("changes; none of them can be taken back")
    change.add_argument(
        "--cap",
        metavar="EPSILON",
        help="the most that the releases of --population may lose together; 'none' for no limit",
    )
    change.add_argument(
        "--cap-delta", metavar="DELTA", default="0", help="delta of the cap (default 0)"
    )
    change.add_argument(
        "--model", choices=("local", "central"), help="the model that the cap is for"
    )
    change.add_argument("--rename", metavar="NEW", help="another name for --population")
    change.add_argument(
        "--same-people",
        nargs=2,
        metavar=("NAME", "INTO"),
        help="the first population is the second one: their releases add up from now on",
    )
    change.add_argument(
        "--set-aside",
        action="store_true",
        help="keep a damaged ledger under another name and begin a new one, which knows nothing",
    )
    plan = parser.add_argument_group("plans")
    plan.add_argument(
        "--plan", metavar="RELEASE", help="print the plan of the release of this identifier"
    )
    _add_place(parser)


def _add_place(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--ledger",
        type=ledger,
        metavar="FILE",
        help="another ledger than the one in your data folder (or that of DPDESK_LEDGER)",
    )
