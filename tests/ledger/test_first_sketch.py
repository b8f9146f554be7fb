from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.ledger import Ledger
from dpdesk.ledger.fingerprint import cell_digests
from dpdesk.ledger.first_sketch import ROW_SAMPLE, TableSketch, first_sketch_of
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.recognise import recognise
from dpdesk.ledger.resemblance import Likeness
from tests.ledger.charges import charge, local

KEY = LedgerKey(b"k" * 32)
ROWS = 3_000


def answers(rows: range, **changed: list[str]) -> SurveyTable:
    """Eight questions, whose answers together tell most people apart."""
    columns = {}
    for question in range(8):
        columns[f"q{question}"] = [
            str((n * n * 2_654_435_761 + n * (question + 3) * 40_503 >> 7) % (3 + 2 * question))
            for n in rows
        ]
    return table_from_texts(columns | changed)


def without(table: SurveyTable, *names: str) -> SurveyTable:
    kept = tuple(column for column in table.columns if column.name not in names)
    return SurveyTable(kept, table.rows, table.source)


def sketched(table: SurveyTable) -> TableSketch:
    return first_sketch_of(table.columns, cell_digests(table, KEY), lambda: None)


def alike(known: SurveyTable, new: SurveyTable) -> tuple[Likeness, ...]:
    """What a table has in common with a file of which an earlier dpdesk kept a sketch."""
    comparison = recognise(new, KEY, lambda: None).comparison
    found = comparison.likeness(b"name", sketched(known).to_bytes(), lambda: None)
    return () if found is None else (found,)


WHOLE = range(ROWS)


def test_that_a_file_that_lost_rows_is_pointed_out_with_its_share():
    (found,) = alike(answers(WHOLE), answers(range(100, 2_900)))
    assert found.basis == "rows"
    assert found.share > 0.95


