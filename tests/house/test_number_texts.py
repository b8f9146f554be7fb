"""Every place where a text becomes a number, and why what it takes is plain digits.

Python's `int`, `float`, `Decimal` and `Fraction` take "1_0", digits of other scripts and "nan".
Texts go through `dpdesk.numbers` instead, or are listed here with what guards them.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import dpdesk
from dpdesk.errors import DpdeskError
from dpdesk.numbers import exact_number, real_number, whole_number

CONVERSIONS = {"int", "float", "Decimal", "Fraction"}

OWN = "a number of ours, written out and read back"
GRAMMAR = "a regular expression of ASCII digits was matched"

GUARDED = {
    "numbers/__init__.py": {"int(text)": GRAMMAR, "Decimal(text)": GRAMMAR, "float(text)": GRAMMAR},
    "cli/charge_to.py": {"Decimal(text)": GRAMMAR},
    "cli/declaration.py": {f"Decimal(match[{n}])": GRAMMAR for n in (1, 2, 3)},
    "cli/reading.py": {"int(text)": GRAMMAR},
    "cli/draft.py": {"Decimal(text)": GRAMMAR},
    "cost.py": {"Decimal(written)": GRAMMAR},
    "data/formats/excel_writer.py": {"float(f'{number:.16G}')": OWN},
    "data/formats/number_cells.py": {"Decimal(repr(number))": OWN},
    "data/formats/sheet_text.py": {
        "int(count[1])": "at most nine ASCII digits",
        "int(found[2])": "at most seven ASCII digits",
    },
    "data/written_column.py": {"Decimal(repr(number))": OWN},
    "data/suggested_grid.py": {"Decimal(repr(lower))": OWN, "Decimal(repr(upper))": OWN},
    "data/records.py": {"int(text)": "ASCII digits, no more than the limit has"},
    "reports/pdf.py": {"map(float, svg.attributes['viewbox'].split())": OWN},
    "designs/behaviour.py": {
        "Fraction(repr(share))": OWN,
    },
    "designs/item_count.py": {
        "Fraction(str(self.innocent_mean))": OWN,
        "Fraction(str(self.innocent_sd))": OWN,
    },
    "data/own_process.py": {
        "int(Path('/proc/self/statm').read_text(encoding='ascii').split()[0])": "Linux wrote it"
    },
    "designs/yes_no.py": {"int(found[1])": GRAMMAR, "int(found[2])": GRAMMAR},
    "designs/probability.py": {"Fraction(written)": GRAMMAR},
    "domains/cell_numbers.py": {"float(written)": GRAMMAR},
    "engine/simulate/variants.py": {"Decimal(f'{epsilon:.12f}')": OWN},
    "gui/pages/data/page.py": {"Decimal(repr(self.share.value()))": OWN},
    "gui/pages/plan/budget_editor.py": {"Decimal(typed)": GRAMMAR},
    "gui/pages/plan/query_dialogs.py": {
        "Decimal(typed.replace(',', '.'))": "`parse_number` took it before"
    },
    "gui/pages/plan/words.py": {"int(match['index'])": GRAMMAR},
    "gui/pages/release/ledger_view.py": {"Decimal(typed)": GRAMMAR},
    "gui/pages/simulate/number_scenario.py": {
        "Decimal(repr(lower))": OWN,
        "Decimal(repr(upper))": OWN,
    },
    "gui/pages/simulate/scenario_kinds.py": {"Decimal(f'{share:.6f}')": OWN},
    "gui/pages/simulate/scales.py": {"float(f'{value:.3g}')": OWN},
    "mechanisms/choice.py": {"float(f'{error:.9g}')": OWN},
    "mechanisms/pram.py": {"int(denominator)": GRAMMAR},
    "preview/accuracy.py": {"Decimal(f'{e:.6f}')": OWN},
    "plan/joint_errors.py": {"Decimal(f'{0.1 * 1.06 ** step:.2g}')": OWN},
    "preview/central/accuracy.py": {"Decimal(f'{x:.3g}')": OWN},
    "domains/dates.py": {"int(found[1] or 1)": GRAMMAR},
    "numbers/calendar.py": {
        f"int({part})": GRAMMAR
        for part in (
            *("year", "month or 1", "day or 1", "hour", "minute", "second or 0"),
            *("found[1]", "found[2]"),
        )
    },
    "numbers/digits.py": {"int(power)": OWN, "float(f'{mantissa}e{exponent}')": OWN},
    "reports/number_text.py": {
        "float(f'{error:.1e}')": OWN,
        "int(exponent)": OWN,
    },
    "reports/statistics/public.py": {"Decimal(repr(round(result.value, 9)))": OWN},
}
"""Conversions of a text, by file below `dpdesk` and by how they are written, with their guard."""

# The ledger reads its own rows, whose chain of digests it has verified before.
UNSEEN = "ledgers/"

# What is read from a file or typed by somebody is a model of one of these.
MODELS_READ = ("domains", "mechanisms", "queries", "designs", "plan", "data")

WRONG = (
    "1_0",
    "0.2_5",
    "1_",
    "１",
    "１0",
    "١",
    "1٠",
    "+10",
    "0x1",
    "1e1_0",
    "½",
    "²",
    "nan",
    "inf",
)

_TEXT_METHODS = {
    "strip lstrip rstrip split rsplit partition rpartition splitlines replace removeprefix "
    "removesuffix lower upper casefold join format text group groups toPlainText currentText "
    "decode read_text readline translate"
}
TEXT_METHODS = {name for names in _TEXT_METHODS for name in names.split()}
MATCHING = {"match", "fullmatch", "search", "finditer", "findall"}
TEXT_FUNCTIONS = {"repr", "str", "format", "input"}


class Texts:
    """Which names of a function hold texts, as far as its own lines tell."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def holds(self, node: ast.expr | None) -> bool:
        """Whether an expression is a text, or holds some."""
        if isinstance(node, ast.JoinedStr):
            return True
        if isinstance(node, ast.Name):
            return node.id in self.names
        if isinstance(node, ast.Attribute):
            return isinstance(node.value, ast.Name) and node.value.id == "options"
        if isinstance(node, ast.Subscript):
            key = node.slice
            named = isinstance(key, ast.Constant) and isinstance(key.value, str)
            return named or self.holds(node.value) or self._is_texts(node.value)
        if isinstance(node, ast.Call):
            return self._call_gives_text(node)
        if isinstance(node, ast.IfExp):
            return self.holds(node.body) or self.holds(node.orelse)
        if isinstance(node, ast.BoolOp):
            return any(self.holds(value) for value in node.values)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self.inside(node.generators).holds(node.elt)
        if isinstance(node, (ast.Tuple, ast.List)):
            return any(self.holds(element) for element in node.elts)
        return isinstance(node, ast.NamedExpr) and self.holds(node.value)

    def inside(self, loops: list[ast.comprehension]) -> Texts:
        """The texts within a comprehension."""
        inner = Texts(set(self.names))
        for loop in loops:
            inner.take(loop.target, loop.iter)
        return inner

    def take(self, target: ast.expr, value: ast.expr) -> None:
        """Notes what an assignment or a loop makes of a name."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, other in zip(target.elts, value.elts, strict=False):
                self.take(one, other)
        elif self.holds(value) or self._is_texts(value):
            self.names |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}

    def _is_texts(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == "texts"

    def _call_gives_text(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Attribute):
            known = node.func.attr in TEXT_METHODS | MATCHING
            return known or (node.func.attr == "get" and self.holds(node.func.value))
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        passes_on = name in {"enumerate", "zip", "map", "next", "iter", "reversed", "sorted"}
        return name in TEXT_FUNCTIONS or (passes_on and any(map(self.holds, node.args)))


def _texts_of(function: ast.FunctionDef | ast.Lambda, outer: Texts) -> Texts:
    found = Texts(set(outer.names))
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        found.names.discard(argument.arg)
        written = "" if argument.annotation is None else ast.unparse(argument.annotation)
        if {"str", "object", "Any"} & set(re.findall(r"\w+", written)):
            found.names.add(argument.arg)
    for _ in range(3):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    found.take(target, node.value)
            elif isinstance(node, (ast.For, ast.comprehension)):
                found.take(node.target, node.iter)
            elif isinstance(node, ast.NamedExpr):
                found.take(node.target, node.value)
    return found


def conversions(tree: ast.AST, texts: Texts | None = None) -> Iterator[str]:
    """The calls of a module that make a number of a text, as they are written."""
    texts = Texts(set()) if texts is None else texts
    if isinstance(tree, (ast.FunctionDef, ast.Lambda)):
        texts = _texts_of(tree, texts)
    if (
        isinstance(tree, ast.Call)
        and isinstance(tree.func, ast.Name)
        and tree.func.id in CONVERSIONS
        and tree.args
        and texts.holds(tree.args[0])
    ):
        yield ast.unparse(tree)
    if (
        isinstance(tree, ast.Call)
        and ast.unparse(tree.func) in {"map", "filter"}
        and isinstance(tree.args[0], ast.Name)
        and tree.args[0].id in CONVERSIONS
        and any(texts.holds(argument) for argument in tree.args[1:])
    ):
        yield ast.unparse(tree)
    if isinstance(tree, ast.keyword) and tree.arg == "type" and isinstance(tree.value, ast.Name):
        # The type of an option of the command line.
        yield from (tree.value.id for _ in [0] if tree.value.id in {*CONVERSIONS, "Path"})
    for child in ast.iter_child_nodes(tree):
        yield from conversions(child, texts)


@pytest.mark.parametrize(
    "text",
    [
        "def f(text: str): return float(text)",
        "def f(text: str | None): return int(text or '1')",
        "def f(value: object): return Decimal(value)",
        "def f(line): return int(line.text())",
        "def f(line): return int(line.text().strip())",
        "def f(text: str):\n  parts = text.split(',')\n  return [float(p) for p in parts]",
        "def f(text: str): return [float(p.strip()) for p in text.split(',')]",
        "def f(text: str): return tuple(map(int, text.split(',')))",
        "def f(text: str):\n  a, _, b = text.partition('=')\n  return Fraction(b)",
        "def f(text: str):\n  m = G.fullmatch(text)\n  return int(m[1])",
        "def f(text: str):\n  if m := G.match(text): return int(m.group(1))",
        "def f(options): return int(options.size)",
        "def f(content): return int(content['rows'])",
        "def f(x): return Decimal(f'{x:.3f}')",
        "def f(x): return Decimal(repr(x))",
        "parser.add_argument('--n', type=int)",
    ],
)
def test_that_a_text_which_becomes_a_number_is_recognised(text: str) -> None:
    assert list(conversions(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: float): return int(x)",
        "def f(x: Fraction): return float(x / 3)",
        "def f(rows): return int(rows.sum())",
        "def f(text: str): return int(len(text))",
        "x = Decimal('0.5')",
    ],
)
def test_that_a_number_which_becomes_another_is_none_of_them(text: str) -> None:
    assert not list(conversions(ast.parse(text)))


def test_that_every_text_becomes_a_number_by_a_grammar_of_plain_digits(
    source: dict[Path, ast.Module],
) -> None:
    found = {
        path.as_posix(): set(made)
        for path, tree in source.items()
        if not path.as_posix().startswith(UNSEEN) and (made := [*conversions(tree)])
    }
    unguarded = {
        path: extra
        for path, made in found.items()
        if (extra := made - GUARDED.get(path, {}).keys())
    }
    assert not unguarded, "read them with dpdesk.numbers, or list what guards them"
    idle = {
        path: gone
        for path, listed in GUARDED.items()
        if (gone := listed.keys() - found.get(path, set()))
    }
    assert not idle, "no longer there: take them out of the list"


def _models() -> Iterator[type[BaseModel]]:
    for name in MODELS_READ:
        package = importlib.import_module(f"dpdesk.{name}")
        for module in pkgutil.walk_packages(
            getattr(package, "__path__", ()), f"{package.__name__}."
        ):
            importlib.import_module(module.name)
    kinds: list[type[BaseModel]] = [BaseModel]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.__module__.startswith(tuple(f"dpdesk.{name}" for name in MODELS_READ)):
            yield kind


def _holds_number(value: object) -> bool:
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(map(_holds_number, value))
    return isinstance(value, Number) and not isinstance(value, bool)


def test_that_no_field_of_a_file_takes_a_text_which_is_no_number_in_plain_digits() -> None:
    assert Path(dpdesk.__file__).is_file()
    taken, tried = [], 0
    for model in _models():
        for name, field in model.model_fields.items():
            adapter = TypeAdapter[Any](
                Annotated[(field.annotation, *field.metadata)]
                if field.metadata
                else field.annotation
            )
            takes_numbers = False
            for shape in (lambda x: x, lambda x: [x], lambda x: [x, x], lambda x: [[x]]):
                for text in ("1", "0.5", "20", *WRONG, True):
                    try:
                        value = adapter.validate_python(shape(text))
                    except (ValidationError, DpdeskError):
                        continue
                    takes_numbers |= _holds_number(value)
                    if text in WRONG and _holds_number(value):
                        taken.append((model.__name__, name, text))
            tried += takes_numbers
    assert not taken
    assert tried > 40


@pytest.mark.parametrize("text", [*WRONG, "", " ", " 1", "1 ", "1\n", "-", ".", "--1", "9" * 5000])
def test_that_what_python_alone_takes_for_a_number_is_none(text: str) -> None:
    assert (whole_number(text), exact_number(text), real_number(text)) == (None, None, None)


@pytest.mark.parametrize("text", ["0", "1", "-1", "007", "999999999999999999", "-0"])
def test_that_a_whole_number_is_read_as_it_stands(text: str) -> None:
    assert whole_number(text) == int(text)


@pytest.mark.parametrize("text", ["1", "-0.5", ".5", "5.", "1e-6", "2E3", "-1.25e+2", "1e999"])
def test_that_a_decimal_is_read_exactly(text: str) -> None:
    assert exact_number(text) == Decimal(text)
    expected = float(Fraction(text)) if "999" not in text else None
    assert real_number(text) == expected
    assert whole_number(text) == (1 if text == "1" else None)


@pytest.mark.parametrize("text", ["1" * 19, "1.0", "1e3"])
def test_that_a_whole_number_has_neither_fraction_nor_more_than_eighteen_digits(text: str) -> None:
    assert whole_number(text) is None
