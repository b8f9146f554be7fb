from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

import numpy as np
import pytest

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.column_names import (
    may_name_a_person,
    may_name_a_weight,
    names_a_person,
    names_a_weight,
)
from dpdesk.data.number_texts import read_numbers
from dpdesk.data.read_file import load
from dpdesk.data.reading import Reading
from dpdesk.data.sample import load_sample
from dpdesk.data.suggest import ColumnSuggestion, suggest_column
from dpdesk.data.suggested_grid import GRID_POINTS, integer_domain, real_domain
from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts
from dpdesk.data.texts import T
from dpdesk.domains import Categorical, Integer, Real, parse_number
from dpdesk.plan import draft_table


def suggest(table: SurveyTable) -> tuple[ColumnSuggestion, ...]:
    return tuple(suggest_column(column, table.reading) for column in table.columns)


def draft(
    texts: Sequence[str], name: str = "q", decimal: Literal[".", ","] = "."
) -> ColumnSuggestion:
    return suggest_column(TextColumn.from_texts(name, texts), Reading(decimal=decimal))


def categories(*values: str) -> Categorical:
    return Categorical(values=values)


def test_that_the_sample_is_drafted_as_its_codebook_has_it_but_for_what_codes_cannot_tell():
    kinds = {draft.name: draft.kind for draft in suggest(load_sample())}
    assert kinds == {
        "rate_marriage": "ordinal",
        "age": "ordinal",
        "yrs_married": "ordinal",
        "children": "ordinal",
        "religious": "ordinal",
        "educ": "nominal",
        "occupation": "ordinal",
        "occupation_husb": "ordinal",
        "affairs": "real",
    }
    drafts = {draft.name: draft for draft in suggest(load_sample())}
    assert drafts["age"].domain == categories("17.5", "22", "27", "32", "37", "42")
    affairs = drafts["affairs"].domain
    assert isinstance(affairs, Real)
    assert (affairs.lower, affairs.size <= GRID_POINTS) == (0, True)
    assert affairs.upper >= Decimal("57.5999908")
    assert not any(draft.has_missing for draft in drafts.values())


def test_that_two_answers_are_binary_and_the_empty_cell_is_missing():
    seen = draft(["yes", "no", "", "yes"])
    assert (seen.kind, seen.domain) == ("binary", categories("no", "yes"))
    assert seen.has_missing
    assert draft(["1", "0", "1"]).domain == categories("0", "1")


def test_that_only_blank_cells_are_taken_for_missing():
    seen = draft(["NA", "-9", "99", "a", " ", ""])
    assert seen.has_missing
    assert seen.domain == categories("-9", "99", "a")
    assert seen.suspected == ("NA",)
    # Where too little is left, what looks like codes may be all there is.
    assert draft(["NA", "refused", "a"]).domain == categories("NA", "a", "refused")


@pytest.mark.parametrize("texts", [[], [""], ["", " "], ["x", "x", ""], ["1"] * 50])
def test_that_fewer_than_two_answers_give_no_domain(texts: list[str]):
    seen = draft(texts)
    assert (seen.kind, seen.domain) == ("nominal", None)
    assert "No domain" in seen.reason


def test_that_few_numbers_are_a_scale_or_codes_in_numeric_order():
    scale = draft([str(value) for value in range(10, 0, -1)] * 3)
    assert scale.kind == "ordinal"
    assert scale.domain == categories(*map(str, range(1, 11)))
    codes = draft(["9", "10", "1", "99"] * 3)
    assert codes.kind == "nominal"
    assert codes.domain == categories("1", "9", "10")
    assert codes.suspected == ("99",)
    codes = draft(["3", "10", "1", "57"] * 3)
    assert codes.kind == "nominal"
    assert codes.domain == categories("1", "3", "10", "57")


def test_that_many_whole_numbers_are_integers_with_their_range():
    ages = draft([str(18 + row % 70) for row in range(1000)])
    assert (ages.kind, ages.domain) == ("integer", Integer(lower=18, upper=87))
    wide = draft([str(row * row) for row in range(100)] * 2)
    assert isinstance(wide.domain, Integer)
    assert (wide.domain.lower, wide.domain.upper, wide.domain.step) == (0, 9805, 5)


