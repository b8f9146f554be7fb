"""Dates from numbers of a unit of the calendar, in the syntax of SPSS and PSPP."""

from __future__ import annotations

_PER_YEAR = {"year": 1, "quarter": 4, "month": 12}
_PER_DAY = {"day": 1, "hour": 24, "minute": 1440}
_DAYS_OF_400_YEARS = 146_097


def date_commands(unit: str, number: str, variable: str) -> list[str]:
    """Returns commands that write a number as `dpdesk.numbers.calendar.date_text` does.

    Args:
        unit: Name of its unit of the calendar.
        number: An expression of the number.
        variable: The variable of text that gets the date, a new one.
    """
    commands = [f"STRING {variable} (A24)", *_floor("#w", f"{number} + 0.5")]
    if unit == "time":
        hours, minutes = "TRUNC(ABS(#w) / 60)", f", ':', {_digits('MOD(ABS(#w), 60)')}"
        return [
            *commands,
            f"COMPUTE {variable} = CONCAT({_digits(hours)}{minutes})",
            f"IF (ABS(#w) >= 6000) {variable} = CONCAT({_long(hours)}{minutes})",
            f"IF (#w < 0) {variable} = CONCAT('-', RTRIM({variable}))",
        ]
    if unit in _PER_YEAR:
        count = _PER_YEAR[unit]
        commands += [*_floor("#y", f"#w / {count}"), f"COMPUTE #m = #w - {count} * #y + 1"]
        # Years count from 0, all else from 1970.
        commands += [] if count == 1 else ["COMPUTE #y = #y + 1970"]
        part = {1: "", 4: ", '-Q', STRING(#m, N1)", 12: f", '-', {_digits('#m')}"}[count]
    else:
        count = _PER_DAY[unit]
        commands += [
            *_floor("#d", f"#w / {count}"),
            f"COMPUTE #m = (#w - {count} * #d) * {1440 // count}",
            # 400 years have so many days, whichever they are.
            *_floor("#e", f"#d / {_DAYS_OF_400_YEARS}"),
            f"COMPUTE #s = DATE.DMY(1, 1, 1970) + 86400 * (#d - {_DAYS_OF_400_YEARS} * #e)",
            "COMPUTE #y = XDATE.YEAR(#s) + 400 * #e",
        ]
        part = f", '-', {_digits('XDATE.MONTH(#s)')}, '-', {_digits('XDATE.MDAY(#s)')}"
        if count > 1:
            clock = f"{_digits('TRUNC(#m / 60)')}, ':', {_digits('MOD(#m, 60)')}"
            part += f",\n 'T', {clock}"
    return [
        *commands,
        f"COMPUTE {variable} = CONCAT(STRING(#y, N4){part})",
        # Beyond four digits a year has its sign, as ISO 8601 writes it.
        f"IF (#y < 0) {variable} = CONCAT('-', STRING(-#y, N4){part})",
        f"IF (#y < -9999) {variable} = CONCAT({_long('#y')}{part})",
        f"IF (#y > 9999) {variable} = CONCAT('+', {_long('#y')}{part})",
    ]


def _floor(variable: str, expression: str) -> list[str]:
    return [
        f"COMPUTE {variable} = TRUNC({expression})",
        f"IF ({variable} > {expression}) {variable} = {variable} - 1",
    ]


def _digits(expression: str) -> str:
    return f"STRING({expression}, N2)"


def _long(expression: str) -> str:
    return f"LTRIM(STRING({expression}, F12))"
