"""A field of a request is declared once and found in every rendering; see `dpdesk.requests`."""

from __future__ import annotations

import argparse
import inspect
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from pytestqt.qtbot import QtBot

import dpdesk
from dpdesk.cli.call import function_of, options_of_request
from dpdesk.cli.request_options import add_request, request_of
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.request_form import RequestForm
from dpdesk.preview.command_words import CommandWords
from dpdesk.requests.registry import REQUESTS
from dpdesk.requests.request import Declared, Request, read_names, written_names
from dpdesk.requests.unused import Unused
from tests.house.test_texts import FORBIDDEN
from tests.refusals import refused

TOOLTIP_WORDS = 15


@dataclass(frozen=True, kw_only=True)
class Brewing(Request):
    command: ClassVar[str] = "brew tea"

    cups: Annotated[int, Declared("Cups", "Number of cups", 1, 12)] = 2
    heat: Annotated[float, Declared("Heat", "Temperature of the water", 0, 100)] = 95.5
    leaf: Annotated[
        str, Declared("Leaf", "Kind of tea: green or black", words=("green", "black"))
    ] = "black"
    milk: Annotated[bool, Declared("Milk", "Add milk")] = False
    guests: Annotated[tuple[str, ...], Declared("Guests", "Names of the guests")] = ()
    tables: Annotated[
        tuple[tuple[str, ...], ...], Declared("Tables", "Who sits together", repeated=True)
    ] = ()
    sugar: Annotated[
        Mapping[str, int],
        Declared(
            "Sugar",
            "Lumps of each guest",
            0,
            9,
            example="GUEST=LUMPS",
            unused=(Unused(lambda brewing: brewing.leaf == "green", "beside --leaf green"),),
        ),
    ] = field(default_factory=dict)
    tray: Annotated[Path | None, Declared("Tray", "Where it is put", role="folder")] = None
    bill: Annotated[Path | None, Declared("Bill", "What it costs", role="output", short="-o")] = (
        None
    )


FULL = Brewing(
    cups=3,
    heat=80.25,
    leaf="black",
    milk=True,
    guests=("Ada", "Bell, Alexander", 'the "great"'),
    tables=(("Ada", "Bob"), ("Cleo",)),
    sugar={"Ada": 2, "Bob=Rob": 0},
    tray=Path("garden table"),
)


def parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_request(parser, Brewing)
    return parser.parse_args(words)


def test_that_the_options_of_a_request_ask_for_the_same_again() -> None:
    assert request_of(Brewing, parsed([])) == Brewing()
    assert request_of(Brewing, parsed(list(FULL.typed_options()))) == FULL
    assert Brewing().typed_options() == ()


def test_that_an_output_has_a_short_word_too() -> None:
    assert request_of(Brewing, parsed(["-o", "bill.txt"])).bill == Path("bill.txt")
    assert request_of(Brewing, parsed(["--bill", "bill.txt"])).bill == Path("bill.txt")


def test_that_a_copied_command_and_script_ask_for_the_same() -> None:
    words = CommandWords("brew tea", ("kitchen.csv",), request=FULL)
    typed = shlex.split(words.as_command())
    assert typed[:4] == ["dpdesk", "brew", "tea", "kitchen.csv"]
    assert request_of(Brewing, parsed(typed[4:])) == FULL
    arguments: dict[str, Any] = {}

    def brew_tea(data: str, **values: Any) -> None:
        arguments.update(values, data=data)

    script = words.as_python().replace("import dpdesk", "").replace("dpdesk.", "")
    exec(script, {"brew_tea": brew_tea})  # noqa: S102 - our own script
    assert arguments.pop("data") == "kitchen.csv"
    own = {each.name: each for each in Brewing.declared_fields()}
    found = {name: own[name].in_form(value) for name, value in arguments.items()}
    assert Brewing(**found | {"tray": Path(found["tray"])}) == FULL