def test_that_fractions_are_reals_with_the_decimal_mark_of_the_file():
    decimals: tuple[Literal[".", ","], ...] = (".", ",")
    for decimal in decimals:
        seen = draft([f"{row / 10}".replace(".", decimal) for row in range(100)], decimal=decimal)
        assert seen.kind == "real"
        assert seen.domain == Real(
            lower=Decimal("0"), upper=Decimal("9.9"), resolution=Decimal("0.1")
        )
    asked = draft([f"{row / 10}".replace(".", ",") for row in range(100)])
    assert asked.domain is None
    assert asked.reason == T.OTHER_MARKS()


def test_that_numbers_with_few_other_texts_stay_numbers_and_the_texts_are_told():
    seen = draft([str(18 + row % 70) for row in range(1000)] + ["NA"] * 30)
    assert (seen.kind, seen.domain) == ("integer", Integer(lower=18, upper=87))
    assert T.SUSPECTED(count=1) in seen.reason
    assert seen.suspected == ("NA",)
    assert not seen.has_missing
    seen = draft([str(18 + row % 70) for row in range(1000)] + ["old"] * 30)
    assert (seen.kind, seen.domain) == ("integer", Integer(lower=18, upper=87))
    assert seen.reason == T.OTHER_TEXTS(count=1)


def test_that_columns_in_which_answers_hardly_repeat_are_identifiers():
    assert draft([str(row) for row in range(1000)]).kind == "identifier"
    told = draft([str(row) for row in range(1000)]).reason
    assert told == T.NUMBERED(count=1000, answers=1000)
    assert draft([f"person {row}" for row in range(1000)]).kind == "identifier"
    assert draft([f"{row:05d}" for row in range(1000)]).kind == "identifier"
    assert draft([f"text {row % 1500}" for row in range(100_000)]).kind == "identifier"
    assert draft(["x" * 300, "y", "z"] * 30).kind == "identifier"
    assert draft([f"{row / 7:.4f}" for row in range(1000)]).kind == "real"
    assert draft([str(row) for row in range(1000)]).domain is None


@pytest.mark.parametrize("codes", [["-999999"], ["9999999"], ["-999999", "9999999"], ["-99"]])
def test_that_amounts_that_all_differ_are_no_identifier_where_some_are_codes(codes: list[str]):
    amounts = [str(900 + 37 * row) for row in range(200)]
    assert draft(amounts).kind == "identifier"
    seen = draft([*amounts, *codes * 3])
    assert (seen.kind, set(seen.suspected)) == ("integer", set(codes))
    assert seen.domain.plain_bounds[0] == 900
    assert 0 <= seen.domain.plain_bounds[1] - int(amounts[-1]) < 10
    # Decided to mean no answer, they still tell that the numbers are amounts.
    texts = TextColumn.from_texts("c", [*amounts, *codes * 3])
    decided = suggest_column(texts, missing=texts.among(codes))
    assert (decided.kind, decided.domain) == (seen.kind, seen.domain)


def test_that_of_amounts_among_many_texts_it_is_said_what_to_declare():
    amounts, texts = [f"{row / 7:.4f}" for row in range(1000)], [f"text {row}" for row in range(9)]
    found = draft([*amounts, *texts])
    assert found.kind == "identifier"
    assert T.MOSTLY_NUMBERS() in found.reason
    assert "numbers" not in draft([*amounts[:9], *(f"text {row}" for row in range(1000))]).reason


