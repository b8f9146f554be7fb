"""A list of categories as text: one a line, its meaning behind a tab."""

from __future__ import annotations

from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError


def text_of_categories(domain: Categorical) -> str:
    """The list of a domain as text."""
    lines = []
    for value in domain.values:
        label = domain.labels.get(value)
        lines.append(f"{value}\t{label}" if label else value)
    return "\n".join(lines)


def categories_of_text(text: str) -> Categorical:
    """Reads a list: one category a line, what it means behind a tab; empty lines do not count.

    Blanks around a category are left out.

    Raises:
        ParameterError: A line repeats a category or has none, or there are fewer than two.
        pydantic.ValidationError: A category or the list is too long.
    """
    values: dict[str, int] = {}
    labels: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        value, _, label = (part.strip() for part in line.partition("\t"))
        if not value:
            raise ParameterError(
                f"Line {number} has a meaning and no category.",
                remedy="Type the category before the tab.",
            )
        if value in values:
            raise ParameterError(
                f"Line {number} repeats the category of line {values[value]}.",
                remedy="List each category once.",
            )
        values[value] = number
        if label:
            labels[value] = label
    if len(values) < 2:
        raise ParameterError("The list has fewer than two categories.", remedy="List at least two.")
    return Categorical(values=tuple(values), labels=labels)
