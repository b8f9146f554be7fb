"""`dpdesk attack`: what somebody could do with the data, by one attack; or the list of attacks.

The options of an attack are built from the parameters that its kind declares. A first word that is
no attack is the survey of the attack on RS+FD, the only one there was.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_choice, add_input, add_reading, add_value, refuse_ignored
from dpdesk.cli.request_options import add_request, request_of
from dpdesk.cli.simulation import (
    PRIVATE,
    add_simulation_options,
    epsilon_text,
    read_simulated,
    words,
)
from dpdesk.cli.texts import T
from dpdesk.cli.values import real, whole
from dpdesk.errors import ParameterError
from dpdesk.requests.simulations import AttackRequest
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.attacks import Attack, Findings, Phrase, Target
    from dpdesk.engine.simulate.attack import AttackResult

ATTACK_VARIANTS = ("grr", "sue-z", "oue-z", "sue-r", "oue-r")
"""The variants of RS+FD that publications attack."""

SAMPLED_ATTRIBUTE = "sampled-attribute"
"""The attack whose name may be left out."""

_LISTED = Unused(lambda options: options.register is not None, "beside --register")
_EXAMPLE = "A bundled example."
_NAME = re.compile(r"[a-z]+(-[a-z]+)*")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk attack`, or of the attack that is named first."""
    after = getattr(parser, "after", ())
    kind = _kind_named(after)
    if kind is None:
        if after:
            # Before the words after it are blamed, which only this attack could read.
            _refuse_mistyped_name(after[0])
        _add_sampled_attribute(parser, named=False)
    elif kind.tag() == SAMPLED_ATTRIBUTE:
        _add_sampled_attribute(parser, named=True)
    else:
        _add_attack(parser, kind)


def first_words() -> tuple[str, ...]:
    """Returns the names of the attacks, on which the options depend."""
    from dpdesk.attacks import ATTACKS

    return tuple(kind.tag() for kind in ATTACKS)


def _kind_named(after: Sequence[str]) -> type[Attack] | None:
    """Returns the attack that the first word names; None if it names none."""
    if not after or not _NAME.fullmatch(after[0]):
        return None
    from dpdesk.attacks import ATTACKS

    return next((kind for kind in ATTACKS if kind.tag() == after[0]), None)


def _add_attack(parser: argparse.ArgumentParser, kind: type[Attack]) -> None:
    """Adds the options of an attack, from what its kind declares."""
    parser.description = T.ATTACK(
        title=kind.title, question=kind.question, method=kind.method, reference=kind.reference
    )
    parser.add_argument("attack", metavar="NAME", help="an attack of those that are listed")
    if kind.reads_data:
        data = "the survey (default: the bundled example)"
        add_input(parser, "data", table=True, nargs="?", metavar="FILE", help=data)
        plan = "what this plan keeps is what outsiders can compare, with its codes of missing cells"
        add_input(parser, "--plan", metavar="PLAN.json", help=plan)
    if kind.outside_file:
        add_input(parser, "--register", table=True, metavar="FILE", help=kind.outside_file)
    for name in kind.parameters():
        _add_parameter(parser, kind, name)
    if kind.reads_data:
        add_reading(parser)


def _add_parameter(parser: argparse.ArgumentParser, kind: type[Attack], name: str) -> None:
    field = kind.model_fields[name]
    word = f"--{name.replace('_', '-')}"
    meaning = field.description or ""
    if isinstance(field.default, (int, float)):
        meaning += f" (default: {field.default:g})"
    elif kind.if_empty(name):
        meaning += f" (default: {kind.if_empty(name)})"
    unused = [_LISTED] if name in kind.only_without_file else []
    if get_origin(field.annotation) is Literal:
        add_choice(parser, word, get_args(field.annotation), meaning, unused=unused)
        return
    read, metavar = _reader(field.annotation, is_column=kind.column_use(name) is not None)
    add_value(parser, word, metavar, meaning, read=read, unused=unused)


def _reader(annotation: Any, *, is_column: bool) -> tuple[Callable[[str], Any], str]:
    """Returns how a value of a parameter is read, and what stands for it in the help."""
    if annotation is int:
        return whole, "N"
    if annotation is float:
        return real, "NUMBER"
    if get_origin(annotation) is tuple:
        return words, "COLUMN,COLUMN,..." if is_column else "NAMES"
    return str, "COLUMN" if is_column else "TEXT"


