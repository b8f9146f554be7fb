"""Run the tests of dpdesk, from a checkout and nothing but Python.

    python3 packaging/check.py [arguments of pytest]

Sets up what is missing (see `environment.py`), then runs the whole suite without a display.
"""

import supported_python

supported_python.insist(__file__)

import os  # noqa: E402 - the version of Python comes first
import subprocess  # noqa: E402
import sys  # noqa: E402

import environment  # noqa: E402
import qt_libraries  # noqa: E402
from setup_log import ROOT, SetupError, step  # noqa: E402

# pytest-qt stops every test where Qt cannot be loaded; without it its settings are unknown,
# which the usual options would not let pass.
WITHOUT_WINDOW = [
    *("-p", "no:pytest-qt", "-W", "ignore::pytest.PytestConfigWarning"),
    *("-o", "addopts=--import-mode=importlib --strict-markers -ra"),
    "--ignore=tests/gui",
]

# One process for each processor, with a window of its own; the tests of a file stay together.
# Further ones would wait for each other. A process that dies is not replaced: near the end of a run
# the replacement and the rest can wait for each other without end.
SIDE_BY_SIDE = ["-n", "auto", "--maxprocesses=4", "--dist=loadfile", "--max-worker-restart=0"]


def main(arguments: list[str]) -> int:
    """Set up and run pytest.

    Args:
        arguments: Passed on to pytest; paths count from the root of the checkout.

    Returns:
        The exit status of pytest, or 1 where the set-up failed.
    """
    try:
        python = environment.ensure(["test"])
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    has_window = qt_libraries.ensure()
    options = [] if has_window else WITHOUT_WINDOW
    step("running the tests" if has_window else "running the tests that need no window")
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [str(python), "-m", "pytest", *options, *SIDE_BY_SIDE, *arguments]
    try:
        status = subprocess.run(command, cwd=ROOT, env=surroundings, check=False).returncode
    except KeyboardInterrupt:
        return 130
    if status == 0 and not has_window:
        step("this is no pass: the tests of the window have not run")
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
