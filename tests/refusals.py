"""What a refusal is recognised by: the name of its message, and its values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dpdesk.errors import DpdeskError
from dpdesk.i18n import Message


@contextmanager
def refused(message: str, **values: object) -> Iterator[pytest.ExceptionInfo[DpdeskError]]:
    """Expects an error of dpdesk.

    Args:
        message: Name of its message in a table of texts, such as "ledgers.over-cap".
        values: Some of its values; a message among them by its name.
    """
    with pytest.raises(DpdeskError) as caught:
        yield caught
    assert caught.value.id == message, caught.value
    assert isinstance(caught.value.message, Message)
    own = caught.value.message.values
    named = {name: getattr(own[name], "id", own[name]) for name in values}
    assert named == values
