"""A number before a word: one thing is not "1 things"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dpdesk

ROOT = Path(dpdesk.__file__).parent

# Where numbers are small, as of groups, clusters and columns of a model.
ROOMS = (
    "cli/estimate.py",
    "cli/joint_estimates.py",
    "designs/inference.py",
    "engine/joint_questions.py",
    "engine/tables_and_models.py",
    "estimation/answer_sample.py",
    "estimation/independence.py",
    "estimation/joint.py",
    "gui/pages/release/interval_lines.py",
    "gui/pages/release/model_fields.py",
    "gui/pages/release/question_form.py",
    "gui/pages/release/tables_results.py",
    "gui/pages/release/tables_room.py",
)
PLACE = re.compile(r"\{(?:count|number|rows|n|freedom|respondents)(?::,)?\}")
THINGS = re.compile(r" ([a-z]+s|strata|people)\b")
NO_NOUNS = {"is", "was", "has", "as", "does", "its", "this", "times", "follows"}


def sentences(path: Path) -> Iterator[tuple[str, bool]]:
    """Texts of a file with "{}" for each number, and whether one thing has words of its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                part.value
                if isinstance(part, ast.Constant)
                else "{}" * (part.format_spec is not None and "," in ast.unparse(part.format_spec))
                for part in node.values
            )
            text = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = PLACE.sub("{}", node.value)
        else:
            continue
        yield text, _has_words_of_one(node, above)


def _has_words_of_one(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    while node in above:
        node = above[node]
        if isinstance(node, ast.IfExp | ast.Raise):
            # What is refused is more than a limit.
            return True
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"counted", "ParameterError"}:
            return True
    return False


def unguarded(path: Path) -> list[str]:
    found = []
    for text, has_one in sentences(path):
        things = [m[1] for part in text.split("{}")[1:] if (m := THINGS.match(part))]
        if not has_one and set(things) - NO_NOUNS:
            found.append(text)
    return found


def test_that_one_degree_of_freedom_is_no_degrees() -> None:
    places = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        # A table of texts has both forms in one entry.
        if path.name != "texts.py"
        for text, has_one in sentences(path)
        if "{} degrees" in text and not has_one
    }
    assert places == set()


def test_that_numbers_of_tables_and_models_have_words_for_one() -> None:
    told = {room: unguarded(ROOT / room) for room in ROOMS}
    assert {room: texts for room, texts in told.items() if texts} == {}


def test_that_a_plural_behind_a_number_is_found(tmp_path: Path) -> None:
    path = tmp_path / "said.py"
    path.write_text('print(f"{n:,} records")\nx = tr("{count} columns").format(count=1)\n')
    assert unguarded(path) == ["{} records", "{} columns"]
    path.write_text("print(f\"{n:,} {'record' if n == 1 else 'records'}\")\n")
    assert unguarded(path) == []
