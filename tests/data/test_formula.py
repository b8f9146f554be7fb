"""Formulas of regressions: a closed language, with the matrices of formulaic."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import formulaic
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.cli.main import main
from dpdesk.data.formula import parse_formula
from dpdesk.data.model_matrix import COVARIATES_MAX, model_matrix
from dpdesk.data.table import table_from_texts
from dpdesk.errors import InputError, ParameterError
from tests.refusals import refused

ROWS = 24
_GENERATOR = np.random.default_rng(5)
TEXTS = {
    "age": [str(20 + 3 * i) for i in range(ROWS)],
    "income": [f"{x:.2f}" for x in _GENERATOR.uniform(1, 9, ROWS)],
    "region": list(_GENERATOR.permutation(["north", "south", "east"] * 8)),
    "sex": list(_GENERATOR.permutation(["f", "m"] * 12)),
    "job": list(_GENERATOR.permutation(["b", "a", "c", "d"] * 6)),
    "code": list(_GENERATOR.permutation(["2", "10", "1"] * 8)),
    "same": ["x"] * ROWS,
}
TABLE = table_from_texts(TEXTS)
ALL = np.ones(ROWS, dtype=np.bool_)
NUMBERS = ("age", "income", "code")

# What people write.
ORDINARY = """
age | age + region | region + age | region | 0 + region | 0 + region + sex
region*sex | region:sex | 0 + region:sex | age:region | age*region | region:age | 0 + age:region
age + age:region | region*sex*job | region:sex:job | sex + region:sex | region + region:sex
C(region) | C(code) | C(age) | 0 + C(code) | C(code):age | C(code):code | C(region) + region
age + age | age:age | age*age | 1 | 1 + age | age:income:region | region:region | same + age
0 + same | region + sex + age + region:sex + age:region | sex:region + region:sex
age + `income` + `region` | C( code )*sex
""".replace("\n", "|").split("|")
ORDINARY = [formula for formula in map(str.strip, ORDINARY) if formula]


def oracle(formula: str) -> tuple[tuple[str, ...], Any]:
    """Names and values of formulaic, which evaluates what it is given."""
    frame = pd.DataFrame(
        {name: np.array(t, float) if name in NUMBERS else t for name, t in TEXTS.items()}
    )
    matrix = formulaic.model_matrix(formula, frame, na_action="raise")
    # A whole number that was given as 2.0 is the category 2 here.
    names = tuple(re.sub(r"(\d)\.0\]", r"\1]", str(name)) for name in matrix.columns)
    return names, np.asarray(matrix, dtype=np.float64)


def agrees(formula: str) -> bool:
    names, values = model_matrix(TABLE, formula, ALL, ".")[:2]
    expected_names, expected = oracle(formula)
    # A sign behind a power is put in parentheses by some versions of Python.
    plain = tuple(name.replace("(-1)", "-1") for name in names)
    assert plain == tuple(name.replace("(-1)", "-1") for name in expected_names)
    np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)
    return True


@pytest.mark.parametrize("formula", ORDINARY)
def test_that_an_ordinary_formula_has_the_columns_of_formulaic(formula: str) -> None:
    assert agrees(formula)


FORMULAS = st.lists(
    st.lists(
        st.sampled_from(["age", "income", "region", "sex", "job", "C(code)"]),
        min_size=1,
        max_size=3,
    ).flatmap(lambda names: st.sampled_from([":".join(names), "*".join(names)])),
    min_size=1,
    max_size=3,
).map(" + ".join)


@given(FORMULAS)
@settings(max_examples=150)
def test_that_sums_products_and_powers_have_the_columns_of_formulaic(formula: str) -> None:
    assert agrees(formula)


ESCAPES = [
    "__import__('os').system('id > f')",
    "age + I(age*0+__import__('os').system('id > f'))",
    "I(age.__class__)",
    "I(().__class__.__base__.__subclasses__())",
    "age.__class__",
    "np.os.system('id')",
    "np.f2py.os.system('id')",
    "I(np.load('f'))",
    "np.load(age)",
    "I([x for x in (1,)][0])",
    "I((lambda: 1)())",
    "lambda: age",
    "I(age if age else age)",
    "I(age := 1)",
    "I(f'{age}')",
    "I('{0.__class__}'.format(age))",
    "Q('age')",
    'Q("age")',
    'Q("age\\"+__import__(\'os\')")',
    "`age` + `__import__('os')`",
    "`age`.__class__",
    "`age`; import os",
    "`age``income`",
    "`",
    "``",
    "`age",
    "{age}",
    "{1: age}",
    "[age]",
    "age[0]",
    "I(age[0])",
    "I(age; age)",
    "age\n__import__('os')",
    "eval('age')",
    "I(eval('age'))",
    "exec('1')",
    "open('f')",
    "I(open('f','w'))",
    "getattr(age, 'x')",
    "globals()",
    "vars()",
    "bs(age, df=4)",
    "cr(age)",
    "hashed(region)",
    "lag(age)",
    "contr.sum",
    "C(region, contr.sum)",
    "C(region, Treatment('south'))",
    "C(__import__('os'))",
    "C('region')",
    "poly(age, degree=2)",
    "poly(age, 2, raw=True)",
    "poly(age, 10**9)",
    "poly(age, 11)",
    "poly(age, 0)",
    "poly(age, -1)",
    "log(age, 2)",
    "log()",
    "log",
    "I()",
    "I(2)",
    "C(2)",
    "said ~ age",
    "~ age",
    "age | region",
    "age || region",
    "age %in% region",
    "age in region",
    ".",
    "2*age",
    "2:age",
    "age**2.5",
    "age**-1",
    "age^region",
    "age**1000000000",
    "I(age//2)",
    "I(age%2)",
    "I(age>30)",
    "I(age==30)",
    "I(~age)",
    "I(age@age)",
    "I(1_0*age)",
    "I(0x10*age)",
    "I(1j*age)",
    "I(１*age)",
    "I(١*age)",
    "I(nan*age)",
    "I(inf*age)",
    "ａｇｅ",
    "аge",
    "age\u200b",
    "age\u00a0+ ｅval('1')",
    "ｅｖａｌ('1')",
    "__ｉmport__('os')",
    "age＋region",
    "age #",
    "age \\",
    "\x00",
    "age\x00",
    "'age'",
    '"age"',
    "$age",
    "@age",
    "age!",
    "age?",
    "age +",
    "age *",
    "age :",
    "(age",
    "age)",
    "()",
    "I(age",
    "(((((((((((",
    "+",
    "-",
    "0",
    "-1",
    "0*age",
    "age:0",
    "",
    "   ",
    "age age",
    "nothing",
    "Age",
    "age.years",
]


def watched(read: Callable[[], Any]) -> Any:
    """What a function returns; fails if a program is made of a text meanwhile."""
    reached: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("eval", "exec", "compile"):
            usual = getattr(builtins, name)
            patch.setattr(
                builtins, name, lambda *a, _n=name, _f=usual, **k: reached.append(_n) or _f(*a, **k)
            )
        try:
            return read()
        finally:
            patch.undo()
            assert not reached


@pytest.mark.parametrize("formula", ESCAPES)
def test_that_everything_else_is_refused_with_its_place(formula: str) -> None:
    with refused("data.bad-formula") as caught:
        watched(lambda: model_matrix(TABLE, formula, ALL, "."))
    assert caught.value.remedy
    assert len(caught.value.message) < 200


def test_that_the_place_is_that_of_the_first_wrong_sign() -> None:
    for formula, place in (("age + income + eval('1')", 16), ("age + region % 2", 14)):
        with refused("data.bad-formula", position=place):
            model_matrix(TABLE, formula, ALL, ".")


@given(st.text(alphabet=st.sampled_from("age`()+-:*^ 012.,I_'\"[]{}\\\n;=~|C\u0661"), max_size=30))
@settings(max_examples=400)
def test_that_any_text_is_a_matrix_or_a_refusal(formula: str) -> None:
    try:
        names, values = model_matrix(TABLE, formula, ALL, ".")[:2]
    except (ParameterError, InputError):
        return
    assert values.shape == (ROWS, len(names))


@pytest.mark.parametrize(
    "formula",
    [
        "*".join(TABLE.names) + "*C(code)*C(age)",
        " + ".join(
            ["age*region*sex*job*code*same*income", "*".join(f"C({n})" for n in TABLE.names)]
        ),
        "age" + " + age" * 5000,
    ],
)
def test_that_formulas_beyond_their_limits_are_refused_at_once(formula: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_formula(formula, TABLE.names)
    assert caught.value.id in ("data.bad-formula", "data.long-formula")


def test_that_a_matrix_wider_than_any_regression_is_refused_before_it_is_made() -> None:
    texts = {name: [str(i % 40) + "x" for i in range(80)] for name in ("a", "b", "c", "d")}
    table = table_from_texts(texts)
    with refused("data.wide-formula", rows=80, most=COVARIATES_MAX):
        model_matrix(table, "a*b*c*d", np.ones(80, dtype=np.bool_), ".")


ODD = [
    *("cov.age", "na me", "a+b", "1st", "é", "age-1", "x:y", "log(x)", "I", "C", "log", "np"),
    *("0", "1", "2020", "1e5", "a`b", "'q'", '"q"', "{x}", "[0]", "+", "-", ".", "a\tb", "<b>"),
    *("__import__('os')", "_", "lambda", "None", "Intercept", "a" * 900),
]


@pytest.mark.parametrize("name", ODD)
def test_that_a_column_of_any_name_can_be_used(name: str) -> None:
    table = table_from_texts({name: [str(i) for i in range(9)], "z": ["u", "v", "w"] * 3})
    rows = np.ones(9, dtype=np.bool_)
    formula = f"z + `{name}` + `{name}`:z"
    names, values, *_ = watched(lambda: model_matrix(table, formula, rows, "."))
    assert names[3] == name
    assert values[:, 3].tolist() == list(range(9))
    assert names[4:] == (f"{name}:z[T.v]", f"{name}:z[T.w]")


@pytest.mark.parametrize("name", ["cov.age", "na me", "a+b", "1st", "é", "x:y", "log(x)", "I", "C"])
def test_that_an_odd_name_needs_no_backticks_where_it_is_plain(name: str) -> None:
    table = table_from_texts({name: [str(i) for i in range(9)], "z": ["u", "v", "w"] * 3})
    names, *_ = model_matrix(table, f"z + {name}", np.ones(9, dtype=np.bool_), ".")
    assert names[3] == name


def test_that_the_longest_name_is_the_one_that_is_meant() -> None:
    texts = {name: [str(i + k) for i in range(9)] for k, name in enumerate(("a", "a b", "a b c"))}
    names, *_ = model_matrix(table_from_texts(texts), "a b c + a", np.ones(9, dtype=np.bool_), ".")
    assert names == ("Intercept", "a b c", "a")


def test_that_rows_with_an_empty_cell_are_left_out_and_with_them_their_categories() -> None:
    table = table_from_texts({"x": ["1", "", "3", "4"], "g": ["a", "b", "c", " a "]})
    names, values, used = model_matrix(table, "x + g", np.ones(4, dtype=np.bool_), ".")[:3]
    assert used.tolist() == [True, False, True, True]
    assert names == ("Intercept", "x", "g[T.c]")
    assert values.tolist() == [[1, 1, 0], [1, 3, 1], [1, 4, 0]]


@pytest.mark.parametrize("name", ["formula", "model_matrix"])
def test_that_the_language_calls_nothing_by_the_name_that_is_typed(name: str, root: Path) -> None:
    source = (root / "dpdesk" / "data" / f"{name}.py").read_text(encoding="utf-8")
    assert not re.search(
        r"\b(eval|exec|compile|getattr|__import__|import_module)\(",
        source.replace("re.compile(", ""),
    )


@pytest.mark.parametrize("formula", ESCAPES[:2])
def test_that_the_command_line_runs_nothing_that_a_formula_says(
    formula: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "said,age\n" + "".join(f"{i % 2},{20 + i}\n" for i in range(40))
    (tmp_path / "survey.csv").write_text(lines, encoding="utf-8")
    words = ["survey", "estimate", "survey.csv", "--design", "warner", "--set", "p=3/4"]
    assert main([*words, "--answer", "said", "--formula", formula]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "at character" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["survey.csv"]
