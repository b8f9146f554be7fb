from __future__ import annotations

import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.data.read_records import read_records
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical
from dpdesk.engine import Tracker, sanitize, shuffle, untracked
from dpdesk.errors import Cancelled, PlanError, ReleaseError
from dpdesk.estimation import Released, released_from_records
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.frequency_oracle import SymbolOracle
from dpdesk.plan import MissingPolicy, Plan, check
from tests.engine.survey import COLOURS, column, survey, survey_plan
from tests.randomness.word_sources import CountedWords, ShakeWords
from tests.refusals import refused


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> CountedWords:
    source = CountedWords(ShakeWords("a survey of fruit"))
    use(monkeypatch, "SystemWords", lambda: source)
    return source


def use(monkeypatch: pytest.MonkeyPatch, name: str, replacement: object) -> None:
    # `dpdesk.engine.sanitize` is also the name of the function.
    monkeypatch.setattr(sys.modules["dpdesk.engine.sanitize"], name, replacement)


def run(table: SurveyTable, plan: Plan, folder: Path) -> tuple[Released, SurveyTable]:
    folder.mkdir(exist_ok=True)
    return sanitize(table, plan, folder, untracked()), read_records(folder)


def test_that_the_plan_of_these_tests_has_no_errors():
    # A survey as small is of little use, and of its yes-no question nothing is expected.
    worth = ("useless", "coarse", "no_prevalence")
    assert [p.code for p in check(survey_plan()) if p.code not in worth] == ["kept"]


def test_that_a_release_has_as_many_records_as_the_survey_has_respondents(tmp_path: Path):
    released, records = run(survey(), survey_plan(), tmp_path)
    assert released.rows == records.rows == 500


def test_that_the_records_have_the_assigned_columns_and_no_others(tmp_path: Path):
    _, records = run(survey(), survey_plan(), tmp_path)
    assert records.names == ("colour", "fruit=apple", "fruit=pear", "age", "region")


def test_that_a_report_is_always_one_that_its_mechanism_can_make(tmp_path: Path):
    _, records = run(survey(), survey_plan(), tmp_path)
    assert set(records.column("colour").distinct) <= set(COLOURS)
    assert set(records.column("fruit=pear").distinct) <= {"0", "1"}
    assert set(records.column("age").distinct) <= {str(age) for age in range(18, 81)}


def test_that_a_column_that_is_passed_through_arrives_whole(tmp_path: Path):
    table = survey()
    _, records = run(table, survey_plan(), tmp_path)
    assert Counter(records.column("region").texts()) == Counter(table.column("region").texts())


def test_that_records_keep_the_order_of_the_file_only_where_the_plan_says_so(tmp_path: Path):
    table = survey()
    _, kept = run(table, survey_plan(shuffle=False), tmp_path / "kept")
    _, shuffled = run(table, survey_plan(), tmp_path / "shuffled")
    assert kept.column("region").texts() == table.column("region").texts()
    assert shuffled.column("region").texts() != table.column("region").texts()


def test_that_the_place_of_a_record_tells_nothing_of_the_place_of_its_respondent(tmp_path: Path):
    table = survey(5_000)
    _, records = run(table, survey_plan(), tmp_path)
    ranks = np.array([int(text[1:]) for text in records.column("region").texts()], dtype=float)
    correlation = np.corrcoef(ranks, np.arange(ranks.size))[0, 1]
    # Six standard errors: a fair shuffle exceeds them once in 500 million runs.
    assert abs(correlation) < 6 / np.sqrt(ranks.size)


def test_that_the_counts_are_those_of_the_records(tmp_path: Path):
    released, records = run(survey(), survey_plan(), tmp_path)
    assert len(released.attributes) == len(survey_plan().protected)
    again = released_from_records(records, survey_plan())
    for attribute, recounted in zip(released.attributes, again.attributes, strict=True):
        assert attribute.tally.reports == recounted.tally.reports == 500
        assert attribute.tally.counts.tolist() == recounted.tally.counts.tolist()


def test_that_one_word_is_taken_per_draw_whatever_the_answers_are(
    words: CountedWords, tmp_path: Path
):
    run(survey(), survey_plan(), tmp_path / "one")
    taken = words.taken
    # One per row for the order, colour and age; one per row and bit for fruit.
    assert taken == 500 * (1 + 1 + 2 + 1)
    same_answer = table_from_texts(
        {name: [survey().column(name).text(0)] * 500 for name in survey().names}
    )
    run(same_answer, survey_plan(), tmp_path / "other")
    assert words.taken == 2 * taken


