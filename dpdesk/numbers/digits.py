"""Numbers as texts, with as many digits as are known; nothing depends on the language."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import ceil, floor, isfinite, isnan, log10

from dpdesk.numbers import rounded_up
from dpdesk.numbers.calendar import date_text, difference_unit

MINUS = "−"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FRACTIONS = {2: "½", 3: "⅓", 4: "¼", 5: "⅕", 6: "⅙", 8: "⅛"}
_CEILING = Context(prec=3, rounding=ROUND_CEILING)
_FLOATING = Context(prec=12)
_LARGE, _SMALL = Decimal(10) ** 6, Decimal("0.01")
_PLAIN_BELOW = 1e6
_PLAIN_FROM = 1e-4
_CERTAIN = 0.01
_NEARLY_ALL = 0.9995


def significant(number: float, digits: int) -> str:
    """Prints a number with a count of significant digits, such as 1.4, 150 or 2.1 × 10⁹.

    NaN, a number that does not exist, becomes a dash.
    """
    if isnan(number):
        return "—"
    if number == 0 or not isfinite(number):
        return "0" if number == 0 else "∞"
    sign = MINUS if number < 0 else ""
    mantissa, _, power = f"{abs(number):.{digits - 1}e}".partition("e")
    exponent = int(power)
    rounded = float(f"{mantissa}e{exponent}")
    if _PLAIN_FROM <= rounded < _PLAIN_BELOW:
        return f"{sign}{rounded:,.{max(digits - 1 - exponent, 0)}f}"
    return f"{sign}{mantissa} × 10{exponent_text(exponent)}"


def error_text(half_width: float, unit: str) -> str:
    """Prints the half-width of an interval: an error is known to two digits, no better."""
    return f"± {significant(half_width, 2)} {difference_unit(unit)}".strip()


def bounded_error_text(
    half_width: float, unit: str, half_range: float, beyond: str = "more than "
) -> str:
    """Prints the half-width of an interval; one beyond what is possible as more than that.

    Args:
        half_width: The half-width.
        unit: Its unit.
        half_range: Half the width of all that the estimate can be, in the same unit.
        beyond: What then stands before it.
    """
    within = error_text(min(half_width, half_range), unit)
    return f"{beyond}{within}" if half_width > half_range else within


def measured_text(number: float, digits: int, unit: str) -> str:
    """Prints a number with its unit, or the date that it means in a unit of the calendar."""
    date = date_text(number, unit) if isfinite(number) else None
    return f"{significant(number, digits)} {unit}".strip() if date is None else date


def factor_text(factor: float) -> str:
    """Prints how many times as large something is, such as 2.2 ×."""
    return f"{significant(factor, 2)} ×"


def ratio_text(epsilon: Decimal) -> str:
    """Prints e^ε with three digits, such as 7.39, rounded up so that "at most" holds."""
    ratio = _CEILING.plus(Context(prec=30).exp(epsilon))
    # "g" of a float would lose the zeros that say how many digits are known.
    return f"{ratio:,f}" if ratio < _PLAIN_BELOW else power_of_ten(ratio)


def epsilon_up(epsilon: float) -> str:
    """Prints the epsilon of a device, everywhere alike: 1.099, 1.50, 0.00012, 2.00 × 10¹², ∞.

    It has two or three digits after the point, and is rounded up so that "at most" holds; one
    below 0.01 has three significant digits, so that it is never 0. A limit alone is rounded down.
    """
    return _in_decimals(epsilon, ROUND_CEILING)


def epsilon_down(epsilon: float) -> str:
    """Prints an epsilon below a cap like `epsilon_up`, rounded down, so that it is below it too."""
    return _in_decimals(epsilon, ROUND_FLOOR)


def _in_decimals(epsilon: float, rounding: str) -> str:
    if not isfinite(epsilon):
        return "∞"
    # Twelve digits first: what floating point adds must not round 0.75 up to 0.751.
    exact = _FLOATING.create_decimal_from_float(epsilon)
    if exact >= _LARGE:
        return power_of_ten(Context(prec=3, rounding=rounding).plus(exact))
    if 0 < exact < _SMALL:
        return format(Context(prec=3, rounding=rounding).plus(exact).normalize(), "f")
    full = format(exact.quantize(Decimal("0.001"), rounding), "f")
    return full.removesuffix("0")


def exponent_text(power: int) -> str:
    """Prints an exponent above the line, such as ⁻⁶."""
    return str(power).translate(_SUPERSCRIPTS)


def power_of_ten(value: Decimal) -> str:
    """Prints a number above 0 with three digits as a power of ten, such as 2.00 × 10¹²."""
    power = value.adjusted()
    return f"{value.scaleb(-power):.2f} × 10{exponent_text(power)}"


def at_most(bound: float) -> str:
    """Prints a bound with three digits, rounded up so that "at most" holds."""
    return significant(rounded_up(bound, 3) if isfinite(bound) else bound, 3)


def percent_text(share: float) -> str:
    """A share in per cent with as many digits as were typed, such as 10 % or 2.5 %."""
    return f"{100 * share:.6g} %"


def share_text(share: float) -> str:
    """Prints a share that a formula gives exactly, with three digits, such as 78.7 %."""
    if share == 1:
        return "100 %"
    if share > _NEARLY_ALL:
        return belief_text(share)
    return f"{significant(100 * share, 3)} %"


def rough_percent(share: float) -> str:
    """Prints a share or a distance of laws that is an estimate, with two digits, such as 7.9 %."""
    return f"{significant(100 * share, 2)} %"


def fixed_percent(share: float, decimals: int) -> str:
    """Prints a share in per cent with as many decimals as its error suits, such as 12.30\u00a0%."""
    return f"{100 * share:.{decimals}f}\u00a0%".replace("-", MINUS)


def chance_percent(share: float) -> str:
    """Prints a chance in per cent with one decimal, which never says 0 of what can happen."""
    return "< 0.1\u00a0%" if 0 < 100 * share < 0.05 else fixed_percent(share, 1)


def points_text(difference: float) -> str:
    """Prints a difference of shares in percentage points with two decimals."""
    return f"{100 * difference:.2f}\u00a0pp".replace("-", MINUS)


def belief_text(belief: float) -> str:
    """Prints a belief with enough digits to distinguish it from 100 %: 88 %, 99.3 %, >99.99 %."""
    percent = 100 * belief
    doubt = min(percent, 100 - percent)
    if doubt < _CERTAIN:
        return f">{100 - _CERTAIN} %" if belief > 1 / 2 else f"<{_CERTAIN} %"
    return f"{percent:.{max(-floor(log10(doubt)), 0)}f} %"


def highest_belief_text(belief: float) -> str:
    """Prints the most that a belief can become, rounded up: 73.2 %, 99.4 %, >99.99 %."""
    percent = 100 * belief
    doubt = 100 - percent
    decimals = max(1, -floor(log10(doubt))) if doubt > 0 else 1
    # Rounded to nine decimals first, so that a rounding error does not turn 52.5 into 52.6.
    raised = ceil(round(percent * 10**decimals, 9)) / 10**decimals
    if raised > 100 - _CERTAIN:
        return f">{100 - _CERTAIN} %"
    return f"{raised:.{decimals}f} %"


def fraction_text(parts: int) -> str:
    """Prints one part of so many: ⅓, or 1/16 where there is no such letter."""
    return _FRACTIONS.get(parts, f"1/{parts:,}")
