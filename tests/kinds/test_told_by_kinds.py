"""What a kind knows, the kind says: no file outside its room asks which kind it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpdesk
from dpdesk.designs import DESIGNS
from dpdesk.mechanisms import MECHANISMS, kind_of
from dpdesk.queries import QUERIES
from dpdesk.queries.noise import NOISE_KINDS

ROOM = Path(dpdesk.__file__).parent
MADE_UP = Path(__file__).parent
PAGE = ROOM.parent / "resources" / "docs" / "decisions" / "adding-a-kind.md"
TAGS = {kind_of(kind) for kind in MECHANISMS} | {kind.tag() for kind in (*QUERIES, *DESIGNS)}
TAGS -= {*NOISE_KINDS}
CLASSES = {kind.__name__ for kind in (*MECHANISMS, *QUERIES, *DESIGNS)}
CLASSES |= {f"Bound{name}" for name in CLASSES}


def _asked(source: str) -> Iterator[str]:
    """Yields each comparison of a kind with a tag, and each test of its class."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
            words = {part.value for part in sides if isinstance(part, ast.Constant)}
            kinds = [s for s in (node.left, *node.comparators) if isinstance(s, ast.Attribute)]
            if any(side.attr == "kind" for side in kinds) and words & TAGS:
                yield f"line {node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"isinstance", "issubclass"}:
            named = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
            if named & CLASSES:
                yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize(
    "source",
    [
        'query.kind == "mean"',
        'request.query.kind in ("count", "share")',
        "isinstance(bound, BoundMean)",
        "isinstance(mechanism, Grr | Warner)",
        "isinstance(design, Kuk)",
    ],
)
def test_that_such_a_question_is_found(source: str) -> None:
    assert len(list(_asked(source))) == 1


def test_that_nobody_outside_asks_for_a_kind_of_mechanism_query_or_design() -> None:
    found = {
        str(path.relative_to(ROOM)): asked
        for path in sorted(ROOM.rglob("*.py"))
        if path.relative_to(ROOM).parts[0] not in {"mechanisms", "queries", "designs"}
        and (asked := list(_asked(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


BLOCK = re.compile(r"^`(tests/kinds/\w+\.py)`:\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_that_the_page_shows_one_of_each_as_it_is_tested() -> None:
    shown = dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    used = {path for path in MADE_UP.glob("*.py") if not path.name.startswith("test_")}
    used -= {MADE_UP / "registered.py"}
    assert {ROOM.parent / name for name in shown} == used
    for name, code in shown.items():
        assert code == (ROOM.parent / name).read_text(encoding="utf-8"), name


def test_that_no_file_of_dpdesk_names_a_made_up_kind() -> None:
    names = {
        node.name
        for path in MADE_UP.glob("*.py")
        if not path.name.startswith("test_")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    assert {
        "Balls",
        "Ladder",
        "LinesOfJson",
        "OddsView",
        "Recfile",
        "Tail",
        "TimidResponse",
    } <= names
    found = re.compile(rf"\b({'|'.join(names)})\b")
    assert not [p for p in ROOM.rglob("*.py") if found.search(p.read_text(encoding="utf-8"))]
