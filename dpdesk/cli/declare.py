"""What `dpdesk query --declare` says of a column: its categories or its bounds."""

from __future__ import annotations

import re
from decimal import Decimal

from pydantic import ValidationError

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.errors import ParameterError
from dpdesk.plan import ColumnPlan

FORM = "COLUMN=LOWER..UPPER[/STEP] or COLUMN=A|B|C"

_NUMBER = r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,9})?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:/({_NUMBER}))?")


def declared_column(declaration: str) -> ColumnPlan:
    """Reads the declaration of a column: numbers "age=18..90" or categories "sex=Female|Male".

    Numbers are whole if both bounds and the step are; the step is 1, or that of the last digit of
    the bounds. A declaration is the curator's word that the domain is public knowledge.

    Raises:
        ParameterError: It is not of this form, or no domain.
    """
    name, equals, content = declaration.partition("=")
    if not name or not equals or not content:
        raise ParameterError(
            f"{declaration} declares nothing.", remedy=f"Write {FORM}, such as age=18..90."
        )
    match = _RANGE.fullmatch(content)
    try:
        if match is None:
            values = tuple(content.split("|"))
            if len(values) < 2:
                raise ParameterError(
                    f"The declaration of {name} is neither bounds nor at least two categories.",
                    remedy=f"Write {FORM}.",
                )
            return ColumnPlan(
                name=name, kind="nominal", domain=Categorical(values=values), confirmed=True
            )
        lower, upper = Decimal(match[1]), Decimal(match[2])
        digits = min(_exponent(lower), _exponent(upper))
        step = Decimal(match[3]) if match[3] else Decimal(1).scaleb(digits)
        if all(number == number.to_integral_value() for number in (lower, upper, step)):
            whole = Integer(lower=int(lower), upper=int(upper), step=int(step))
            return ColumnPlan(name=name, kind="integer", domain=whole, confirmed=True)
        real = Real(lower=lower, upper=upper, resolution=step)
        return ColumnPlan(name=name, kind="real", domain=real, confirmed=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        message = str(first["msg"]).removeprefix("Value error, ")
        raise ParameterError(f"The declaration of {name}: {message}") from None


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