def _add_sampled_attribute(parser: argparse.ArgumentParser, *, named: bool) -> None:
    """Adds the options of the attack on RS+FD, which may be named before the survey."""
    if named:
        parser.add_argument("attack", metavar="NAME", help=f"{SAMPLED_ATTRIBUTE}")
    else:
        parser.set_defaults(attack="")
    parser.description = (
        "Simulates reports under RS+FD or RS+RFD and guesses which attribute of each was real. "
        "Nothing is written. Without a survey, `dpdesk attack` lists all attacks."
    )
    survey = "the survey (default: the bundled example)"
    if not named:
        survey = "the survey; or the NAME of an attack, see `dpdesk attack`"
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help=survey)
    add_request(parser, AttackRequest)
    add_simulation_options(parser)


def run(options: argparse.Namespace) -> int:
    """Attacks and prints what was found, or lists the attacks."""
    if not options.attack and options.data is None:
        return _list(options)
    if options.attack in ("", SAMPLED_ATTRIBUTE):
        return _run_sampled_attribute(options)
    return _run_attack(options)


def _list(options: argparse.Namespace) -> int:
    """Prints the attacks."""
    from dpdesk.attacks import ATTACKS
    from dpdesk.cli.terminal import print_json, print_rows

    refuse_ignored(options, set(options.given) - {"json"}, "without a survey to attack")
    if options.json:
        print_json([_entry(kind) for kind in ATTACKS])
        return ExitCode.OK
    for heading, is_tale in (("Attacks", False), ("Mistakes to learn from", True)):
        print(heading)
        print_rows([(kind.tag(), kind.question) for kind in ATTACKS if kind.is_tale == is_tale])
    return ExitCode.OK


def _entry(kind: type[Attack]) -> dict[str, Any]:
    return {
        "name": kind.tag(),
        "title": kind.title,
        "question": kind.question,
        "method": kind.method,
        "reference": kind.reference,
        "stopped_by": kind.stopped_by,
        "mistake": kind.is_tale,
        "parameters": {
            name: {"meaning": field.description, "default": field.default}
            for name, field in kind.model_fields.items()
            if name in kind.parameters()
        },
    }


def _run_attack(options: argparse.Namespace) -> int:
    """Runs the attack that is named."""
    from dpdesk.cli.progress import progress_bar
    from dpdesk.cli.terminal import print_json

    kind = _kind_named((options.attack,))
    assert kind is not None  # noqa: S101 - the parser was made from it
    typed = {name: getattr(options, name) for name in kind.parameters() if name in options.given}
    attack = kind.made(typed)
    target, is_example = _target(options, kind)
    with progress_bar() as tracker:
        found = attack.run(target, tracker)
    if options.json:
        print_json(_findings_entry(attack, found, is_example=is_example))
    else:
        print(_EXAMPLE if is_example else PRIVATE)
        _print_findings(attack, found)
    return ExitCode.OK


def _target(options: argparse.Namespace, kind: type[Attack]) -> tuple[Target, bool]:
    """Reads what is attacked; says whether it is the example."""
    from dpdesk.attacks import Target
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.data.read_file import load
    from dpdesk.plan import load_plan

    if getattr(options, "data", None) is None:
        refuse_ignored(options, {"plan", "register"}, "without a survey to attack")
        return kind.example(), True
    plan = None if options.plan is None else load_plan(options.plan)
    table = look_at_survey(options, plan)
    register = getattr(options, "register", None)
    return Target(table, plan, None if register is None else load(register)), False


