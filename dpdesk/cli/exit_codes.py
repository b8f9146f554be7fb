"""The exit codes of `dpdesk`, their meanings for help and documentation, and their errors."""

from __future__ import annotations

from enum import IntEnum

from dpdesk.errors import (
    Cancelled,
    DpdeskError,
    InputError,
    LedgerError,
    ParameterError,
    PlanError,
    ReleaseError,
)


class ExitCode(IntEnum):
    """The number that a command returns to the shell."""

    OK = 0
    PROBLEMS = 1
    USAGE = 2
    DATA = 3
    WRITE = 4
    FAILED = 5
    LEDGER = 6
    INTERNAL = 70
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.OK: "done",
    ExitCode.PROBLEMS: "the plan cannot be read, or has errors that block a release",
    ExitCode.USAGE: "the command line is wrong",
    ExitCode.DATA: "a data file cannot be read as it stands",
    ExitCode.WRITE: "the result cannot be written",
    ExitCode.FAILED: "anything else",
    ExitCode.LEDGER: "the ledger's cap is reached, the ledger cannot be trusted, or the command "
    "does not say whose data these are",
    ExitCode.INTERNAL: "an unexpected error of dpdesk itself; where it happened is noted in a file",
    ExitCode.INTERRUPTED: "cancelled by Ctrl+C or SIGTERM; nothing was released",
}

_CODES: dict[type, ExitCode] = {
    DpdeskError: ExitCode.FAILED,
    PlanError: ExitCode.PROBLEMS,
    ParameterError: ExitCode.USAGE,
    InputError: ExitCode.DATA,
    ReleaseError: ExitCode.WRITE,
    LedgerError: ExitCode.LEDGER,
    Cancelled: ExitCode.INTERRUPTED,
}


def exit_code_of(error: DpdeskError) -> ExitCode:
    """Returns the code of an error: that of the nearest of its classes that has one."""
    return next(_CODES[kind] for kind in type(error).__mro__ if kind in _CODES)
