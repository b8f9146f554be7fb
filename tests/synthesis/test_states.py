"""What the states of a column are called."""

from __future__ import annotations

from dpdesk.domains import Categorical, Integer
from dpdesk.synthesis.states import column_states


def test_that_a_category_is_called_by_its_label() -> None:
    rated = Categorical(values=("1", "2"), labels={"1": "very poor"})
    (states,) = column_states("rate", rated, lacks_answers=True)
    assert states.texts == ("very poor", "2", "no answer")


def test_that_a_class_is_called_by_its_ends() -> None:
    (states,) = column_states("age", Integer(lower=0, upper=3), lacks_answers=False, classes=2)
    assert states.texts == ("0 to 1", "2 to 3")