def test_that_a_file_that_gained_half_as_many_rows_shares_two_thirds():
    (found,) = alike(answers(WHOLE), answers(range(3 * ROWS // 2)))
    assert found.basis == "rows"
    assert found.share == pytest.approx(2 / 3, abs=0.06)


def test_that_other_people_of_the_same_kind_are_not_pointed_out():
    assert alike(answers(WHOLE), answers(range(ROWS, 2 * ROWS))) == ()


@pytest.mark.parametrize("rows", [WHOLE, range(200, ROWS)])
def test_that_a_column_less_is_noticed(rows: range):
    (found,) = alike(answers(WHOLE), without(answers(rows), "q7"))
    assert found.basis == "rows"
    assert found.share > 0.9


@pytest.mark.parametrize("rows", [WHOLE, range(200, ROWS)])
def test_that_a_column_more_is_noticed(rows: range):
    more = answers(rows, weight=[str(n % 911) for n in rows])
    (found,) = alike(answers(WHOLE), more)
    assert found.basis == "rows"
    assert found.share > 0.9


@pytest.mark.parametrize("rows", [WHOLE, range(200, ROWS)])
def test_that_a_column_coded_anew_is_noticed(rows: range):
    recoded = answers(rows, q7=[f"code {n % 97}" for n in rows])
    (found,) = alike(answers(WHOLE), recoded)
    assert found.basis == "rows"
    assert found.share > 0.9


def test_that_a_new_numbering_of_the_rows_hides_nothing():
    known = answers(WHOLE, number=[str(n) for n in WHOLE])
    new = answers(range(300, ROWS), number=[str(n + 1) for n in range(ROWS - 300)])
    (found,) = alike(known, new)
    assert found.basis == "rows"
    assert found.share > 0.9


def test_that_without_what_tells_people_apart_nobody_is_recognised():
    # But for the number of the card, everybody's rows are alike.
    def survey(first: int) -> SurveyTable:
        numbers = range(first, first + ROWS)
        return table_from_texts(
            {
                "card": [f"c{n * 7919 % 1_000_003}" for n in numbers],
                "sex": [str(n % 2) for n in numbers],
                "age": [str(n * n % 11) for n in numbers],
            }
        )

    assert alike(survey(0), survey(ROWS)) == ()


def test_that_some_columns_of_a_file_are_recognised_by_themselves():
    (found,) = alike(answers(WHOLE), without(answers(WHOLE), "q0", "q1", "q2"))
    assert (found.basis, found.columns) == ("counts", 5)


def test_that_a_numbering_of_rows_is_no_resemblance():
    numbers = [str(n) for n in WHOLE]
    known = table_from_texts({"n": numbers, "a": [str(n % 2) for n in WHOLE]})
    new = table_from_texts({"n": numbers, "b": [str(n % 3) for n in WHOLE]})
    assert alike(known, new) == ()


def test_that_a_survey_of_few_answers_is_never_called_alike():
    # Everybody's rows are found among everybody's.
    known = table_from_texts({"a": [str(n % 2) for n in WHOLE], "b": [str(n % 3) for n in WHOLE]})
    fewer = range(2_500)
    new = table_from_texts({"a": [str(n % 2) for n in fewer], "b": [str(n % 3) for n in fewer]})
    assert alike(known, new) == ()


def test_that_a_ledger_of_before_still_recognises_its_files():
    ledger, table = Ledger.open(), answers(WHOLE)
    data = ledger.fingerprint(table)
    first = first_sketch_of(table.columns, cell_digests(table, ledger._key), lambda: None)
    kept = replace(data, sketch=first.to_bytes())
    ledger.charge(kept, (local("1"),), plan="{}", title="", kind="records", population="Known")
    (found,) = ledger.similar(answers(range(100, ROWS)))
    assert found.population == "Known"
    assert charge(ledger, local("1"), table).population.name == "Known"


def test_that_a_sketch_is_read_back_as_it_was():
    made = sketched(answers(WHOLE))
    back = TableSketch.from_bytes(made.to_bytes())
    assert (back.rows, back.columns) == (made.rows, made.columns)
    for mine, other in zip((made.whole, *made.without), (back.whole, *back.without), strict=True):
        assert (mine.size, mine.coverage) == (other.size, other.coverage)
        np.testing.assert_array_equal(mine.sample, other.sample)


def test_that_coverage_is_the_share_of_rows_that_occur_again():
    table = table_from_texts({"a": ["x", "x", "y", "z"]})
    assert sketched(table).whole.coverage == 0.5


def test_that_small_tables_are_compared_exactly():
    known, new = sketched(answers(range(10))), sketched(answers(range(4, 12)))
    distinct = len({tuple(c.text(n) for c in answers(range(10)).columns) for n in range(10)})
    assert known.whole.size == distinct == 10
    assert known.whole.common(new.whole) == pytest.approx(6)


def test_that_the_error_of_a_share_is_that_of_a_random_sample():
    # 95 in 100 estimates lie within two standard errors of sqrt(J (1 - J) / k) of Jaccard's index.
    inside, k = 0, ROW_SAMPLE
    for number in range(40):
        key = LedgerKey(bytes([number]) * 32)
        one, two = (
            first_sketch_of(table.columns, cell_digests(table, key), lambda: None).whole
            for table in (numbers(0, 6_000), numbers(3_000, 9_000))
        )
        common = one.common(two)
        jaccard = common / (one.size + two.size - common)
        exact = 3_000 / 9_000
        inside += abs(jaccard - exact) <= 2 * (exact * (1 - exact) / k) ** 0.5
    assert inside >= 33


def numbers(first: int, last: int) -> SurveyTable:
    return table_from_texts({"n": [str(n) for n in range(first, last)]})


def test_that_a_wide_table_is_sketched_in_time_by_its_rows_and_columns_alone():
    wide = table_from_texts(
        {f"c{i}": [str(n * (i + 1) % 43) for n in range(50)] for i in range(41)}
    )
    made = sketched(wide)
    assert made.without == ()
    assert len(made.columns) == 41
