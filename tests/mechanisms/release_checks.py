"""Checks of whole releases with the system's own words, shared with the kill matrix.

Like the checks of single draws they fail by chance with a probability of at most `ALPHA`.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import exp
from pathlib import Path

from scipy.stats import binomtest, chi2_contingency

from dpdesk.data.read_records import read_records
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical
from dpdesk.engine import sanitize, untracked
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan
from tests.mechanisms.drawn_checks import ALPHA

COLOURS = ("red", "green", "blue", "grey")
TRUTH = exp(1) / (exp(1) + 3)
LIE = 1 / (exp(1) + 3)


def protected(name: str, *, missing: MissingPolicy | None = None) -> ColumnPlan:
    """A column of colours at eps = 1; with a category of missing answers there are three more."""
    return ColumnPlan(
        name=name,
        kind="nominal",
        domain=Categorical(values=COLOURS if missing is None else COLOURS[:3]),
        confirmed=True,
        role="protect",
        mechanism=Grr(epsilon=Decimal(1)),
        missing=missing or MissingPolicy(),
    )


def released(
    texts: Mapping[str, Sequence[str]], columns: Sequence[ColumnPlan], *, shuffle: bool = False
) -> SurveyTable:
    """The records of a release."""
    plan = Plan(columns=tuple(columns), shuffle=shuffle)
    table = table_from_texts({name: list(values) for name, values in texts.items()})
    with tempfile.TemporaryDirectory() as folder:
        sanitize(table, plan, Path(folder), untracked())
        return read_records(Path(folder))


def columns_of_a_release_are_independent() -> None:
    """Two columns with the same answers are released as if they had nothing in common."""
    rows = 20_000
    texts = {name: ["red"] * rows for name in ("first", "second")}
    records = released(texts, [protected("first"), protected("second")])
    pairs = Counter(zip(*(records.column(name).texts() for name in texts), strict=True))
    table = [[pairs[a, b] for b in COLOURS] for a in COLOURS]
    assert chi2_contingency(table, lambda_="log-likelihood").pvalue > ALPHA


def every_record_of_a_release_is_randomized() -> None:
    """The first, the second and the last record tell the truth in the share p of 400 columns."""
    names = [f"q{i}" for i in range(400)]
    texts = {name: ["green"] * 5 for name in names}
    records = released(texts, [protected(name) for name in names])
    for row in (0, 1, 4):
        hits = sum(records.column(name).text(row) == "green" for name in names)
        assert binomtest(hits, 400, TRUTH).pvalue > ALPHA / 3, (row, hits)


def missing_answers_are_randomized_like_others() -> None:
    """A missing answer is reported as missing with chance p, and as each other with chance q."""
    rows = 20_000
    policy = MissingPolicy(policy="category", value="none given")
    texts = {"colour": ["", "blue"] * (rows // 2)}
    records = released(texts, [protected("colour", missing=policy)])
    reports = records.column("colour").texts()
    for start, answer in ((0, "none given"), (1, "blue")):
        counts = Counter(reports[start::2])
        assert set(counts) <= {*COLOURS[:3], "none given"}
        for value in (*COLOURS[:3], "none given"):
            chance = TRUTH if value == answer else LIE
            p_value = binomtest(counts[value], rows // 2, chance).pvalue
            assert p_value > ALPHA / 8, (answer, value, counts[value])


def a_release_has_the_declared_domain_and_not_that_of_the_answers() -> None:
    """Where all answers are the first of the list, the others are reported by the law."""
    rows = 20_000
    records = released({"colour": ["red"] * rows}, [protected("colour")])
    counts = Counter(records.column("colour").texts())
    for value in COLOURS:
        chance = TRUTH if value == "red" else LIE
        assert binomtest(counts[value], rows, chance).pvalue > ALPHA / 4, (value, counts)


def two_releases_of_the_same_answers_differ() -> None:
    """Nothing of a release is repeated: not its reports, and not the order of its records."""
    texts = {"colour": ["red", "blue"] * 500, "row": [str(i) for i in range(1000)]}
    columns = [
        protected("colour"),
        ColumnPlan(name="row", kind="nominal", role="keep", keep_confirmed=True),
    ]
    first, second = (released(texts, columns, shuffle=True) for _ in range(2))
    assert first.column("row").texts() != texts["row"]
    assert first.column("row").texts() != second.column("row").texts()
    ordered = [sorted(zip(t.column("row").texts(), t.column("colour").texts(), strict=True))
               for t in (first, second)]  # fmt: skip
    assert ordered[0] != ordered[1]
