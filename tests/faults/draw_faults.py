"""Draws single faults by chance, and says which of them no test notices.

    python -m tests.faults.draw_faults LAYER... [--each 25] [--seed 1]

The kill matrix (`tests.mechanisms.kill_matrix`) holds faults that somebody thought of; this program
thinks of none. It takes a while: some seconds for a fault that is noticed, minutes for one that is
not.

Everything happens in a copy of the checkout. The first run notes once which test runs which line
(some twenty minutes for all tests; `--collect tests/cost ...` brings the notes of some up to date).
Each fault is then written into the copy, and the tests that run its line are run, the fastest
first: those of its own layer, those of other layers, and at last all of its own layer, since what
one test made another may find in a cache. The first failure ends it, and so does a time limit: a
program that does not come to an end is noticed. Tests that compare the source with itself (the
kill matrix, `tests/house`) do not count.

A fault that nobody needs to notice stands in `equivalent.toml` with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tests.faults.executed_lines import VARIABLE, Executed
from tests.faults.sites import Fault, faults_of, modules_of

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "faults"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
# Would fail for the edit itself, whatever it does.
NOT_ASKED = ("tests/house/", "tests/benchmarks/", "tests/faults/")
_KILL = "/test_kill_"
# How much longer than usual a test may take, for a slow moment of the machine.
_PATIENCE = 10
# A changed number can ask for any amount of memory.
_MEMORY = 12 * 2**30


@dataclass(frozen=True)
class Outcome:
    """What became of a fault.

    Attributes:
        noticed_by: The test that failed, or what else told; empty where nothing did.
        own: Whether that was a test of the fault's own layer.
        ran: Whether any test is known to run its lines.
    """

    noticed_by: str
    own: bool
    ran: bool


class Checkout:
    """A checkout to put faults into: never the one that somebody works on.

    Args:
        root: Its folder.
        start: Seconds that starting pytest with all that dpdesk imports may take.
    """

    def __init__(self, root: Path, start: float = 120.0) -> None:
        self.root = root
        self._start = start

    def collect(self, tests: Sequence[str], into: Path) -> Executed:
        """Run tests and note which lines each of them runs.

        Args:
            tests: Paths of tests, or options of pytest.
            into: The file of the notes; what it says of other tests stays.

        Raises:
            RuntimeError: Some do not pass: they would seem to notice everything.
        """
        fresh = into.with_name("collected.json")
        fresh.unlink(missing_ok=True)
        command = ["-p", "tests.faults.executed_lines", *tests]
        done = self._pytest(command, {VARIABLE: str(fresh)}, seconds=None)
        found = Executed.read(fresh)
        if not found.seconds:
            raise RuntimeError(f"No test was run:\n{done.stdout[-2000:]}")
        executed = Executed.read(into)
        executed.replace(found)
        executed.write(into)
        if executed.failed:
            raise RuntimeError("These tests fail without a fault: " + ", ".join(executed.failed))
        return executed

    def try_out(self, fault: Fault, executed: Executed, budget: float) -> Outcome:
        """Put a fault into the copy, run the tests that could notice it, and take it out again.

        Args:
            fault: The fault.
            executed: Which tests run which lines.
            budget: At most so many seconds of tests are run in each of the steps.
        """
        path = self.root / fault.module
        source = path.read_text(encoding="utf-8")
        running = [
            test
            for test in executed.of_lines(fault.module, fault.lines, source) or []
            if not test.startswith(NOT_ASKED) and _KILL not in test
        ]
        layer = f"tests/{Path(fault.module).parts[1]}/".replace(".py/", "/")
        own = [test for test in running if test.startswith(layer)]
        others = [test for test in running if not test.startswith(layer)]
        seconds = executed.seconds
        # Windows last: they take long to open.
        others.sort(key=lambda test: (test.startswith("tests/gui/"), seconds.get(test, 0.0), test))
        whole = sorted(
            (test for test in seconds if test.startswith(layer) and _KILL not in test),
            key=lambda test: (test in own, seconds[test]),
        )
        path.write_text(fault.planted(source), encoding="utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()
        try:
            for tests, is_own in ((own, True), (others, False), (whole, True)):
                chosen = _within(tests, seconds, budget)
                if chosen:
                    told = self._failure(chosen, sum(seconds.get(test, 0.0) for test in chosen))
                    if told:
                        return Outcome(told, is_own, bool(running))
        finally:
            path.write_text(source, encoding="utf-8")
        return Outcome("", own=False, ran=bool(running))

    def _failure(self, tests: Sequence[str], usual: float) -> str:
        try:
            done = self._pytest(["-x", *tests], {}, seconds=self._start + _PATIENCE * usual)
        except subprocess.TimeoutExpired:
            return "the time limit"
        if done.returncode == 0:
            return ""
        for line in done.stdout.splitlines():
            if line.startswith(("FAILED ", "ERROR ")):
                return line.split(" ", 2)[1]
        if done.returncode in (4, 5):
            raise RuntimeError(f"pytest could not run the tests:\n{done.stdout[-2000:]}")
        return f"the exit status {done.returncode}"

    def _pytest(
        self, words: Sequence[str], variables: dict[str, str], seconds: float | None
    ) -> subprocess.CompletedProcess[str]:
        surroundings = {
            **os.environ,
            "PYTHONPATH": str(self.root),
            # A module that is faulty for a moment leaves nothing behind.
            "PYTHONDONTWRITEBYTECODE": "1",
            "QT_QPA_PLATFORM": "offscreen",
            **variables,
        }
        quiet = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command = [sys.executable, "-m", "pytest", *quiet, *words]
        child = subprocess.Popen(
            command,
            cwd=self.root,
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # A group of its own: a test's own children end with it.
            start_new_session=True,
            preexec_fn=_limit_memory if os.name == "posix" else None,  # noqa: PLW1509
        )
        try:
            output, _ = child.communicate(timeout=seconds)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL) if os.name == "posix" else child.kill()
                child.wait()
        return subprocess.CompletedProcess(command, child.returncode, output, "")


def _limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _within(tests: Sequence[str], seconds: dict[str, float], budget: float) -> list[str]:
    """As many of the tests as fit into a time; the first in any case."""
    chosen: list[str] = []
    spent = 0.0
    for test in tests:
        spent += seconds.get(test, 0.0)
        if chosen and spent > budget:
            break
        chosen.append(test)
    return chosen


def copy_of(checkout: Path, place: Path) -> Checkout:
    """A copy of a checkout with what is not committed yet.

    Args:
        checkout: The checkout.
        place: Where copies live; what is there is brought up to date.
    """
    root = place / "checkout"
    root.mkdir(parents=True, exist_ok=True)
    # The tests look for real tables beside the checkout.
    tables = place / "shared"
    if (checkout.parent / "shared").is_dir() and not tables.exists():
        tables.symlink_to(checkout.parent / "shared", target_is_directory=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=checkout, capture_output=True, check=True).stdout.decode()
    wanted = {name for name in listed.split("\0") if name and (checkout / name).is_file()}
    for path in [path for path in root.rglob("*") if path.is_file()]:
        name = path.relative_to(root).as_posix()
        if name not in wanted and "__pycache__" not in path.parts:
            path.unlink()
    for name in wanted:
        source, target = checkout / name, root / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return Checkout(root)


def drawn(faults: Iterable[Fault], number: int, seed: int) -> list[Fault]:
    """Some of the faults: first a kind is drawn, so that frequent kinds do not crowd out rare ones.

    Args:
        faults: All that there are.
        number: How many to draw, without repetition.
        seed: The same seed draws the same faults from the same source.
    """
    generator = random.Random(seed)
    left: dict[str, list[Fault]] = {}
    for fault in faults:
        left.setdefault(fault.kind, []).append(fault)
    chosen = []
    while left and len(chosen) < number:
        kind = generator.choice(sorted(left))
        chosen.append(left[kind].pop(generator.randrange(len(left[kind]))))
        if not left[kind]:
            del left[kind]
    return chosen


def reasons() -> dict[tuple[str, str, str, str], str]:
    """The faults that nobody needs to notice, by their identity, with the reason."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("fault", [])
    return {
        (entry["module"], entry["within"], entry["before"], entry["after"]): entry["reason"]
        for entry in listed
    }


