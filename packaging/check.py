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
    if not qt_libraries.ensure():
        # Without them the tests of the window cannot even be read: a run that left them out
        # would look like a pass.
        return 1
    step("running the tests")
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    try:
        return subprocess.run(
            [python, "-m", "pytest", *arguments], cwd=ROOT, env=surroundings, check=False
        ).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
