"""The entry of `dpdesk`: runs a command, or opens the window if none is named."""

from __future__ import annotations

import errno
import sys
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.terminal import OutputError, abandon_output, terminal
from dpdesk.i18n import ENGLISH, PSEUDO, speaking

_SERVE = "--read-in-this-process"
"""`WORD` of the module that is imported then alone."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `dpdesk`; every failure is reported in one sentence, never as a traceback.

    Args:
        arguments: Words after the program's name; those of the process when None.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    language = ENGLISH
    if words[:1] == ["--language"] and words[1:2] in ([ENGLISH], [PSEUDO]):
        language, words = words[1], words[2:]
    if words == [_SERVE]:
        from dpdesk.data.own_process import serve

        serve()
    if arguments is None:
        _settle_process()
    with terminal(), speaking(language):
        try:
            if words == ["--version"]:
                # Answered before anything else is imported: scripts ask this often.
                from dpdesk.version import __version__

                print(f"dpdesk {__version__}", flush=True)
                return ExitCode.OK
            from dpdesk.cli.run import run

            return run(words)
        except SystemExit as ended:
            # argparse ends this way, after it has printed why.
            return ended.code if isinstance(ended.code, int) else ExitCode.OK
        except KeyboardInterrupt:
            _tell("cancelled.")
            return ExitCode.INTERRUPTED
        except BrokenPipeError:
            # The program that read our output ended early, as `head` does.
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


class _WithoutPandas:
    """Hides pandas: pyarrow would import it, a tenth of a second, to ask whether lists are its."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Refuses pandas, and leaves every other module to the finders behind it."""
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def _settle_process() -> None:
    """Sets what holds for the whole process: imports, warnings and the errors of other threads."""
    sys.meta_path.insert(0, cast(Any, _WithoutPandas()))
    if not sys.warnoptions:
        # A warning quotes a line of source, and libraries put values into some.
        warnings.simplefilter("ignore")
    threading.excepthook = _note_aside
    sys.unraisablehook = _note_aside


def _note_aside(raised: Any) -> None:
    """Logs an error of a thread or a finalizer; Python would print its text, with values in it."""
    if isinstance(raised.exc_value, Exception):
        from dpdesk import crash

        _tell(str(crash.unexpected(raised.exc_value)))


def _tell(text: str) -> None:
    # The window's own program on Windows has no console, and so no such stream.
    with suppress(Exception):
        print(f"dpdesk: {text}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
