"""The versions of Python that dpdesk runs on, and the way to one of them.

This file is read by whatever `python3` happens to be: it keeps to the grammar of Python 3.6, so
that an old one gives a sentence and not a traceback.
"""

import os
import shutil
import subprocess
import sys

SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))


def is_supported() -> bool:
    """Whether the Python that is running can run dpdesk."""
    return tuple(sys.version_info[:2]) in SUPPORTED


def insist(program: str) -> None:
    """Return under a supported Python; otherwise run `program` under one, or say what is missing.

    Args:
        program: Path of the program that was started.

    Raises:
        SystemExit: The program has run under another Python, or there is none that fits.
    """
    if is_supported():
        return
    for major, minor in reversed(SUPPORTED):
        other = shutil.which(f"python{major}.{minor}")
        if other and _runs(other, (major, minor)):
            print(f"dpdesk: using {os.path.basename(other)}", flush=True)  # noqa: PTH119 - old grammar
            raise SystemExit(subprocess.call([other, program] + sys.argv[1:]))  # noqa: RUF005
    running = ".".join(str(part) for part in sys.version_info[:3])
    raise SystemExit(
        f"dpdesk: needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python {running}. Install one "
        "of them (on Debian and Ubuntu: sudo apt-get install python3.11 python3.11-venv, with the "
        "version that your release offers) and repeat the command."
    )


def _runs(python: str, version: "tuple[int, int]") -> bool:
    # Version switchers put commands on PATH for versions that are not installed.
    question = f"import sys, venv; sys.exit(sys.version_info[:2] != {version!r})"
    try:
        answer = subprocess.call(
            [python, "-c", question], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return False
    return answer == 0
