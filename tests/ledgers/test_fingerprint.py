from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts
from dpdesk.ledgers import fingerprint as fingerprint_module
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.fingerprint import cell_digests, fingerprint_of, normal_form

KEY = LedgerKey(b"k" * 32)
Texts = dict[str, list[str]]

BASE: Texts = {
    "person": ["ann", "bob", "cid", "dan", "eve"],
    "colour": ["red", "blue", "red", "red", "blue"],
    "age": ["31", "44", "18", "18", "60"],
}


def digest(table: SurveyTable, key: LedgerKey = KEY) -> str:
    return fingerprint_of(cell_digests(table, key), key)


def of_texts(texts: Texts) -> str:
    return digest(table_from_texts(texts))


def in_order(texts: Texts, order: list[int]) -> Texts:
    return {name: [column[i] for i in order] for name, column in texts.items()}


SAME: dict[str, Callable[[Texts], Texts]] = {
    "order of rows": lambda t: in_order(t, [3, 1, 4, 0, 2]),
    "order of columns": lambda t: dict(reversed(t.items())),
    "names of columns": lambda t: {f"q{i}": c for i, c in enumerate(t.values())},
    "blanks around answers": lambda t: {n: [f" {x} " for x in c] for n, c in t.items()},
    "zeros after the point": lambda t: t | {"age": [f"{x}.00" for x in t["age"]]},
}
OTHER: dict[str, Callable[[Texts], Texts]] = {
    "a row less": lambda t: in_order(t, [0, 1, 2, 3]),
    "a row twice": lambda t: in_order(t, [0, 1, 2, 3, 4, 4]),
    "a row twice for another": lambda t: in_order(t, [0, 1, 2, 3, 3]),
    "an answer changed": lambda t: t | {"age": ["31", "44", "18", "18", "61"]},
    "answers of two people exchanged": lambda t: t | {"age": ["44", "31", "18", "18", "60"]},
    "a column less": lambda t: {n: t[n] for n in ("person", "age")},
    "a column twice": lambda t: t | {"again": t["age"]},
    "an empty column more": lambda t: t | {"empty": [""] * 5},
    "capitals": lambda t: t | {"person": ["Ann", *t["person"][1:]]},
    "leading zeros": lambda t: t | {"age": [f"0{x}" for x in t["age"]]},
}


@pytest.mark.parametrize("change", SAME)
def test_that_what_says_nothing_does_not_matter(change: str):
    assert of_texts(SAME[change](BASE)) == of_texts(BASE)


@pytest.mark.parametrize("change", OTHER)
def test_that_another_table_has_another_fingerprint(change: str):
    assert of_texts(OTHER[change](BASE)) != of_texts(BASE)


def test_that_a_swap_within_rows_counts_as_the_same_people():
    # As documented: a row is the multiset of its cells.
    swapped = BASE | {"person": BASE["colour"], "colour": BASE["person"]}
    partly = BASE | {
        "person": ["red", *BASE["person"][1:]],
        "colour": ["ann", *BASE["colour"][1:]],
    }
    assert of_texts(swapped) == of_texts(partly) == of_texts(BASE)


def test_that_without_the_key_a_fingerprint_tells_nothing():
    table = table_from_texts(BASE)
    assert digest(table, LedgerKey(b"x" * 32)) != digest(table)


def test_that_csv_and_parquet_of_one_table_are_one(tmp_path: Path):
    table = pa.table(
        {
            "n": pa.array([1.0, 2.5, 3.0]),
            "k": pa.array([10, 20, 30]),
            "text": pa.array(["b", "a, c", "ü"]),
        }
    )
    pa.parquet.write_table(table, tmp_path / "t.parquet")
    back = pa.parquet.read_table(tmp_path / "t.parquet")
    columns = tuple(
        TextColumn.from_arrow(name, back[name].cast("string").combine_chunks().dictionary_encode())
        for name in back.column_names
    )
    (tmp_path / "t.csv").write_text('text,n,k\n"ü",3,30\nb,1,10\n"a, c",2.5,20\n', "utf-8")
    (tmp_path / "t2.csv").write_text("k;n;text\n10;1,0;b\n20;2,50;a, c\n30;3,00;ü\n", "latin-1")
    comma = load(tmp_path / "t2.csv", delimiter=";", decimal=",", encoding="latin-1")
    found = {digest(t) for t in (SurveyTable(columns, 3), load(tmp_path / "t.csv"), comma)}
    assert len(found) == 1