def _findings_entry(attack: Attack, found: Findings, *, is_example: bool) -> dict[str, Any]:
    from dpdesk.attacks import in_words

    picture = found.picture
    return {
        "private": not is_example,
        "attack": attack.tag(),
        "parameters": attack.model_dump(mode="json", exclude={"kind"}),
        "attacked": in_words(found.subject),
        "success": found.success,
        "guessing": found.baseline,
        "headline": in_words(found.headline),
        "what_stops_it": [
            {"what": in_words(remedy.words), "success": remedy.success} for remedy in found.remedies
        ],
        "sentences": [in_words(sentence) for sentence in found.sentences],
        "figures": dict(found.figures),
        "picture": {
            "title": in_words(picture.title),
            "x_title": in_words(picture.x_title),
            "y_title": in_words(picture.y_title),
            "x": [in_words(label) for label in picture.labels] or list(picture.x),
            "series": [
                {"name": in_words(series.name), "y": list(series.y)} for series in picture.series
            ],
        },
    }


def _print_findings(attack: Attack, found: Findings) -> None:
    from dpdesk.attacks import effect, in_words
    from dpdesk.cli.terminal import plain
    from dpdesk.numbers.digits import share_text

    def line(phrase: Phrase) -> str:
        return plain(in_words(phrase))

    print(f"{attack.title}. {attack.question}")
    print(f"Attacked: {line(found.subject)}.")
    print(f"Result: {line(found.headline)}.")
    success, baseline = share_text(found.success), share_text(found.baseline)
    print((found.rates or attack.rates).format(success=success, baseline=baseline))
    for sentence in found.sentences:
        print(f"- {line(sentence)}")
    print("What would change it:")
    for remedy in found.remedies:
        after = effect(found, remedy)
        then = "" if after is None else f": {line(after)}"
        print(f"- {line(remedy.words)}{then}")


def _run_sampled_attribute(options: argparse.Namespace) -> int:
    """Attacks a plan or a grid of variants and epsilons, and prints the accuracies."""
    from dataclasses import asdict

    from dpdesk.attacks.sampled_attribute import SampledAttribute
    from dpdesk.cli.progress import progress_bar
    from dpdesk.cli.terminal import print_json
    from dpdesk.engine.simulate.attack import run_attack

    if not options.attack:
        _refuse_mistyped_name(str(options.data))
    request, is_example = request_of(AttackRequest, options), options.data is None
    if not request.variants and options.plan is None:
        request = replace(request, variants=ATTACK_VARIANTS)
    if is_example:
        used = {*SampledAttribute.parameters(), "attack", "json", "drop"}
        refuse_ignored(options, set(options.given) - used, "without a survey to attack")
    with progress_bar() as tracker:
        table, plan = (
            (SampledAttribute.example().table, None) if is_example else read_simulated(options)
        )
        result = run_attack(table, plan, request, tracker, dropped=options.drop)
    if options.json:
        print_json({"private": not is_example} | asdict(result))
    else:
        print(_EXAMPLE if is_example else PRIVATE)
        _print(result)
    return ExitCode.OK


def _refuse_mistyped_name(word: str) -> None:
    """Refuses a word that is neither a file nor an attack, with the nearest attack."""
    from difflib import get_close_matches
    from pathlib import Path

    if not _NAME.fullmatch(word) or Path(word).exists():
        return
    from dpdesk.attacks import ATTACKS

    names = [kind.tag() for kind in ATTACKS]
    (near,) = get_close_matches(word, names, n=1, cutoff=0)
    raise ParameterError(T.NO_ATTACK(name=word, near=near))


def _print(result: AttackResult) -> None:
    from dpdesk.cli.terminal import print_rows, print_table
    from dpdesk.numbers.digits import epsilon_up

    request = result.request
    print("Which attribute of a respondent was real, and which were fake?")
    setting = [
        ("respondents", f"{result.respondents:,}"),
        ("attributes", str(len(result.attributes))),
        ("knowledge", request.knowledge),
        ("classifier", request.classifier),
        ("seed", str(request.seed)),
        ("blind guess is right", f"{100 * result.baseline:.2f} %"),
    ]
    print_rows(setting)
    header = ("variant", "epsilon of the papers", "of the whole record", "right", "95 % interval")
    rows = [
        (
            outcome.title,
            epsilon_text(outcome.nominal_epsilon),
            epsilon_up(outcome.record_epsilon),
            f"{100 * outcome.accuracy:.2f} %",
            f"{100 * outcome.lower:.2f} to {100 * outcome.upper:.2f} %",
        )
        for outcome in result.outcomes
    ]
    print_table([header, *rows])
