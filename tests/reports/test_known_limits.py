from __future__ import annotations

import re
from itertools import combinations

from dpdesk.reports.implementation import (
    OF_RECORDS,
    OF_STATISTICS,
    OF_SYNTHETIC_ROWS,
    known_limits,
    limits_of,
)

PAGE = """# Limits

Words before any heading.

- not a limit, it has no heading

## The first

A paragraph.

- **Bold.** Goes on
  in a second line with `code` and [a
  link](page.md#place).
- Another.

## Without a list

Nothing.

## The last
- Two * 3 and snake_case stay as they are.
"""


def test_that_limits_are_the_lists_under_their_headings_without_marks() -> None:
    groups = {group.heading: group.limits for group in limits_of(PAGE)}
    assert groups == {
        "The first": ("Bold. Goes on in a second line with code and a link.", "Another."),
        "The last": ("Two * 3 and snake_case stay as they are.",),
    }


def test_that_each_kind_of_release_has_its_own_limits_and_those_of_all() -> None:
    kinds = (OF_RECORDS, OF_STATISTICS, OF_SYNTHETIC_ROWS)
    headings = {own: {group.heading for group in known_limits(own)} for own in kinds}
    for one, other in combinations(kinds, 2):
        assert headings[one] ^ headings[other] == {one, other}
        assert one in headings[one]
        assert len(headings[one] & headings[other]) >= 2


def test_that_no_report_shows_marks_of_markdown() -> None:
    for own in (OF_RECORDS, OF_STATISTICS, OF_SYNTHETIC_ROWS):
        for group in known_limits(own):
            for text in (group.heading, *group.limits):
                assert not re.search(r"\*\*|`|]\(|(?<!\w)[*_]\w|^#", text), text


def test_that_the_page_of_limits_names_time_and_earlier_releases() -> None:
    text = " ".join(limit for group in known_limits(OF_RECORDS) for limit in group.limits)
    assert "time" in text
    assert "released again" in text
