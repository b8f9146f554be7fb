"""Entry of `dpdesk`: a command, or the window where there is none."""

from __future__ import annotations

import errno
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.terminal import OutputError, abandon_output, terminal


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `dpdesk`; whatever happens is told in a sentence, never as a traceback.

    Args:
        arguments: Words after the program's name; those of the process when None.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        _settle_process()
    with terminal():
        try:
            if words == ["--version"]:
                # Answered before anything else is imported: scripts ask this often.
                from dpdesk import __version__

                print(f"dpdesk {__version__}", flush=True)
                return ExitCode.OK
            from dpdesk.cli.run import run

            return run(words)
        except SystemExit as ended:
            # So argparse ends, after it has said why.
            return ended.code if isinstance(ended.code, int) else ExitCode.OK
        except KeyboardInterrupt:
            _tell("cancelled.")
            return ExitCode.INTERRUPTED
        except BrokenPipeError:
            # The reader of our output went away, as `head` does.
            abandon_output()
            return ExitCode.OK
        except OutputError as error:
            abandon_output()
            _tell(str(error))
            return ExitCode.WRITE
        except MemoryError:
            _tell("There is not enough memory for this. Close other programs, or split the data.")
            return ExitCode.FAILED
        except Exception as error:  # noqa: BLE001 - the last resort
            if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
                _tell("There is no space left on the device that is written to.")
                return ExitCode.WRITE
            from dpdesk import crash

            _tell(str(crash.unexpected(error)))
            return ExitCode.INTERNAL


def _settle_process() -> None:
    """Arranges what is the whole process's: its warnings and its other threads."""
    if not sys.warnoptions:
        # A warning quotes a line of source, and libraries put values into some.
        warnings.simplefilter("ignore")
    threading.excepthook = _note_aside
    sys.unraisablehook = _note_aside


def _note_aside(raised: Any) -> None:
    """Notes an error that ends nothing but a thread or a finalizer; Python would print its text."""
    if isinstance(raised.exc_value, Exception):
        from dpdesk import crash

        _tell(str(crash.unexpected(raised.exc_value)))


def _tell(text: str) -> None:
    # Without a console, as of the window's own program on Windows, there is no such stream.
    with suppress(Exception):
        print(f"dpdesk: {text}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
