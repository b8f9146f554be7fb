"""Which test runs which line of dpdesk, collected while the tests run.

A plugin of pytest (`-p tests.faults.executed_lines`) around coverage.py, whose contexts keep apart
what each test function runs. Before the session ends it writes a file named by the environment
variable `DPDESK_EXECUTED_LINES`; see `Executed`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

VARIABLE = "DPDESK_EXECUTED_LINES"


@dataclass
class Executed:
    """What is known of the tests.

    Attributes:
        seconds: Of each test function, such as "tests/cost/test_epsilon.py::test_that_it_is_so",
            how long all its cases took together.
        lines: Of each module, such as "dpdesk/cost.py", and each of its lines the test
            functions that run it.
        digests: Of each module the SHA-256 of the text whose lines these are.
        failed: Tests that did not pass.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Executed:
        """What was collected earlier; nothing where there is no such file."""
        if not path.exists():
            return cls()
        stored = json.loads(path.read_text(encoding="utf-8"))
        names = stored.pop("names")
        lines = {
            module: {int(line): [names[test] for test in tests] for line, tests in of.items()}
            for module, of in stored.pop("lines").items()
        }
        return cls(lines=lines, **stored)

    def write(self, path: Path) -> None:
        """Write it, with the name of each test once."""
        names = sorted({t for of in self.lines.values() for tests in of.values() for t in tests})
        number = {name: position for position, name in enumerate(names)}
        lines = {
            module: {line: [number[test] for test in tests] for line, tests in of.items()}
            for module, of in self.lines.items()
        }
        content = {
            "names": names,
            "lines": lines,
            "seconds": self.seconds,
            "digests": self.digests,
            "failed": self.failed,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")

    def of_lines(self, module: str, lines: range, source: str) -> list[str] | None:
        """The test functions that run one of some lines, the fastest first.

        Returns:
            None where the module has changed since, or was not there.
        """
        if self.digests.get(module) != digest(source):
            return None
        known = self.lines.get(module, {})
        tests = {test for line in lines for test in known.get(line, [])}
        return sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test))

    def replace(self, other: Executed) -> None:
        """Take over what another collection says of the test files that it ran."""
        files = {test.partition("::")[0] for test in other.seconds}
        stale = {test for test in self.seconds if test.partition("::")[0] in files}
        for module, digest_now in other.digests.items():
            if self.digests.get(module) != digest_now:
                self.lines[module] = {}
                self.digests[module] = digest_now
        for module, of in self.lines.items():
            fresh = other.lines.get(module, {})
            for line in {*of, *fresh}:
                kept = [test for test in of.get(line, []) if test not in stale]
                of[line] = kept + fresh.get(line, [])
        self.seconds = {t: s for t, s in self.seconds.items() if t not in stale} | other.seconds
        self.failed = [t for t in self.failed if t not in stale] + other.failed


def digest(source: str) -> str:
    """What tells one text of a module from another."""
    return hashlib.sha256(source.encode()).hexdigest()


class Collector:
    """Watches one run of pytest."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._executed = Executed()
        self._coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[str(root / "dpdesk" / "*")]
        )
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Keeps apart what this test runs."""
        self._coverage.switch_context(item.nodeid.partition("[")[0])
        result = yield
        self._coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds up how long a test takes with its fixtures."""
        name = report.nodeid.partition("[")[0]
        self._executed.seconds[name] = self._executed.seconds.get(name, 0.0) + report.duration
        if report.failed:
            self._executed.failed.append(name)

    def pytest_sessionfinish(self) -> None:
        """Writes what was collected."""
        self._coverage.stop()
        data = self._coverage.get_data()
        for name in data.measured_files():
            path = Path(name)
            module = path.relative_to(self._root).as_posix()
            self._executed.digests[module] = digest(path.read_text(encoding="utf-8"))
            self._executed.lines[module] = {
                line: [test for test in tests if test]
                for line, tests in data.contexts_by_lineno(name).items()
            }
        self._executed.write(Path(os.environ[VARIABLE]))


def pytest_configure(config: Any) -> None:
    """Begins to watch, before any module of dpdesk is imported."""
    config.pluginmanager.register(Collector(config.rootpath), "dpdesk-executed-lines")
