"""JSON that every program reads alike: no repeated keys, no NaN, no deep nesting."""

from __future__ import annotations

import json

PARTS_MAX = 5_000_000
"""Most values of a text: more take gigabytes of memory, however short each is."""


class JsonRefusedError(ValueError):
    """Text that is not JSON, or JSON that different programs would read differently.

    The message is the end of a sentence that begins with the name of the file.
    """


def parse_strict(text: str | bytes) -> object:
    """Reads JSON.

    Args:
        text: The whole text, or its bytes in UTF-8, UTF-16 or UTF-32.

    Raises:
        JsonRefusedError: The text is not strict JSON.
    """
    if _parts(text) > PARTS_MAX:
        raise JsonRefusedError(f"holds more than {PARTS_MAX:,} values")
    try:
        return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_repetition)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise JsonRefusedError(f"is not JSON: {place}: {json_reason(error)}") from None
    except UnicodeDecodeError:
        raise JsonRefusedError("is not text in UTF-8") from None
    except JsonRefusedError:
        raise
    except (RecursionError, ValueError):
        reason = "is nested too deeply or holds a number that is too long"
        raise JsonRefusedError(reason) from None


def _parts(text: str | bytes) -> int:
    """An upper bound of the number of values; signs within texts count too."""
    if isinstance(text, str):
        return text.count(",") + text.count("[") + text.count("{")
    return text.count(b",") + text.count(b"[") + text.count(b"{")


def json_reason(error: json.JSONDecodeError) -> str:
    """Returns what is wrong, without the words that lead to Python's own place of it."""
    return error.msg.removesuffix(" at").removesuffix(" starting")


def no_constant(name: str) -> object:
    """Refuses NaN and infinities, which are no JSON, though Python reads them."""
    raise JsonRefusedError(f"holds {name}, which is not a number in JSON")


def no_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Returns an object; refuses a repeated key, of which programs keep the first or the last."""
    content = dict(pairs)
    if len(content) != len(pairs):
        raise JsonRefusedError("names a key twice in one object")
    return content
