"""Every public method says what it is, unless it overrides one that does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def _name(base: ast.expr) -> str:
    while isinstance(base, ast.Subscript):
        base = base.value
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def _classes(root: Path) -> Iterator[tuple[Path, ast.ClassDef]]:
    for path in sorted((root / "dpdesk").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield path, node


def test_that_a_public_method_that_overrides_nothing_has_a_docstring(root: Path) -> None:
    classes = list(_classes(root))
    bases: dict[str, set[str]] = {}
    methods: dict[str, set[str]] = {}
    for _, node in classes:
        bases.setdefault(node.name, set()).update(map(_name, node.bases))
        own = (one.name for one in node.body if isinstance(one, ast.FunctionDef))
        methods.setdefault(node.name, set()).update(own)

    def above(name: str) -> set[str]:
        found: set[str] = set()
        waiting = list(bases.get(name, ()))
        while waiting:
            if (base := waiting.pop()) not in found:
                found.add(base)
                waiting += bases.get(base, ())
        return found

    lacking = []
    for path, node in classes:
        over = above(node.name)
        of_others = any(base and base not in bases for base in over)
        for one in node.body:
            if not isinstance(one, ast.FunctionDef) or one.name.startswith("_"):
                continue
            overrides = any(one.name in methods.get(base, ()) for base in over)
            # What Qt, Python and other libraries call is theirs to describe.
            if not (overrides or of_others or node.name.startswith("_") or ast.get_docstring(one)):
                lacking.append(f"{path.relative_to(root)}: {node.name}.{one.name}")
    assert lacking == []