def test_that_the_name_of_a_column_counts_where_answers_differ():
    assert draft([str(row // 3) for row in range(90)], name="hh_id").kind == "identifier"
    assert draft([f"a{row % 20}@x.org" for row in range(90)], name="E-mail").kind == "identifier"
    assert draft(["often", "never", "daily"] * 30, name="phone").kind == "nominal"
    assert draft(["1", "2", "3"] * 30, name="id").kind == "ordinal"


def test_that_no_number_of_a_person_has_fractions():
    amounts = [f"{row % 150}.{row % 7}" for row in range(300)]
    assert draft(amounts, "Delta 15 N (o/oo)").kind == "real"
    assert draft([str(3 * row) for row in range(300)], "No").kind == "identifier"


def test_that_survey_weights_are_told_from_the_weight_of_a_body():
    fractions = [f"{0.5 + row / 100}" for row in range(100)]
    kilograms = [f"{50 + row / 10}" for row in range(100)]
    assert draft(fractions, name="weight").kind == "weight"
    assert draft(kilograms, name="weight").kind == "real"
    assert draft(kilograms, name="pspwght").kind == "weight"
    # Weights are no answers: a cell that looks like a code is a wrong weight, which `check` says.
    assert draft([*fractions, "-1"], name="pspwght").kind == "weight"
    assert draft([*fractions, "-0.37"], name="pspwght").kind == "real"
    assert draft(fractions, name="weight").domain is None


def test_that_codes_with_leading_zeros_are_categories_of_text():
    seen = draft(["01", "02", "10"] * 20)
    assert seen.domain == categories("01", "02", "10")
    assert seen.kind == "nominal"


@pytest.mark.parametrize("name", ["postcode", "zip", "PLZ", "postal_code", "HomeZip"])
@pytest.mark.parametrize("least", [1_067, 10_067])
def test_that_postcodes_are_categories_in_a_file_of_any_size(name: str, least: int):
    codes = [f"{code:05}" for code in range(least, 99_999, 31)]
    few = [f"{code:05}" for code in range(least, 99_999, 990)]
    for pool in (codes, few):
        for rows in (10, 30, 300, 3_000, 30_000):
            found = draft([pool[row * 7_919 % len(pool)] for row in range(rows)], name=name)
            assert found.kind == "nominal", rows
            # So many categories, most of them one respondent's, are not suggested.
            assert (found.domain is None) == (rows > 20 and (pool is codes or rows == 30))
            told = getattr(found.reason, "id", "")
            assert told == "data.many-codes" or found.domain is not None
            assert not any(code in found.reason for code in pool[:rows])


def test_that_it_is_told_how_few_give_a_postcode_or_how_many_there_are():
    # 49 of these 51 are given twice: it would be untrue that most occur once.
    pairs = [f"{1_000 + row // 2}" for row in range(98)] + ["2000", "2001"]
    many = [f"{1_000 + row % 1_001}" for row in range(3_003)]
    told = [draft(codes, name="zip").reason for codes in (pairs, many)]
    assert told[0] == T.MANY_CODES(count=51, answers=100)
    assert told[1] == T.MANY_CODES(count=1001, answers=3003)


def test_that_repeated_codes_with_leading_zeros_are_categories_in_a_file_of_any_size():
    for rows in (30, 300, 3_000, 30_000):
        pool = [f"{code:06}" for code in range(1, 999_999, 999_999 * 10 // (9 * rows))]
        assert draft([pool[row % len(pool)] for row in range(rows)]).kind == "nominal"
    # Numbers of respondents never repeat.
    assert draft([f"{row:06}" for row in range(300)]).kind == "identifier"
    # Amounts of equal width are numbers: nothing in them says that they are codes.
    assert draft([f"{20_000 + row * 77 % 5_000}" for row in range(9_000)]).kind == "integer"


@pytest.mark.parametrize("share", [0.02, 0.4, 0.5, 0.9])
@pytest.mark.parametrize(
    "write_otherwise",
    [lambda amount: f"{amount:.2f}".replace(".", ","), lambda amount: f"{amount:,.2f}"],
    ids=["decimal comma", "grouped"],
)
def test_that_numbers_in_several_ways_are_numbers_and_no_identifiers(
    share: float, write_otherwise: Callable[[float], str]
):
    amounts = [1_000 + row * 37.13 % 8_000 for row in range(300)]
    first = [f"{amount:.2f}" for amount in amounts]
    second = [write_otherwise(amount) for amount in amounts]
    otherwise = int(300 * share)
    found = draft([*second[:otherwise], *first[otherwise:]])
    assert found.kind == "real"
    if share < 0.8:
        assert found.reason == T.NUMBERS_UNLIKE(count=otherwise, answers=300)
        assert (found.domain is None) == (share > 0.2)
    assert not any(text in found.reason for text in (*first, *second))


def test_that_every_suggested_domain_encodes_every_answer_that_is_not_missing():
    table = load_sample()
    assert [seen.name for seen in suggest(table)] == list(table.names)
    for seen in suggest(table):
        column = table.column(seen.name)
        assert column.distinct
        assert seen.domain is not None
        assert not seen.domain.outside(column.distinct).any()
        assert (seen.domain.encode(column.distinct) >= 0).all()


def test_that_reasons_hold_no_answer():
    answers = ["SECRETa", "SECRETb", "SECRETc"]
    assert "SECRET" not in draft(answers * 10).reason
    assert "SECRET" not in draft([*map(str, range(100)), *answers]).reason


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (0, 1999, (0, 1999, 1)),
        (0, 2000, (0, 2000, 2)),
        (1, 10_000, (0, 10_000, 10)),
        (-7, 20_000, (-20, 20_000, 20)),
    ],
)
def test_that_an_integer_grid_has_at_most_two_thousand_points(
    lower: int, upper: int, expected: tuple[int, int, int]
):
    domain = integer_domain(lower, upper)
    assert (domain.lower, domain.upper, domain.step) == expected
    assert domain.size <= GRID_POINTS


def test_that_a_real_grid_is_never_finer_than_the_numbers():
    domain = real_domain(0.078, 2.42, 3)
    assert domain.resolution == Decimal("0.002")
    assert domain.size <= GRID_POINTS
    assert real_domain(1.5, 3.25, 2).resolution == Decimal("0.01")
    assert real_domain(0.25, 457_321.75, 2).texts[1] == "500"


def test_that_texts_are_numbers_exactly_where_the_domains_say_so():
    texts = ["1", "+1", "-1.50", ".5", "5.", "1e3", "1,5", " 7 ", "", ".", "nan", "inf", "0x1"]
    texts += ["1_000", "１", "--1", "1 2", "1e", "\t8\u00a0", "9" * 65, "1.2.3", "1.2,3"]
    decimals: tuple[Literal[".", ","], ...] = (".", ",")
    for decimal in decimals:
        found = read_numbers(TextColumn.from_texts("q", texts).dictionary, decimal)
        for text, value in zip(texts, found.values, strict=True):
            expected = parse_number(text, decimal)
            assert (None if np.isnan(value) else value) == expected, text


def test_that_decimals_and_padding_are_seen():
    def of(*texts: str):
        return read_numbers(TextColumn.from_texts("q", texts).dictionary, ".")

    assert (of("1", "2").decimals, of("1.50", "2.000").decimals) == (0, 1)
    assert (of("0.125").decimals, of("1e3").decimals, of("x").decimals) == (3, 9, 0)
    assert (of("0", "0.5").padded, of("007").padded, of("x").padded) == (False, True, False)


def test_that_names_are_read_word_by_word():
    assert all(map(names_a_person, ["RespID", "case_id", "e-mail", "Phone number", "lastName"]))
    assert not any(map(names_a_person, ["residence", "paid", "opinion", "emailed_us_often2"]))
    assert may_name_a_person("ID")
    assert not may_name_a_person("idea")
    assert all(map(names_a_weight, ["pspwght", "survey_weight", "finalWgt"]))
    assert may_name_a_weight("WT")
    assert not may_name_a_weight("weighted_opinion")


def test_that_drafting_never_looks_at_the_text_of_a_row(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> str:
        raise AssertionError("the text of a row was asked for")

    monkeypatch.setattr(TextColumn, "text", refuse)
    monkeypatch.setattr(TextColumn, "texts", refuse)
    rows = np.tile(np.arange(5, dtype=np.int32), 1000)
    column = TextColumn("q", rows, TextColumn.from_texts("q", list("abcde")).dictionary)
    assert suggest_column(column).domain == categories(*"abcde")


def test_that_real_tables_are_drafted(shared_data):
    kinds = {d.name: d.kind for d in suggest(load(shared_data / "adult.csv"))}
    assert kinds["age"] == "integer"
    assert kinds["sex"] == kinds["salary"] == "binary"
    assert kinds["native-country"] == "nominal"
    drafts = {d.name: d for d in suggest(load(shared_data / "nigeria.csv"))}
    kinds = {name: d.kind for name, d in drafts.items()}
    assert (kinds["Quesid"], kinds["rr.q1"], kinds["cov.age"]) == (
        "identifier",
        "binary",
        "integer",
    )
    assert drafts["rr.q1"].suspected == ("NA",)


def test_that_the_decimal_mark_of_the_file_is_used():
    table = table_from_texts({"q": [f"{row},5" for row in range(100)]}, decimal=",")
    assert suggest(table)[0].kind == "real"


def test_that_a_column_with_a_short_name_is_a_weight_by_its_label():
    fractions = TextColumn.from_texts("w", [str(round(0.4 + 0.01 * i, 2)) for i in range(90)])
    assert suggest_column(fractions).kind == "real"
    for label in ("Survey weight", "Design weight, trimmed", "Weight"):
        found = suggest_column(fractions, said=ColumnDescription(label=label))
        assert (found.kind, found.domain) == ("weight", None)
        assert found.reason in (T.HOLDS_WEIGHTS(), T.LIKE_WEIGHTS())
    kilograms = TextColumn.from_texts("w", [f"{45 + i / 2}" for i in range(90)])
    assert suggest_column(kilograms, said=ColumnDescription(label="Weight in kg")).kind == "real"


def test_that_numbers_with_fractions_are_no_postcodes_whatever_the_name_of_the_column_says():
    found = draft([f"{row / 8 + 1_000:.3f}" for row in range(300)], name="zip_income")
    assert found.kind == "real"
    # As a spreadsheet writes them.
    assert draft([f"{code}.0" for code in range(10_115, 10_145)] * 9, name="PLZ").kind == "nominal"


DESIGN = [
    *("psu", "PSU", "psu_id", "stratum", "strata", "SDMVPSU", "SDMVSTRA", "vstrat", "cluster_id"),
    *("strate", "grappe", "unité primaire", "Schichtung", "Primäreinheit", "Klumpen"),
    *("estrato", "UPM", "UPA", "conglomerado", "sampling_unit", "sample point"),
    *("stratid", "psuid", "StratumID", "clusterid", "upaid"),
]
WEIGHTS = [
    *("pspwght", "weight_final", "pondération", "coef_ponderation", "Gewichtungsfaktor"),
    *("ponderação", "peso amostral", "fator_expansao", "factor_de_expansion", "ponderador"),
    *("bsrw1", "jkw_12", "brr_1", "BRRW3", "wtrep01"),
    *("WTINT2YR", "PWGTP12", "repwt3", "Designgewicht"),
]
RECORD = [
    *("gps-Latitude", "gps_lon longitude", "DeviceID", "device_id", "SubmitterName"),
    *("form_version", "interviewer_id", "instanceID", "ip address", "coordonnées"),
]


@pytest.mark.parametrize("name", [*DESIGN, *RECORD])
def test_that_columns_of_the_design_and_the_record_are_left_out(name: str):
    for texts in (["1", "2", "3"] * 20, [f"{row}.5" for row in range(60)], ["a", "b"] * 30):
        seen = draft(texts, name)
        assert (seen.kind, seen.domain) == ("identifier", None)
        assert "no answer" in seen.reason or "identifies" in seen.reason
    assert draft([], name).kind == "identifier"


@pytest.mark.parametrize("name", WEIGHTS)
def test_that_weights_are_recognised_by_name_also_where_some_have_none(name: str):
    weights = [f"{0.5 + row / 50:.2f}" for row in range(60)]
    for texts in (weights, ["0", *weights], ["", *weights], ["NA", *weights], ["3", "4"] * 30):
        assert draft(texts, name).kind == "weight"


@pytest.mark.parametrize(
    "name", ["Do you use GPS in your car?", "strategy", "How long is your shift, in hours?", "age"]
)
def test_that_a_question_is_no_column_of_the_design(name: str):
    assert draft(["1", "2", "3"] * 20, name).kind == "ordinal"


def test_that_labels_of_a_file_make_no_answers_of_its_design():
    table = table_from_texts({"v021": ["1", "2", "3"] * 9, "stratum": ["1", "2"] * 13 + ["1"]})
    values = {"1": "north", "2": "south", "3": "west"}
    described = {
        "v021": ColumnDescription(label="Primary sampling unit", values=values),
        "stratum": ColumnDescription(values=values),
    }
    plan = draft_table(replace(table, described=described))
    assert [(column.kind, column.role) for column in plan.columns] == [("identifier", "drop")] * 2
