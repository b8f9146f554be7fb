"""The tables of texts: what they say, who calls them, and that rooms with a table say no more."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from dpdesk.i18n import PSEUDO, Text, speaking
from tests.benchmarks.house import sentences_of

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "dpdesk").rglob("texts.py"))
MOST_WORDS = 20
MOST_SENTENCES = 2
FORBIDDEN = re.compile(
    r"\b(whoever|nobody|somebody|begun|stands?|in force|likelier|told|tells|apart|as it is|"
    r"so many|is left|carriers?|of these|such as)\b",
    re.IGNORECASE,
)

UNCONVERTED: frozenset[str] = frozenset(
    (
        # Files of rooms with a table whose sentences are not entries yet, one a line.
        "dpdesk/cli/mechanisms.py",
        "dpdesk/cli/open_questions.py",
        "dpdesk/cli/options.py",
        "dpdesk/cli/query.py",
        "dpdesk/cli/reading.py",
        "dpdesk/cli/release.py",
        "dpdesk/cli/run.py",
        "dpdesk/cli/sample_design.py",
        "dpdesk/cli/synthesize.py",
    )
)


def entries_of(table: Path) -> dict[str, Text]:
    name = ".".join(table.relative_to(ROOT).with_suffix("").parts)
    module = import_module(name)
    return {
        entry: text
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == name
        for part in kind.__mro__
        for entry, text in vars(part).items()
        if isinstance(text, Text)
    }


ENTRIES = [
    pytest.param(text, id=text.id) for table in TABLES for text in entries_of(table).values()
]


def templates_of(text: Text) -> list[str]:
    return [each for each in (text.english, text.plural, text.remedy) if each]


@pytest.mark.parametrize("text", ENTRIES)
def test_that_a_text_is_short_and_plain(text: Text):
    for template in templates_of(text):
        sentences = re.split(r"(?<=[.?!:])\s+", template)
        assert all(len(each.split()) <= MOST_WORDS for each in sentences), template
        assert not FORBIDDEN.search(template), template
    assert len(re.findall(r"[.?!](?=\s|$)", text.english)) <= MOST_SENTENCES + 1, text.english
    assert text.remedy == text.remedy.strip()
    assert not text.remedy or text.remedy.endswith("."), text.remedy


@pytest.mark.parametrize("text", ENTRIES)
def test_that_a_placeholder_has_a_name_and_no_format(text: Text):
    for template in (*templates_of(text), text.command):
        for _, name, form, conversion in string.Formatter().parse(template):
            assert not form, template
            assert conversion is None, template
            assert name is None or name.isidentifier(), template
    if text.plural:
        assert "count" in text.placeholders


@pytest.mark.parametrize("text", ENTRIES)
def test_that_a_text_is_found_in_every_language(text: Text):
    values = dict.fromkeys(text.placeholders, "x") | {"count": 2}
    english = text(**values)
    assert english == (text.plural or text.english).format(**values)
    with speaking(PSEUDO):
        pseudo = text(**values)
    assert (pseudo[0], pseudo[-1]) == ("[", "]")
    assert len(pseudo) > len(english)


def calls_of(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "T"
        ):
            yield node.func.attr, {str(each.arg) for each in node.keywords}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.name)
def test_that_every_text_is_used_with_its_values(table: Path):
    entries, used = entries_of(table), set[str]()
    name = ".".join(table.relative_to(ROOT).with_suffix("").parts)
    for file in sorted((ROOT / "dpdesk").rglob("*.py")):
        source = file.read_text("utf-8")
        if f"from {name} import T\n" not in source:
            continue
        used |= set(re.findall(r"\bT\.([A-Z_0-9]+)", source))
        for entry, values in calls_of(ast.parse(source)):
            assert values == entries[entry].placeholders, (file.name, entry)
    assert used == entries.keys()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.name)
def test_that_a_room_with_a_table_writes_no_sentence_elsewhere(table: Path):
    for file in sorted(table.parent.rglob("*.py")):
        if file.relative_to(ROOT).as_posix() in UNCONVERTED:
            continue
        tree = ast.parse(file.read_text("utf-8"))
        assert not sentences_of(tree), file.name
        if file == table:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                literal = [each for each in node.exc.args if isinstance(each, ast.Constant)]
                assert not any(" " in str(each.value) for each in literal) or (
                    ast.unparse(node.exc.func) in ("ValueError", "TypeError", "JsonRefusedError")
                ), (file.name, node.lineno)
