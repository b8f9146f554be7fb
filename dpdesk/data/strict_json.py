"""JSON that every program reads alike: no repeated keys, no NaN, no deep nesting."""

from __future__ import annotations

import json

from dpdesk.data.texts import T

PARTS_MAX = 5_000_000
"""Most values of a text: more take gigabytes of memory, however short each is."""


class JsonRefusedError(ValueError):
    """Text that is not JSON, or JSON that different programs would read differently.

    The message is the end of a sentence that begins with the name of the file.
    """


def parse_strict(text: str | bytes) -> object:
    """Reads JSON.

    Raises:
        JsonRefusedError: The text is not strict JSON.
    """
    if _parts(text) > PARTS_MAX:
        raise JsonRefusedError(T.TOO_MANY_VALUES(most=PARTS_MAX))
    try:
        return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_repetition)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        message = T.NOT_JSON(reason=json_reason(error), line=line, column=column)
        raise JsonRefusedError(message) from None
    except UnicodeDecodeError:
        raise JsonRefusedError(T.NO_UTF8()) from None
    except JsonRefusedError:
        raise
    except (RecursionError, ValueError):
        raise JsonRefusedError(T.TOO_DEEP()) from None


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
    raise JsonRefusedError(T.NO_JSON_NUMBER(name=name))


def no_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Returns an object; refuses a repeated key, of which programs keep the first or the last."""
    content = dict(pairs)
    if len(content) != len(pairs):
        raise JsonRefusedError(T.REPEATED_KEY())
    return content
