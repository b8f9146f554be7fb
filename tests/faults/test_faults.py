"""The program that draws faults finds, plants and judges them; see `draw_faults`."""

from __future__ import annotations

import subprocess
import textwrap
from pathlib import Path

import pytest

from tests.faults import draw_faults, executed_lines
from tests.faults.sites import Fault, faults_of, modules_of

SAMPLE = '''\
"""A text with 7 and min(a, b)."""

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
LIMIT: "int | None" = 10
HALF = Decimal("0.5")


@decorated(3)
def share(part: float, whole: float = 1.5) -> float:
    """Not 4."""
    if part >= 0 and not whole:
        return min(part, whole) / 2
    for a in zip(part, whole, strict=True):
        yield -a if a else f"é {a + 1:.3f}"
    return divide(part, whole)


class Thing:
    def __repr__(self) -> str:
        return f"{1 + 1}"

    def is_small(self) -> bool:
        return self.size
'''
EXPECTED = [
    ("", "constant changed", "10", "11"),
    ("", "constant changed", 'Decimal("0.5")', "(Decimal('0.5') * 2)"),
    ("share", "constant changed", "1.5", "1.875"),
    ("share", "'and' and 'or' exchanged", "part >= 0 and not whole", "(part >= 0 or not whole)"),
    ("share", "comparison turned", "part >= 0", "(part < 0)"),
    ("share", "comparison turned", "part >= 0", "(part > 0)"),
    ("share", "condition negated", "part >= 0 and not whole", "(not (part >= 0 and (not whole)))"),
    ("share", "constant changed", "0", "1"),
    ("share", "negation dropped", "not whole", "whole"),
    ("share", "name exchanged", "min", "max"),
    ("share", "operator exchanged", "min(part, whole) / 2", "(min(part, whole) * 2)"),
    ("share", "value to return turned", "min(part, whole) / 2", "(-(min(part, whole) / 2))"),
    ("share", "constant changed", "2", "3"),
    (
        "share",
        "arguments exchanged",
        "zip(part, whole, strict=True)",
        "(zip(whole, part, strict=True))",
    ),
    ("share", "sign dropped", "-a", "a"),
    ("share", "condition negated", "a", "(not a)"),
    ("share", "operator exchanged", 'f"é {a + 1:.3f}"', "(f'é {a - 1:.3f}')"),
    ("share", "constant changed", 'f"é {a + 1:.3f}"', "(f'é {a + 2:.3f}')"),
    ("share", "arguments exchanged", "divide(part, whole)", "(divide(whole, part))"),
    ("share", "value to return turned", "divide(part, whole)", "(-divide(part, whole))"),
    ("Thing.is_small", "condition negated", "self.size", "(not self.size)"),
]  # fmt: skip


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "dpdesk" / "sample.py"
    path.parent.mkdir()
    path.write_text(SAMPLE, encoding="utf-8")
    return path


def test_that_every_fault_of_a_module_is_found_and_no_text_type_or_decorator(
    sample: Path, tmp_path: Path
) -> None:
    found = [(f.within, f.kind, f.before, f.after) for f in faults_of(sample, tmp_path)]
    assert sorted(found) == sorted(EXPECTED)


def test_that_a_fault_changes_its_expression_and_nothing_else(sample: Path, tmp_path: Path) -> None:
    for fault in faults_of(sample, tmp_path):
        faulty = fault.planted(SAMPLE)
        compile(faulty, "faulty", "exec")
        rest = SAMPLE[fault.start + len(fault.before) :]
        assert faulty == SAMPLE[: fault.start] + fault.after + rest
        assert fault.before in "".join(SAMPLE.splitlines(True)[i - 1] for i in fault.lines)


def test_that_faults_of_dpdesk_can_be_planted(root: Path) -> None:
    for path in modules_of(["cost.py", "randomness.py"], root):
        source = path.read_text(encoding="utf-8")
        faults = faults_of(path, root)
        assert faults
        assert len({fault.planted(source) for fault in faults}) == len(faults)
        for fault in faults:
            compile(fault.planted(source), str(path), "exec")


