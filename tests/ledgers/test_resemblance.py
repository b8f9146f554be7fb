from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.sample import load_sample
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.errors import SamePeopleError
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.fingerprint import cell_digests, coded_table
from dpdesk.ledgers.recognise import FileSketch, Likeness, recognise, sketch_of
from tests.ledgers import changed_files as changed
from tests.ledgers.charges import charge, local, one, people

KEY = LedgerKey(b"k" * 32)
SAMPLE = load_sample()
Draw = np.random.Generator


@pytest.fixture
def draw() -> Draw:
    return np.random.default_rng(20_260_701)


def kept(table: SurveyTable) -> bytes:
    return recognise(table, KEY, lambda: None).sketch


def likeness(known: SurveyTable, new: SurveyTable) -> Likeness | None:
    comparison = recognise(new, KEY, lambda: None).comparison
    return comparison.likeness(b"known", kept(known), lambda: None)


def chain(*changes: changed.Change) -> changed.Change:
    def whole(table: SurveyTable, draw: Draw) -> SurveyTable:
        for change in changes:
            table = change(table, draw)
        return table

    return whole


CHANGES: dict[str, changed.Change] = {
    "a dummy row": changed.dummy_row,
    "every row twice": changed.twice,
    "columns dropped": changed.without_columns,
    "a column recoded": changed.recoded,
    "a new numbering": changed.numbered,
    "one row in ten": changed.tenth,
    "shuffled with a dummy row": chain(changed.dummy_row, changed.shuffled),
    "shuffled without columns, with a dummy row": chain(
        changed.without_columns, changed.dummy_row, changed.shuffled
    ),
    "twice, without columns, with a dummy row": chain(
        changed.twice, changed.without_columns, changed.dummy_row, changed.shuffled
    ),
    "numbered anew and shuffled, with a column recoded": chain(
        changed.recoded, changed.shuffled, changed.numbered
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_that_a_file_is_recognised_whatever_was_done_to_it(change: str, draw: Draw):
    found = likeness(SAMPLE, CHANGES[change](SAMPLE, draw))
    assert found is not None
    assert found.basis in {"rows", "rows of the other"}
    assert found.share > 0.8


@pytest.mark.parametrize("shuffle", [False, True])
def test_that_a_file_of_which_sixty_in_a_hundred_rows_are_new_is_recognised(
    shuffle: bool, draw: Draw
):
    known, others = changed.halves(SAMPLE, draw)
    new = changed.with_others(changed.tenth(known, draw), others, 0.6)
    found = likeness(known, changed.shuffled(new, draw) if shuffle else new)
    assert found is not None
    assert (found.basis, found.share) == ("rows", pytest.approx(0.4, abs=0.15))
    whole = likeness(known, changed.with_others(known, others, 0.45))
    assert whole is not None
    assert (whole.basis, whole.share) == ("rows of the other", pytest.approx(1, abs=0.05))


def test_that_columns_that_a_plan_drops_tell_whose_data_they_are(draw: Draw):
    """So a release reads them: two plans may protect different columns of the same people."""
    numbers = {"number": [f"{n}" for n in draw.choice(10**6, 500, replace=False)]}
    one, other = (
        table_from_texts({**numbers, name: [f"{n}" for n in draw.integers(0, 4, 500)]})
        for name in ("colour", "fruit")
    )
    assert likeness(one, other) is not None
    assert likeness(*(changed.columns_of(t, [t.names[1]]) for t in (one, other))) is None


SAMPLES = {
    "the sample": lambda draw: SAMPLE,
    "one question": lambda draw: changed.yes_or_no(6_000, 1, draw),
    "three questions": lambda draw: changed.yes_or_no(6_000, 3, draw),
    "twelve questions": lambda draw: changed.yes_or_no(6_000, 12, draw),
    "five scales": lambda draw: changed.scales(6_000, 5, draw),
}


@pytest.mark.parametrize("source", SAMPLES)
def test_that_a_second_wave_of_the_same_questionnaire_is_not_asked_about(source: str, draw: Draw):
    table = SAMPLES[source](draw)
    for rows in (0, 1_000, 100, 30):
        known, new = changed.halves(table, draw, rows)
        assert likeness(known, new) is None
        names = draw.permutation(table.names)[: 1 + len(table.names) // 2]
        assert likeness(known, changed.columns_of(new, list(names))) is None
        assert likeness(known, changed.twice(new)) is None


def test_that_a_second_wave_of_a_large_survey_is_not_asked_about(shared_data: Path, draw: Draw):
    adult = load(shared_data / "adult.csv")
    for rows in (0, 3_000, 300):
        known, new = changed.halves(adult, draw, rows)
        assert likeness(known, new) is None
        assert likeness(known, changed.dummy_row(known)) is not None


def test_that_a_second_wave_of_one_kind_of_people_is_not_asked_about(draw: Draw):
    # Women with no affair are alike: far more of them than of all women have a double.
    known, new = changed.halves(SAMPLE, draw)
    faithful = known.column("affairs").distinct.index("0")
    alike = changed.rows_of(known, np.flatnonzero(known.column("affairs").codes == faithful))
    assert likeness(alike, new) is None
    assert likeness(new, alike) is None


def beside(name: str, answers: Sequence[object], table: SurveyTable) -> SurveyTable:
    """A table with a column more."""
    column = table_from_texts({name: [str(x) for x in answers]}).columns
    return replace(table, columns=(*column, *table.columns))


def test_that_quotas_do_not_make_two_waves_one(draw: Draw):
    sizes = np.diff(np.sort(draw.choice(np.arange(1, 3_000), 59, replace=False)))
    quotas = np.repeat(np.arange(60), np.append(sizes, [0, 3_000 - sizes.sum()])[:60])
    quotas = np.append(quotas, np.zeros(3_000 - quotas.size, dtype=np.int64))

    def wave() -> SurveyTable:
        return beside("region", draw.permutation(quotas), changed.scales(3_000, 6, draw))

    assert likeness(wave(), wave()) is None


def test_that_a_balanced_design_does_not_make_two_surveys_one(draw: Draw):
    def survey() -> SurveyTable:
        conditions = draw.permutation(np.repeat(np.arange(60), 50))
        return table_from_texts({"condition": [f"version {x % 7} of {x}" for x in conditions]})

    assert likeness(survey(), survey()) is None


def test_that_equal_counts_of_yes_are_an_accident(draw: Draw):
    def wave() -> SurveyTable:
        answers = draw.permutation(np.repeat(["yes", "no"], [430, 570]))
        return table_from_texts({"q": [str(x) for x in answers]})

    assert likeness(wave(), wave()) is None


def test_that_one_list_of_random_assignments_does_not_make_two_surveys_one(draw: Draw):
    arms = draw.integers(0, 2, 3_000)
    one, two = (beside("arm", arms, changed.yes_or_no(3_000, 4, draw)) for _ in range(2))
    assert likeness(one, two) is None


def regular(first: int, size: int) -> SurveyTable:
    """Answers that follow from the position alone, as in every file of such a form."""
    draw = np.random.default_rng(first)
    return table_from_texts(
        {
            "number": [f"P{first + n:05d}" for n in range(size)],
            "household": [str(n // 4 + 1) for n in range(size)],
            "person": [str(n % 4 + 1) for n in range(size)],
            "wave": ["1"] * size,
            "region": sorted(str(x) for x in draw.choice(9, size)),
            "answer": [str(x) for x in draw.choice(3, size)],
        }
    )


@pytest.mark.parametrize("rows", [40, 200, 3_000])
def test_that_numberings_cycles_and_sorted_columns_say_nothing(rows: int):
    assert likeness(regular(1, rows), regular(3_001, rows)) is None
    numbers = table_from_texts({"id": [f"R-{n:03d}" for n in range(1, rows + 1)]})
    assert likeness(numbers, numbers) is None


def small_table(draw: Draw) -> SurveyTable:
    rows, size = int(draw.choice([0, 1, 2, 5, 30])), int(draw.choice([1, 2, 3, 1_000]))
    forms = ("{}", "a{}", "{}.0", "")
    return table_from_texts(
        {
            f"c{i}": [forms[draw.integers(4)].format(x) for x in draw.integers(0, size, rows)]
            for i in range(int(draw.integers(1, 6)))
        }
    )


def test_that_any_tables_however_small_can_be_compared(draw: Draw):
    for _ in range(150):
        known, new = small_table(draw), small_table(draw)
        for other in (new, changed.dummy_row(known) if known.rows else known):
            found = likeness(known, other)
            assert found is None or 0 < found.share <= 1


def test_that_what_people_share_with_themselves_is_told_by_the_share_of_rows(draw: Draw):
    # Ten in a hundred of the panel answered the second time as they did before.
    known, others = changed.halves(SAMPLE, draw)
    assert likeness(known, changed.with_others(changed.tenth(known, draw), others, 0.9)) is None


def test_that_a_sketch_is_read_back_as_it_was_and_says_nothing_without_the_key():
    made = kept(SAMPLE)
    back = FileSketch.from_bytes(made, KEY)
    table = coded_table(SAMPLE, cell_digests(SAMPLE, KEY), KEY, lambda: None)
    fresh = sketch_of(table, lambda: None)
    assert back.to_bytes(KEY, b"n" * 16) == fresh.to_bytes(KEY, b"n" * 16)
    assert back.rows == SAMPLE.rows
    assert len({kept(changed.dummy_row(SAMPLE)) for _ in range(2)}) == 2
    # Sealed bytes are as even as random ones.
    counts = np.bincount(np.frombuffer(made[32:], dtype=np.uint8), minlength=256)
    assert ((counts - counts.mean()) ** 2 / counts.mean()).sum() < 400


def test_that_a_sketch_of_fifteen_columns_takes_some_hundred_kilobytes(draw: Draw):
    numbers = {f"n{i}": [str(x) for x in draw.integers(0, 10**9, 20_000)] for i in range(15)}
    assert len(kept(table_from_texts(numbers))) < 300_000
    assert len(kept(SAMPLE)) < 50_000


def test_that_a_release_of_nearly_the_same_file_stops_and_asks():
    ledger = Ledger.open()
    charge(ledger, local("1"), people(200), population="First")
    nearly = changed.dummy_row(people(200))
    with pytest.raises(SamePeopleError) as caught:
        charge(ledger, local("1"), nearly)
    said = caught.value.with_command
    assert "the same people?" in said
    assert "a file of “First” (200 rows, " in said
    assert "--population First" in said
    assert "--other-people" in said
    assert caught.value.populations == ("First",)
    assert one().spent("local").releases == 1
    # Another name is no answer.
    with pytest.raises(SamePeopleError):
        charge(ledger, local("1"), nearly, population="Second")
    assert one().spent("local").releases == 1


def test_that_the_same_people_add_up():
    ledger = Ledger.open()
    charge(ledger, local("1"), people(200), title="Auto")
    charge(ledger, local("2"), changed.dummy_row(people(200)), population="Auto")
    assert one().spent("local").epsilon == 3
    # It is known from now on, with or without the name.
    charge(ledger, local("4"), changed.dummy_row(people(200)))
    assert one().spent("local").epsilon == 7


def test_that_other_people_are_kept_apart_shown_and_not_asked_about_again():
    ledger = Ledger.open()
    charge(ledger, local("1"), people(200), population="First")
    nearly = changed.dummy_row(people(200))
    charge(ledger, local("1"), nearly, population="Second", other_people=True)
    (said,) = ledger.population("Second").others
    assert (said.name, said.than) == ("First", ledger.population("First").id)
    assert "of the rows of a file of “First”" in said.sentence or "of its rows" in said.sentence
    charge(ledger, local("1"), nearly)
    assert ledger.similar(nearly) == ()
    # A later state of the second file resembles both; which of the two was said already.
    later = changed.dummy_row(nearly)
    with pytest.raises(SamePeopleError) as caught:
        charge(ledger, local("1"), later)
    assert set(caught.value.populations) == {"First", "Second"}
    charge(ledger, local("1"), later, population="Second")
    assert ledger.population("Second").spent("local").releases == 3


def test_that_two_populations_that_become_one_are_others_no_longer():
    ledger = Ledger.open()
    charge(ledger, local("1"), people(200), population="First")
    nearly = changed.dummy_row(people(200))
    charge(ledger, local("1"), nearly, population="Second", other_people=True)
    ledger.same_people("Second", "First")
    assert one().others == ()
    charge(ledger, local("1"), changed.dummy_row(nearly), population="First")
    assert one().spent("local").releases == 3


def test_that_saying_other_people_where_nothing_is_alike_leaves_no_trace():
    ledger = Ledger.open()
    charge(ledger, local("1"), people(200), population="First")
    charge(ledger, local("1"), people(200, first=500), population="Second", other_people=True)
    assert ledger.population("Second").others == ()


def test_that_what_became_known_since_a_table_was_compared_is_asked_about_too():
    ledger, nearly = Ledger.open(), changed.dummy_row(people(200))
    assert ledger.similar(nearly) == ()
    charge(Ledger.open(), local("1"), people(200), population="First")
    with pytest.raises(SamePeopleError):
        charge(ledger, local("1"), nearly)


def small_file() -> SurveyTable:
    ages = [str(18 + i * i % 61) for i in range(20)]
    towns = [f"{'abcdefg'[i**3 % 7]}{i % 5}" for i in range(20)]
    return table_from_texts({"Age of person": ages, "town": towns})


# What the ledger of version 0.1.0 keeps of this file.
KEPT = b64decode(
    "ZHBkZXNrIHNrZXRjaCAyCgABAgMEBQYHCAkKCwwNDg93mrw7XKn5Lv/UEIv34vZOUt5rNgFRqBK0pH45pw2ZAxGU"
    "jdglUuN0fIu+ILksgu67zGmsPJ6twjK/LpWl3TK8FBvug+csh2NDy0zUZI+T42x2wyC9KwUlwkNZxX1SwJfiAPFo"
    "do64NhQweah0FlyXB5LYHr1Oiw4juCCZ+mUgq0UrGvKm0Im46fMQTDJIvCR8+Xi19z/3Dmn2ZwlzXGUXPP0pDNJA"
    "KAAni1AlHd06ukofv52dDkpqeFZIJ5Mw1UXhkMR/PXilbHc23xZ6qzrWov6ruOZbdBNTQQwDHr+HTbpypQcwI/xP"
    "GD7WSldKn6Ymky76Iw4wxZsEdNd8UOoGj8F99b8dEZYpgmQaxrkVxDaxiH/U4/DfFgxPC43+xvClDrUo8sXt/LvL"
    "kAtwfH5S/WOgEKLKukEdgY0GOoOd2DME1GT8/GRZm40DbOkL4dm0ID6LrFSyOYmD4okTAOpVGXGnYWoTfjinbz8p"
    "IuOz2rSEC7ZyYvA="
)


def test_that_a_file_that_is_in_a_ledger_is_recognised_after_every_update(draw: Draw):
    for change in (changed.shuffled, changed.dummy_row):
        comparison = recognise(change(small_file(), draw), KEY, lambda: None).comparison
        found = comparison.likeness(b"kept", KEPT, lambda: None)
        assert found is not None
        assert (found.basis.partition(" ")[0], found.share) == ("rows", 1)
    now, then = (FileSketch.from_bytes(sketch, KEY) for sketch in (kept(small_file()), KEPT))
    assert [column.name for column in now.columns] == [column.name for column in then.columns]


def test_that_the_share_of_common_rows_is_that_of_the_data(draw: Draw):
    """The share that is told is the one that counting people gives, whatever the overlap."""
    numbers = {f"n{i}": [str(x) for x in draw.geometric(0.05, 4_000)] for i in range(4)}
    whole = table_from_texts(numbers)
    for shared in (0.25, 0.5, 0.9):
        size = round(2_000 * shared)
        known = changed.rows_of(whole, np.arange(2_000))
        new = changed.rows_of(whole, np.arange(2_000 - size, 4_000 - size))
        found = likeness(known, changed.shuffled(new, draw))
        assert found is not None
        assert found.share == pytest.approx(shared, abs=0.03)
