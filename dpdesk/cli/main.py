"""Entry of `dpdesk`: a command, or the window where there is none."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from dpdesk.cli.terminal import terminal


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `dpdesk`.

    Args:
        arguments: Words after the program's name; those of the process when None.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        # Answered before anything else is imported: scripts ask this often.
        from dpdesk import __version__

        print(f"dpdesk {__version__}")
        return 0
    from dpdesk.cli.run import run

    with terminal():
        return run(words)


if __name__ == "__main__":
    sys.exit(main())
