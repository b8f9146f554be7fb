"""How large the program is, where its English stands, and what a step of a slider calls.

python -m tests.benchmarks.house [--rooms]
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[2]
AIMS: Mapping[str, int] = {
    "lines of dpdesk": 125_000,
    "files of dpdesk": 560,
    "lines of dpdesk/gui": 38_000,
    "lines of dpdesk/cli": 7_000,
    "lines of dpdesk/plan": 8_500,
    "lines of dpdesk/reports": 6_000,
    "lines of tests": 80_000,
    "files over 500 lines": 0,
    "sentences that are f-strings": 0,
    "functions that return text outside the tables of texts": 100,
    "circles of files": 0,
    "files called by a step of a slider": 45,
    "functions called by a step of a slider": 220,
}
"""The most of each figure."""
TEXTS = "texts.py"
"""A room's table of texts."""
_TWO_WORDS = re.compile(r"[^\W\d_A-Z]{2,}[ ,:;]+[^\W\d_]{2,}")
_TEXT = re.compile(r"(str|Iterator\[str\]|list\[str\]|tuple\[str, \.\.\.\]|str \| None)$")


def files_of(folder: str) -> list[Path]:
    """Returns the Python files of a folder of the checkout."""
    return sorted((ROOT / folder).rglob("*.py"))


def lines_of(files: list[Path]) -> int:
    """Returns how many lines the files hold, blank ones and comments included."""
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def sentences_of(tree: ast.AST) -> int:
    """Returns how many f-strings hold two words side by side."""
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr))
    return sum(
        _TWO_WORDS.search(
            "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}"
                for part in string.values
            )
        )
        is not None
        for string in strings
    )


def text_functions_of(tree: ast.AST) -> int:
    """Returns how many functions return text or several texts."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return sum(
        function.returns is not None and _TEXT.match(ast.unparse(function.returns)) is not None
        for function in functions
    )


def imports_of(tree: ast.AST, modules: Mapping[str, Path]) -> Iterator[str]:
    """Yields the modules of dpdesk that a file imports, for type checking and within functions too.

    A call of `import_module` with a constant name is an import.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield inner if inner in modules else node.module
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def circles_of(imports: Mapping[str, set[str]]) -> list[set[str]]:
    """Returns the sets of at least two modules that import one another (Tarjan, 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in imports[module]:
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            start = stack.index(module)
            circle = set(stack[start:])
            del stack[start:]
            if len(circle) > 1:
                circles.append(circle)

    for module in imports:
        if module not in index:
            visit(module)
    return circles


def step_of_slider() -> set[tuple[str, str]]:
    """Returns file and name of each function of dpdesk that one step of Plan's slider calls.

    Three columns, no data, offscreen, until the page is repainted and nothing is left to do.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from dpdesk.gui.document import Document
    from dpdesk.gui.pages.plan import PlanPage
    from dpdesk.gui.theme import ThemeSwitch
    from dpdesk.gui.widgets.epsilon_edit import RUNGS
    from tests.benchmarks.live_preview import _plan

    app = QApplication([])
    ThemeSwitch(app, "light")
    document, plan = Document(), _plan()
    page = PlanPage(document)
    page.resize(1240, 780)
    page.show()
    document.reset(plan)
    page.select(plan.columns[0].name)
    slider = page.records.panel.epsilon.slider
    called: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(ROOT / "dpdesk")):
            called.add((file, frame.f_code.co_qualname))

    # The first steps make what the later ones find made.
    for epsilon in RUNGS[-8:-4]:
        slider.rungChosen.emit(epsilon)
        app.processEvents()
    sys.setprofile(note)
    slider.rungChosen.emit(RUNGS[-9])
    app.processEvents()
    sys.setprofile(None)
    document.shut_down()
    return called


def figures() -> dict[str, int]:
    """Returns each figure of `AIMS`."""
    files = files_of("dpdesk")
    trees = {file: ast.parse(file.read_text("utf-8")) for file in files}
    modules = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
    }
    imports = {
        name: set(imports_of(trees[file], modules)) & modules.keys() - {name}
        for name, file in modules.items()
    }
    written = [tree for file, tree in trees.items() if file.name != TEXTS]
    called = step_of_slider()
    return {
        "lines of dpdesk": lines_of(files),
        "files of dpdesk": len(files),
        **{
            f"lines of dpdesk/{room}": lines_of(files_of(f"dpdesk/{room}"))
            for room in ("gui", "cli", "plan", "reports")
        },
        "lines of tests": lines_of(files_of("tests")),
        "files over 500 lines": sum(lines_of([file]) > 500 for file in files),
        "sentences that are f-strings": sum(map(sentences_of, trees.values())),
        "functions that return text outside the tables of texts": sum(
            map(text_functions_of, written)
        ),
        "circles of files": len(circles_of(imports)),
        "files called by a step of a slider": len({file for file, _ in called}),
        "functions called by a step of a slider": len(called),
    }


def main() -> int:
    """Prints each figure beside its aim; fails where one is above it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", action="store_true", help="lines and files of each room")
    if parser.parse_args().rooms:
        rooms = sorted({file.relative_to(ROOT / "dpdesk").parts[0] for file in files_of("dpdesk")})
        for room in (each for each in rooms if not each.endswith(".py")):
            files = files_of(f"dpdesk/{room}")
            print(f"{lines_of(files):>8,} {len(files):>4}  {room}")
    values = figures()
    for name, value in values.items():
        print(f"{value:>8,}  at most {AIMS[name]:>7,}  {name}")
    return int(any(value > AIMS[name] for name, value in values.items()))


if __name__ == "__main__":
    raise SystemExit(main())