def test_that_the_size_of_the_chunks_does_not_change_what_an_attribute_releases(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    plan = survey_plan().with_columns(
        tuple(c for c in survey_plan().columns if c.name in {"colour", "region"})
    )
    table = survey()
    table = SurveyTable((table.column("colour"), table.column("region")), 500, table.reading)
    texts = []
    for rows in (500, 499, 7, 1):
        use(monkeypatch, "SystemWords", lambda: ShakeWords("the same words"))
        use(monkeypatch, "_rows_per_chunk", lambda _, rows=rows: rows)
        released, _ = run(table, plan, tmp_path / str(rows))
        texts.append((tmp_path / str(rows) / "records.csv").read_bytes())
        assert released.attributes[0].tally.reports == 500
    assert texts == [texts[0]] * 4


def test_that_chunks_drawn_side_by_side_are_drawn_as_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    use(monkeypatch, "_rows_per_chunk", lambda _: 60)
    draws = sys.modules["dpdesk.engine.sanitize"]._Draws

    def one_by_one(self, everybody, step, words, sides):
        for start in range(0, 500, step):
            yield self.packed(everybody, slice(start, min(start + step, 500)), words)

    contents, taken = [], []
    for name in ("side by side", "one by one"):
        source = CountedWords(ShakeWords("the same words"))
        use(monkeypatch, "SystemWords", lambda source=source: source)
        run(survey(), survey_plan(), tmp_path / name)
        contents.append((tmp_path / name / "records.csv").read_bytes())
        taken.append(source.taken)
        monkeypatch.setattr(draws, "of_all", one_by_one)
    assert contents[0] == contents[1]
    assert taken[0] == taken[1] == 500 * (1 + 1 + 2 + 1)


@pytest.mark.parametrize("difference", [-1, 1])
def test_that_words_whose_number_depends_on_the_answers_stop_a_release(
    difference: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    use(monkeypatch, "_rows_per_chunk", lambda _: 60)
    real, calls = SymbolOracle.randomize, []

    def uneven(self, codes, words):
        calls.append(words.take(1 + difference * bool(calls)))
        return real(self, codes, words)

    monkeypatch.setattr(SymbolOracle, "randomize", uneven)
    with refused("numbers.uneven-words"):
        sanitize(survey(), survey_plan(), tmp_path, untracked())
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets of 64 records, so that a survey of 500 has several, dealt in two pieces."""
    monkeypatch.setattr(shuffle, "_BUCKET_ROWS", 64)
    monkeypatch.setattr(shuffle, "_DEALT_BYTES", 8 * 300)


@pytest.mark.usefixtures("buckets")
def test_that_records_of_several_buckets_are_those_that_were_counted(tmp_path: Path):
    released, records = run(survey(), survey_plan(), tmp_path)
    again = released_from_records(records, survey_plan())
    for attribute, recounted in zip(released.attributes, again.attributes, strict=True):
        assert attribute.tally.reports == recounted.tally.reports == 500
        assert attribute.tally.counts.tolist() == recounted.tally.counts.tolist()
    region = records.column("region").texts()
    assert Counter(region) == Counter(survey().column("region").texts())
    assert region != survey().column("region").texts()


@pytest.mark.usefixtures("buckets")
def test_that_a_record_stays_whole_in_its_bucket(tmp_path: Path):
    # An epsilon of 40 makes a lie rarer than once in 10^17 reports.
    plan = Plan(columns=(survey_plan().column("colour"), survey_plan().column("region")))
    plan = plan.with_column("colour", mechanism=Grr(epsilon=Decimal(40)))
    table = survey()
    table = SurveyTable((table.column("colour"), table.column("region")), 500, table.reading)
    _, records = run(table, plan, tmp_path)
    pairs = [
        Counter(zip(t.column("colour").texts(), t.column("region").texts(), strict=True))
        for t in (table, records)
    ]
    assert pairs[0] == pairs[1]


@pytest.mark.usefixtures("buckets")
def test_that_several_buckets_take_one_word_more_of_each_record(
    words: CountedWords, tmp_path: Path
):
    asked: list[int] = []
    sanitize(survey(), survey_plan(), tmp_path, untracked(), before_drawing=asked.append)
    assert words.taken == 500 * (2 + 1 + 2 + 1)
    # Room for the buckets is asked for before anything is charged.
    kept_in_order: list[int] = []
    (tmp_path / "kept").mkdir()
    plan = survey_plan(shuffle=False)
    sanitize(survey(), plan, tmp_path / "kept", untracked(), before_drawing=kept_in_order.append)
    assert asked[0] - kept_in_order[0] == 500 * 8


@pytest.mark.usefixtures("buckets")
def test_that_weights_of_several_buckets_go_into_the_counts(tmp_path: Path):
    texts = {"colour": ["red", "blue"] * 250, "w": ["0.1", "0.7", "1.3", "2.9"] * 125}
    plan = Plan(
        columns=(
            survey_plan().column("colour"),
            column("w", kind="weight", role="keep", keep_confirmed=True),
        )
    )
    released, records = run(table_from_texts(texts), plan, tmp_path)
    again = released_from_records(records, plan)
    tally, recounted = (one.attributes[0].tally for one in (released, again))
    assert tally.counts == pytest.approx(recounted.counts)
    assert tally.weight == pytest.approx(125 * 5)


def test_that_weights_go_into_the_counts(tmp_path: Path):
    rows = 300
    texts = {
        "colour": [COLOURS[row % 3] for row in range(rows)],
        "w": ["2,5" if row % 2 else "0,5" for row in range(rows)],
    }
    plan = Plan(
        columns=(
            survey_plan().column("colour"),
            column("w", kind="weight", role="keep", keep_confirmed=True),
        )
    )
    released, _ = run(table_from_texts(texts, decimal=","), plan, tmp_path)
    tally = released.attributes[0].tally
    assert tally.weight == pytest.approx(150 * 3.0)
    assert tally.weight_squares == pytest.approx(150 * (0.25 + 6.25))
    assert tally.counts.sum() == pytest.approx(tally.weight)


def test_that_missing_answers_become_the_declared_category(tmp_path: Path):
    texts = {"colour": ["", "red", "n/a", "green"] * 50}
    missing = MissingPolicy(tokens=("", "n/a"), policy="category", value="none given")
    plan = Plan(columns=(survey_plan().column("colour"),)).with_column("colour", missing=missing)
    # An epsilon of 40 makes a lie rarer than once in 10^17 reports.
    plan = plan.with_column("colour", mechanism=Grr(epsilon=Decimal(40)))
    _, records = run(table_from_texts(texts), plan, tmp_path)
    counted = Counter(records.column("colour").texts())
    assert counted == {"none given": 100, "red": 50, "green": 50}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"confirmed": False}, "domain_unconfirmed"),
        ({"role": "unassigned"}, "unassigned"),
        ({"domain": Categorical(values=("red", "blue"))}, "answers_outside_domain"),
    ],
)
def test_that_nothing_is_drawn_or_written_for_a_plan_with_errors(
    change: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def no_words() -> None:
        raise AssertionError("words were asked for")

    use(monkeypatch, "SystemWords", no_words)
    with pytest.raises(PlanError) as caught:
        sanitize(survey(), survey_plan().with_column("colour", **change), tmp_path, untracked())
    assert code in {problem.code for problem in caught.value.problems}
    assert list(tmp_path.iterdir()) == []


def test_that_enough_room_is_asked_for_before_the_first_word(words: CountedWords, tmp_path: Path):
    # Texts of which no two are alike cannot be written any shorter.
    noise = ShakeWords("texts")
    texts = [f"{noise.take(6).tobytes().hex()}é" for _ in range(500)]
    table = table_from_texts({"colour": survey().column("colour").texts(), "region": texts})
    plan = survey_plan().with_columns(
        (survey_plan().column("colour"), survey_plan().column("region"))
    )
    asked: list[int] = []

    def reserve(size: int) -> None:
        assert words.taken == 0
        asked.append(size)

    sanitize(table, plan, tmp_path, untracked(), before_drawing=reserve)
    kept = sum(len(text.encode()) for text in texts)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= asked[0]
    # Both files hold the texts; what comes with each of them is some bytes.
    assert 2 * kept <= asked[0] <= 2 * kept + 500 * 40


def test_that_an_error_of_the_plan_never_quotes_an_answer(tmp_path: Path):
    texts = {"colour": ["red", "CANARY-4711"]}
    plan = Plan(columns=(survey_plan().column("colour"),))
    with pytest.raises(PlanError) as caught:
        sanitize(table_from_texts(texts), plan, tmp_path, untracked())
    assert "CANARY" not in str(caught.value)


class CancelAt:
    """Cancels at the tick of a number, counted from 0."""

    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0

    @property
    def was_reached(self) -> bool:
        return self._left < 0


@pytest.mark.parametrize("bucket", [1 << 18, 64])
def test_that_a_cancel_at_any_tick_leaves_no_records(
    bucket: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(shuffle, "_BUCKET_ROWS", bucket)
    use(monkeypatch, "_rows_per_chunk", lambda _: 125)
    for number in range(1_000):
        cancel = CancelAt(number)
        try:
            sanitize(survey(), survey_plan(), tmp_path, Tracker(lambda _: None, cancel))
        except Cancelled:
            assert list(tmp_path.iterdir()) == []
        else:
            break
    assert not cancel.was_reached
    # At least one tick per column and chunk.
    assert number > 4 * 5
    assert read_records(tmp_path).rows == 500


def test_that_a_dead_source_of_randomness_leaves_no_records(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    class Dead:
        def __init__(self) -> None:
            self._shake = ShakeWords("")
            self._calls = 0

        def take(self, count: int) -> np.ndarray:
            self._calls += 1
            if self._calls > 3:
                raise ReleaseError("The system's source of randomness failed.")
            return self._shake.take(count)

    use(monkeypatch, "SystemWords", Dead)
    with pytest.raises(ReleaseError, match="randomness failed"):
        sanitize(survey(), survey_plan(), tmp_path, untracked())
    assert list(tmp_path.iterdir()) == []


def test_that_an_existing_file_is_never_overwritten(tmp_path: Path):
    (tmp_path / "records.csv").write_text("somebody's work")
    with pytest.raises(ReleaseError, match=r"records\.csv"):
        sanitize(survey(), survey_plan(), tmp_path, untracked())
    assert (tmp_path / "records.csv").read_text() == "somebody's work"


def test_that_what_is_released_holds_no_true_answers(tmp_path: Path):
    released, _ = run(survey(), survey_plan(), tmp_path)
    assert "ID-0000" not in repr(released)