def test_that_the_order_of_a_dictionary_and_its_unused_answers_do_not_matter():
    plain = table_from_texts({"a": ["x", "y", "x"]})
    codes = np.array([2, 0, 2], dtype=np.int32)
    other = TextColumn("a", codes, pa.array(["y", "unused", "x"]))
    assert digest(SurveyTable((other,), 3, plain.reading)) == digest(plain)


def test_that_the_cut_into_pieces_does_not_matter(monkeypatch: pytest.MonkeyPatch):
    texts = {"a": [str(n * n) for n in range(100)], "b": [str(n % 7) for n in range(100)]}
    whole = of_texts(texts)
    monkeypatch.setattr(fingerprint_module, "_PIECE", 7)
    assert of_texts(texts) == whole


@pytest.mark.parametrize(
    ("text", "decimal", "normal"),
    [
        ("1", ".", "1"),
        ("1.0", ".", "1"),
        ("1.", ".", "1"),
        ("10.50", ".", "10.5"),
        ("100", ".", "100"),
        ("-0.50", ".", "-0.5"),
        ("1,0", ",", "1"),
        ("1,0", ".", "1,0"),
        ("1,000.50", ".", "1,000.50"),
        ("007", ".", "007"),
        ("1.2.0", ".", "1.2.0"),
        ("a.0", ".", "a.0"),
        (" yes\t", ".", "yes"),
        ("", ".", ""),
    ],
)
def test_that_a_normal_form_writes_the_same_number(text: str, decimal: str, normal: str):
    assert normal_form(text, decimal) == normal


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_that_two_texts_become_one_only_if_they_are_one_number(number):
    written = format(number, "f")
    assert float(normal_form(written)) == float(number)
    assert normal_form(written + "00") == normal_form(written)


small_tables = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from("01")),
    min_size=1,
    max_size=6,
)


@given(small_tables, small_tables)
def test_that_fingerprints_are_equal_exactly_where_multisets_of_rows_are(one, two):
    def table(rows) -> Texts:
        return {f"c{i}": [row[i] for row in rows] for i in range(3)}

    # Each column has answers of its own, so that a row is told by its set of cells.
    assert (of_texts(table(one)) == of_texts(table(two))) == (sorted(one) == sorted(two))


def test_that_a_file_that_is_in_a_ledger_is_known_after_every_update():
    """By the definition, in whole numbers: ledgers keep fingerprints for years."""
    secret = KEY.secret

    def derived(purpose: str, size: int = 32) -> bytes:
        return blake2b(purpose.encode(), key=secret, digest_size=size).digest()

    def words(content: bytes) -> list[int]:
        return [int.from_bytes(content[i : i + 8], "little") for i in range(0, len(content), 8)]

    def finished(word: int, first: int, second: int) -> int:
        word = (word ^ word >> 33) * first % 2**64
        word = (word ^ word >> 33) * second % 2**64
        return word ^ word >> 33

    odd = [word | 1 for word in words(derived("rows", 64))]
    total = [0, 0]
    for row in zip(*BASE.values(), strict=True):
        cells = [
            words(blake2b(c.encode(), key=derived("cells"), digest_size=16).digest()) for c in row
        ]
        one, two = (sum(cell[i] for cell in cells) % 2**64 for i in (0, 1))
        first = finished(one ^ (two << 32 | two >> 32) % 2**64, odd[0], odd[1])
        second = finished((two + first * odd[4]) % 2**64, odd[2], odd[3])
        first = finished((first + second * odd[5]) % 2**64, odd[6], odd[7])
        total = [(total[0] + first) % 2**64, (total[1] + second) % 2**64]
    content = f"5 3 {total[0]} {total[1]}".encode()
    expected = blake2b(content, key=derived("table"), digest_size=16).hexdigest()
    assert of_texts(BASE) == expected