def difference(fault: Fault, source: str) -> str:
    """The fault as a patch."""
    lines = unified_diff(
        source.splitlines(), fault.planted(source).splitlines(),
        f"a/{fault.module}", f"b/{fault.module}", lineterm="", n=2,
    )  # fmt: skip
    return "\n".join(lines)


def main(words: Sequence[str]) -> int:
    """Draw, try, tell.

    Returns:
        1 where a fault is neither noticed nor explained.
    """
    parser = argparse.ArgumentParser(prog="draw_faults", description=__doc__.split("\n", 1)[0])
    parser.add_argument("layers", nargs="*", help="packages of dpdesk, or modules: plan/budget.py")
    parser.add_argument("--each", type=int, default=25, help="faults of each of them (25)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=120.0, help="seconds of tests a step (120)")
    parser.add_argument("--collect", nargs="+", metavar="TESTS", help="note what these tests run")
    parser.add_argument("--again", type=Path, help="the survivors of an earlier run, from its file")
    parser.add_argument("--out", type=Path, default=WORK / "survivors.json")
    options = parser.parse_args(words)

    notes = WORK / "executed.json"
    copy = copy_of(ROOT, WORK / "copy")
    if options.collect or not notes.exists():
        print("noting which tests run which lines", flush=True)
        copy.collect(
            options.collect or ["tests", *(f"--ignore={name}" for name in NOT_ASKED)], notes
        )
    executed = Executed.read(notes)

    chosen: list[Fault] = []
    if options.again:
        wanted = {
            tuple(entry["identity"]) for entry in json.loads(options.again.read_text("utf-8"))
        }
        paths = sorted({ROOT / module for module, *_ in wanted})
        found = [fault for path in paths for fault in faults_of(path, ROOT)]
        chosen += [fault for fault in found if fault.identity in wanted]
    for layer in options.layers:
        found = [fault for path in modules_of([layer], ROOT) for fault in faults_of(path, ROOT)]
        chosen += drawn(found, options.each, options.seed)
    explained = reasons()
    survivors = []
    counts = {"own layer": 0, "other layers": 0, "explained": 0, "unnoticed": 0}
    for number, fault in enumerate(chosen, 1):
        source = (ROOT / fault.module).read_text(encoding="utf-8")
        place = f"{number}/{len(chosen)} {fault.module}:{fault.lines.start} {fault.kind}"
        if fault.identity in explained:
            counts["explained"] += 1
            print(f"{place}: explained", flush=True)
            continue
        outcome = copy.try_out(fault, executed, options.budget)
        if outcome.noticed_by:
            counts["own layer" if outcome.own else "other layers"] += 1
            print(f"{place}: noticed by {outcome.noticed_by}", flush=True)
            continue
        counts["unnoticed"] += 1
        survivors.append({"identity": fault.identity, "kind": fault.kind, "ran": outcome.ran})
        options.out.write_text(json.dumps(survivors, indent=1), encoding="utf-8")
        known = "" if outcome.ran else " (no test runs this line)"
        print(f"{place}: NOT NOTICED{known}\n{difference(fault, source)}\n", flush=True)
    print(", ".join(f"{kind}: {count}" for kind, count in counts.items()))
    return int(counts["unnoticed"] > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