def test_that_a_layer_that_there_is_not_is_named(root: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no layer and no module dpdesk/costs"):
        list(modules_of(["costs"], root))


def test_that_a_seed_draws_the_same_faults_and_rare_kinds_too(root: Path) -> None:
    faults = [f for path in modules_of(["channel"], root) for f in faults_of(path, root)]
    chosen = draw_faults.drawn(faults, 60, seed=3)
    assert chosen == draw_faults.drawn(faults, 60, seed=3)
    assert chosen != draw_faults.drawn(faults, 60, seed=4)
    assert len(set(chosen)) == 60
    assert {fault.kind for fault in chosen} == {fault.kind for fault in faults}
    everything = draw_faults.drawn(faults, 10**6, seed=3)
    assert sorted(map(repr, everything)) == sorted(map(repr, faults))


def test_that_a_fault_that_needs_no_test_is_in_the_source_and_has_its_reason(root: Path) -> None:
    reasons = draw_faults.reasons()
    modules = {root / module for module, *_ in reasons}
    present = {fault.identity for path in modules for fault in faults_of(path, root)}
    gone = [identity for identity in reasons if identity not in present]
    assert not gone, "rewritten since; take it out of equivalent.toml or adapt it"
    assert all(len(reason) > 30 and reason.endswith(".") for reason in reasons.values())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two layers, whose tests notice some faults and need no plugin of pytest."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    texts = {
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--import-mode=importlib']\n",
        "dpdesk/__init__.py": "",
        "dpdesk/low/half.py": """\
            def half(x):
                return x / 2

            def unused(x):
                return x - 1

            def seldom(x):
                return x + 1
            """,
        "dpdesk/high/use.py": """\
            from dpdesk.low.half import seldom

            def use(x):
                return seldom(x)
            """,
        "tests/low/test_half.py": """\
            from dpdesk.low.half import half

            def test_half():
                assert half(4) == 2
            """,
        "tests/high/test_use.py": """\
            import pytest
            from dpdesk.high.use import use

            @pytest.mark.parametrize("x", [1, 2])
            def test_use(x):
                assert use(x) == x + 1
            """,
        "tests/low/test_kill_source.py": """\
            from pathlib import Path

            def test_that_the_source_is_the_source():
                assert "x - 1" in Path("dpdesk/low/half.py").read_text()
            """,
    }
    for name, text in texts.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    plugin = tmp_path / "project" / "tests" / "faults" / "executed_lines.py"
    plugin.parent.mkdir()
    plugin.write_text(Path(executed_lines.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path / "project"


def test_that_faults_are_noticed_by_the_tests_that_run_them(project: Path, tmp_path: Path) -> None:
    checkout = draw_faults.Checkout(project)
    notes = tmp_path / "notes" / "executed.json"
    executed = checkout.collect(["tests"], notes)
    path = project / "dpdesk" / "low" / "half.py"
    source = path.read_text(encoding="utf-8")
    half, unused, seldom = (
        next(fault for fault in faults_of(path, project) if fault.before == before)
        for before in ("x / 2", "x - 1", "x + 1")
    )
    assert executed.of_lines(half.module, half.lines, source) == [
        "tests/low/test_half.py::test_half"
    ]
    noticed = checkout.try_out(half, executed, budget=60)
    assert noticed == draw_faults.Outcome("tests/low/test_half.py::test_half", own=True, ran=True)
    # Both cases of one test function are one test.
    noticed = checkout.try_out(seldom, executed, budget=60)
    assert noticed == draw_faults.Outcome(
        "tests/high/test_use.py::test_use[1]", own=False, ran=True
    )
    # The test that compares the source with itself is not asked.
    assert checkout.try_out(unused, executed, budget=60) == draw_faults.Outcome(
        "", own=False, ran=False
    )
    assert path.read_text(encoding="utf-8") == source
    # What is known of other tests stays when some are collected again.
    again = checkout.collect(["tests/high"], notes)
    assert again.lines == executed.lines
    assert set(again.seconds) == set(executed.seconds)


@pytest.fixture
def fault(project: Path) -> Fault:
    return faults_of(project / "dpdesk" / "low" / "half.py", project)[0]


def test_that_a_program_that_does_not_end_is_noticed_and_the_fault_taken_out(
    project: Path, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = []

    def endless(self: object, words: list[str], variables: object, seconds: float) -> None:
        assert fault.after in (project / fault.module).read_text(encoding="utf-8")
        limits.append(seconds)
        raise subprocess.TimeoutExpired("pytest", seconds)

    monkeypatch.setattr(draw_faults.Checkout, "_pytest", endless)
    executed = executed_lines.Executed(seconds={"tests/low/test_half.py::test_half": 2.0})
    outcome = draw_faults.Checkout(project, start=50).try_out(fault, executed, budget=60)
    assert outcome.noticed_by == "the time limit"
    assert limits == [50 + 10 * 2.0]
    assert fault.after not in (project / fault.module).read_text(encoding="utf-8")


def test_that_tests_that_fail_without_a_fault_are_not_relied_on(
    project: Path, tmp_path: Path
) -> None:
    broken = project / "tests" / "low" / "test_half.py"
    broken.write_text("def test_half():\n    assert False\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"fail without a fault: tests/low/test_half\.py::"):
        draw_faults.Checkout(project).collect(["tests/low"], tmp_path / "executed.json")


def test_that_lines_of_a_module_that_has_changed_are_not_known(fault: Fault) -> None:
    executed = executed_lines.Executed(
        lines={fault.module: {line: ["tests/x.py::test_x"] for line in fault.lines}},
        digests={fault.module: executed_lines.digest("as it was")},
    )
    assert executed.of_lines(fault.module, fault.lines, "as it was") == ["tests/x.py::test_x"]
    assert executed.of_lines(fault.module, fault.lines, "as it is") is None


def test_that_the_fastest_tests_come_first_and_no_more_than_fit() -> None:
    lines = {1: ["slow", "quick"], 2: ["middling"]}
    seconds = {"slow": 9.0, "quick": 1.0, "middling": 3.0}
    executed = executed_lines.Executed(seconds, {"m": lines}, {"m": executed_lines.digest("")})
    tests = executed.of_lines("m", range(1, 3), "")
    assert tests == ["quick", "middling", "slow"]
    assert draw_faults._within(tests, seconds, 5) == ["quick", "middling"]
    assert draw_faults._within(["slow"], seconds, 5) == ["slow"]
