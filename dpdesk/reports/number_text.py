"""Numbers as a report prints them: the digits that their error allows, units, plain words."""

from __future__ import annotations

from math import floor, isfinite, log10

from dpdesk.numbers.calendar import date_text, difference_unit
from dpdesk.numbers.digits import MINUS, exponent_text, highest_belief_text
from dpdesk.numbers.intervals import is_even, share_ends

_MOST_DECIMALS = 9


def decimals_for(error: float) -> int:
    """Returns the decimals that show two digits of an error; negative for tens and beyond.

    An error of 0 allows all digits that are ever printed for shares, which is two.
    """
    if not isfinite(error) or error <= 0:
        return 2
    return min(_MOST_DECIMALS, 1 - floor(log10(float(f"{error:.1e}"))))


def number_text(value: float, decimals: int) -> str:
    """Returns a number with thousands separated and a true minus sign, never a negative zero."""
    rounded = round(value, decimals) + 0.0
    text = f"{rounded:,.{max(decimals, 0)}f}"
    return text.replace("-", MINUS)


def significant_text(value: float, digits: int = 3) -> str:
    """Returns a number with some significant digits; very small and large ones as powers of ten."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if value == 0 or -4 <= power < digits + 2:
        return number_text(value, digits - 1 - power if value else 0)
    return f"{mantissa} × 10{exponent_text(power)}".replace("-", MINUS)


def quantity_text(value: float, error: float, unit: str, *, share: bool) -> str:
    """Returns an estimate, a share as a fraction of 1, with the digits that its error allows."""
    if share:
        return number_text(100 * value, decimals_for(100 * error)) + "\u00a0%"
    return date_text(value, unit) or with_unit(number_text(value, decimals_for(error)), unit)


def half_width_text(error: float, unit: str, *, share: bool) -> str:
    """Returns the half-width of an interval with two digits, a share's in percentage points."""
    return difference_text(error, error, unit, share=share)


def margin_text(value: float, lower: float, upper: float, unit: str, *, share: bool) -> str:
    """Returns the error of an estimate, such as "± 1.4 pp"; of an uneven interval both ends."""
    error = max(value - lower, upper - value)
    if is_even(value, lower, upper):
        return f"± {half_width_text(error, unit, share=share)}"
    return interval_text(lower, upper, error, unit, share=share)


def expected_error_text(error: float, half_range: float, unit: str, *, share: bool) -> str:
    """Returns the half-width of an interval that is to be expected, such as "± 3.1 pp".

    Args:
        error: The half-width; of a share as a fraction of 1.
        half_range: Half of all that the estimate can be; a larger error is "more than" this.
        unit: Its unit; without meaning for a share.
        share: Whether it is of a share.
    """
    beyond = "more than " if error > half_range else ""
    return f"{beyond}± {half_width_text(min(error, half_range), unit, share=share)}"


def difference_text(difference: float, error: float, unit: str, *, share: bool) -> str:
    """Returns a difference of estimates with the digits that its error allows."""
    scale = 100 if share else 1
    number = number_text(scale * difference, decimals_for(scale * error))
    return with_unit(number, "pp" if share else difference_unit(unit))


def sampling_text(error: float, end: float | None, unit: str, *, share: bool) -> str:
    """Returns the error of drawing the respondents; where the estimate is 0 or 100 %, "not known".

    Args:
        error: The error, which is 0 at an end, where everybody seems to answer the same.
        end: The share, 0 or 1, at which there is none (`EstimateRow.sampled_at`); else None.
        unit: Unit of a mean.
        share: Whether it is the error of a share.
    """
    return half_width_text(error, unit, share=share) if end is None else "not known"


def interval_text(lower: float, upper: float, error: float, unit: str, *, share: bool) -> str:
    """Returns the two ends of an interval with the digits that the 95 % error allows."""
    scale = 100 if share else 1
    dates = [] if share else [date_text(end, unit) for end in (lower, upper)]
    if dates and dates[0] and dates[1]:
        return f"{dates[0]} to {dates[1]}"
    if share:
        (lower, upper), error = share_ends(lower, upper), min(error, 1.0)
    decimals = decimals_for(scale * error)
    ends = (number_text(scale * end, decimals) for end in (lower, upper))
    return with_unit(" to ".join(ends), "%" if share else unit)


def chance_text(chance: float) -> str:
    """Returns a probability in per cent, never rounded to certainty."""
    return f"{of_hundred_text(chance)}\u00a0%"


def belief_up(belief: float) -> str:
    """Returns the most that a belief can become, as the window rounds it up, in words."""
    return highest_belief_text(belief).replace(" %", "\u00a0%").replace(">", "more than ")


def typed_share_text(share: float) -> str:
    """Returns a share that somebody typed, in per cent, with all its digits: 12.5, not 12."""
    return f"{100 * share:.6g}\u00a0%"


def of_hundred_text(chance: float) -> str:
    """Returns a probability as a number of 100, never rounded to 0 or 100."""
    hundred = 100 * chance
    if hundred > 99.99:
        return "more than 99.99"
    if hundred < 0.01:
        return "less than 0.01"
    if hundred > 99 or hundred < 1:
        return f"{hundred:.2f}"
    return f"{hundred:.0f}"


def with_unit(number: str, unit: str) -> str:
    """Returns a number with its unit behind it, if there is one."""
    return f"{number}\u00a0{unit}" if unit else number
