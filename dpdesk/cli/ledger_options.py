"""The words that say whom a release is charged to, and those of `dpdesk ledger`."""

from __future__ import annotations

import argparse

from dpdesk.cli.files import add_input, add_place


def add_population(parser: argparse.ArgumentParser) -> None:
    """Adds the options of everything that is charged."""
    group = parser.add_argument_group("the ledger, which every release is charged to")
    group.add_argument(
        "--population",
        type=_name,
        metavar="NAME",
        help="the people behind the data; releases of the same name add up, and the report lists "
        "them (default: those that the file is known to belong to)",
    )
    group.add_argument(
        "--other-people",
        action="store_true",
        help="the known file that this one resembles is of other people; the ledger keeps that "
        "answer",
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
    add_input(parser, "data", nargs="?", metavar="DATA", help="a survey")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--population", type=_name, metavar="NAME", help="this population alone")
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
    change.add_argument(
        "--accept-older",
        action="store_true",
        help="go on from an older copy of the ledger that was put back; what is missing is noted",
    )
    again = parser.add_argument_group("what was released")
    again.add_argument(
        "--plan", metavar="RELEASE", help="print the plan of the release of this identifier"
    )
    again.add_argument(
        "--answers",
        metavar="RELEASE",
        help="print the answers of a release of statistics once more; they cost nothing again",
    )
    folders = parser.add_argument_group("release folders against the ledger")
    add_place(
        folders,
        "--verify",
        metavar="FOLDER",
        help="say whether the ledger has the release in this folder, or all those in it",
    )
    add_place(
        folders,
        "--enter",
        metavar="FOLDER",
        help="enter the release in this folder, which was charged to this ledger and is missing "
        "in it, for --population",
    )
    _add_place(parser)


def _add_place(parser: argparse._ActionsContainer) -> None:
    add_place(
        parser,
        "--ledger",
        metavar="FILE",
        help="another ledger than the one in your data folder (or that of DPDESK_LEDGER)",
    )


def _name(text: str) -> str:
    if not text.strip():
        # Without a name the file is recognised: leaving it empty by accident, as with an unset
        # variable of a script, must not do that.
        raise argparse.ArgumentTypeError("a population has a name; leave the option away instead")
    return text