@pytest.mark.parametrize("kind", [Brewing, *REQUESTS.values()])
def test_that_every_field_is_in_every_rendering(kind: type[Request], qtbot: QtBot) -> None:
    names = [each.name for each in fields(kind)]
    declared = kind.declared_fields()
    assert [each.name for each in declared] == names
    parser = argparse.ArgumentParser()
    add_request(parser, kind)
    help_text, table = " ".join(parser.format_help().split()), kind.help_table()
    function = inspect.signature(function_of(kind, "none", "Does it."))
    shown = [each.name for each in declared if not each.declared.role and not each.is_mapping]
    form: RequestForm[Request] = RequestForm(kind, shown)
    qtbot.addWidget(form)
    for each in declared:
        assert each.option in help_text
        assert re.sub(r"-\s", "-", each.declared.meaning.split(",")[0]) in help_text
        assert f"| `{each.option}` | {each.declared.meaning} |" in table
        if each.name != "plan":
            assert function.parameters[each.name].default == each.default
        if each.name in shown:
            assert form.fields[each.name].accessibleName() == each.declared.title
            assert each.in_form(form.value(each.name)) == each.default
    assert form.request() == kind() == request_of(kind, parser.parse_args([]))


def test_that_a_form_asks_for_what_it_shows(qtbot: QtBot) -> None:
    form: RequestForm[Brewing] = RequestForm(
        Brewing, ("cups", "heat", "leaf", "milk", "guests", "tables")
    )
    qtbot.addWidget(form)
    form.show_request(FULL)
    # A line holds one table.
    assert form.value("guests") == FULL.guests
    assert form.value("tables") == (FULL.tables[0],)
    assert (form.value("cups"), form.value("heat"), form.value("milk")) == (3, 80.25, True)


def test_that_values_out_of_bounds_and_unknown_words_are_refused() -> None:
    with refused("requests.out-of-bounds", field="Cups", least="1", most="12"):
        Brewing(cups=13)
    with refused("requests.out-of-bounds", field="Sugar"):
        Brewing(sugar={"Ada": 10})
    with refused("requests.no-such-word", field="Leaf", words="green or black"):
        Brewing(leaf="red")
    with refused("requests.no-pair", field="Sugar", example="--sugar GUEST=LUMPS"):
        request_of(Brewing, parsed(["--sugar", "Ada"]))
    with refused("requests.bad-value", field="Sugar"):
        request_of(Brewing, parsed(["--sugar", "Ada=two"]))


def test_that_a_field_without_effect_is_not_copied() -> None:
    assert Brewing(leaf="green", sugar={"Ada": 1}).typed_options() == ("--leaf=green",)


@pytest.mark.parametrize("names", [(), ("a",), ("a, b", "c"), ('say "a"', " b"), ("",)])
def test_that_names_are_read_as_they_are_written(names: tuple[str, ...]) -> None:
    assert read_names(written_names(names)) == tuple(each.strip() for each in names if each)


@pytest.mark.parametrize("kind", REQUESTS.values(), ids=lambda kind: kind.command)
def test_that_a_field_is_explained_in_few_words(kind: type[Request]) -> None:
    for each in kind.declared_fields():
        meaning = each.declared.meaning
        assert len(meaning.split()) <= TOOLTIP_WORDS + 3 * bool(each.declared.kinds), meaning
        assert not FORBIDDEN.search(meaning), meaning
        assert not meaning.endswith("."), meaning


def test_that_the_function_coarsens_as_the_command(tmp_path: Path) -> None:
    rows = [f"{20 + i % 4},{'fm'[i % 2]}" for i in range(40)]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex", *rows]) + "\n")
    declared = ["age=20..29", "sex=f|m"]
    answer = dpdesk.coarsen(
        tmp_path / "people.csv", quasi=["age", "sex"], k=15, declare=declared, level={"sex": 0}
    )
    assert answer.comparison.after.k >= 15
    assert answer.levels is not None
    assert answer.levels[1] == 0
    assert not list(tmp_path.glob("out*"))
    with pytest.raises(ParameterError):
        dpdesk.coarsen(tmp_path / "people.csv", quasi=["age"], cups=3)
    options = options_of_request(
        REQUESTS["coarsen"], [tmp_path / "people.csv"], {"quasi": "age,sex", "delimiter": ","}
    )
    assert (options.quasi, options.delimiter) == (("age", "sex"), ",")
