from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T
from dpdesk.designs import DESIGNS, Count, Design, design_named
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice, device_named
from dpdesk.designs.probability import intended_fraction, parse_probability, probability_text
from dpdesk.designs.yes_no import parse_counts
from dpdesk.errors import InputError, ParameterError
from dpdesk.mechanisms.pram import matrix_of
from tests.cli.sentences import told_by_label
from tests.designs.cases import made
from tests.refusals import refused

SHEET = ["sheet", "--out", "never.html", "--design"]
CHEATING = [
    *("plan", "--design", "symmetric_cheating_detection", "--set", "yes1=1"),
    *("--set", "yes2=1/6", "--set", "no2=1/3"),
]
THREE_QUARTERS = ["--design", "warner", "--set", "p=3/4"]
SIMULATE = ["simulate", "--design", "warner", "--prevalence", "0.1", "--respondents", "100"]


@pytest.mark.parametrize(
    "text", ["", "-1", "1.5", "2", "1/0", "3/2", "nan", "1e-3", "٣", "1_0", 0.5, True, None]
)
def test_that_what_is_no_probability_is_refused(text: object) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_probability(text)
    kinds = ("probability-no-text", "no-probability", "zero-denominator", "probability-range")
    assert caught.value.id.removeprefix("designs.") in kinds


@pytest.mark.parametrize(
    ("text", "exact", "near"),
    [
        ("0.08333333333333333", Fraction(8333333333333333, 10**17), "1/12"),
        ("0.6666666666666666", Fraction(6666666666666666, 10**16), "2/3"),
        ("0.123456789012", Fraction(123456789012, 10**12), None),
        ("0." + "3" * 30, Fraction(int("3" * 30), 10**30), "1/3"),
        (".5", Fraction(1, 2), None),
        ("12345678901/98765432109876", Fraction(12345678901, 98765432109876), None),
    ],
)
def test_that_a_decimal_of_up_to_thirty_digits_is_taken_exactly(
    text: str, exact: Fraction, near: str | None
) -> None:
    assert parse_probability(text) == exact
    intended = intended_fraction(exact)
    assert (None if intended is None else str(intended)) == near
    # What is stored and what is shown is read back to the same fraction.
    design = made("unrelated", {"p": "1/2", "q": text})
    assert type(design).model_validate_json(design.model_dump_json()) == design
    assert parse_probability(design.model_dump()["q"]) == exact
    assert parse_probability(probability_text(exact)) == exact


def test_that_more_digits_are_refused_with_the_reason() -> None:
    with refused("designs.long-probability", most=30):
        parse_probability("0." + "3" * 31)


def test_that_the_output_says_what_was_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--design", "crosswise", "--set", "p=0.08333333333333333"]
    for task in (
        ["estimate", "--counts", "20/48"],
        ["plan", "--prevalence", "0.1", "--margin", "0.05"],
        ["simulate", "--prevalence", "0.1", "--respondents", "100"],
        ["sheet", "-o", str(tmp_path / "sheet.html")],
    ):
        assert main(["survey", task[0], *words, *task[1:]]) == 0
        told = capsys.readouterr().out
        typed = probability_text(parse_probability("0.08333333333333333"))
        assert T.TAKEN_AS_TYPED(name="p", typed=typed, near="1/12") in told, task
        if task[0] != "sheet":
            assert told_by_label(told)[T.PARAMETERS()] == "p = 0.08333333333333333"
    assert main(["survey", "estimate", *words, "--counts", "20/48", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["design"]["p"] == "0.08333333333333333"


def test_that_expected_weights_and_matrices_take_as_many_digits(tmp_path: Path) -> None:
    text = "0.083333333333333333333333333333"
    survey, plan = tmp_path / "people.csv", tmp_path / "plan.json"
    survey.write_text("job\n" + "a\nb\n" * 20, encoding="utf-8")
    words = ["draft", str(survey), "-o", str(plan), "--expected", f"job={text},0.9"]
    assert main(words) == 0
    assert json.loads(plan.read_text(encoding="utf-8"))["columns"][0]["expected"][0] == text
    rest = "0.916666666666666666666666666667"
    assert matrix_of([[text, rest], [rest, text]])[0][0] == text


@pytest.mark.parametrize(
    ("kind", "settings", "counts"),
    [
        ("warner", {"p": "1/2"}, [(3, 9)]),
        ("forced", {"forced_no": "1/2", "forced_yes": "1/2"}, [(3, 9)]),
        ("triangular", {"p": "1"}, [(3, 9)]),
        ("kuk", {"p1": "1/3", "p2": "1/3", "draws": 4}, [(3, 9)]),
        ("christofides", {"chances": ("1/4", "1/2", "1/4")}, [(18, 9)]),
        ("christofides", {"chances": ("1/4", "1/2")}, [(18, 9)]),
        ("cheating_detection", {"p1": "1/4", "p2": "1/4"}, [(3, 9), (3, 9)]),
        (
            "symmetric_cheating_detection",
            {"yes1": "1/4", "no1": "1/4", "yes2": "1/4", "no2": "1/4"},
            [(3, 9), (3, 9)],
        ),
        ("stochastic_lie_detector", {"s1": "1/4", "s2": "1/4"}, [(3, 9), (3, 9)]),
        ("anchored_crosswise", {"p": "1/4", "anchor": "1/2"}, [(3, 9), (3, 9)]),
    ],
)
def test_that_devices_that_tell_nothing_are_refused(kind, settings, counts) -> None:
    with pytest.raises(ParameterError):
        made(kind, settings).estimate([Count(*count) for count in counts])


def has_instructions(design: Design) -> bool:
    """Whether answers of a design tell anything, so that respondents can be told what to do."""
    try:
        return bool(design.instructions())
    except ParameterError:
        return False


@pytest.mark.parametrize("kind", DESIGNS, ids=lambda kind: kind.tag())
def test_that_a_design_at_the_ends_of_its_chances_is_told_or_refused(kind: type[Design]) -> None:
    usual = kind.example()
    names = [name for name, field in kind.model_fields.items() if field.annotation is Fraction]
    devices = [device_named(word) for word in ("coin", "die", "dice_pair", "beads", "birth_month")]
    for ends in product((Fraction(0), Fraction(2, 3), Fraction(1)), repeat=len(names)):
        design = usual.model_copy(update=dict(zip(names, ends, strict=True)))
        assert design.doing
        if not has_instructions(design):
            for device in devices:
                with pytest.raises(ParameterError):
                    design.instructions(choice=DeviceChoice(device))
            continue
        for device in devices:
            if design.served_by(device):
                assert design.instructions(choice=DeviceChoice(device))


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("forced", {"forced_no": "1/2", "forced_yes": "1"}),
        ("symmetric_cheating_detection", {"yes1": "1", "no1": "1/6", "yes2": "1/6", "no2": "1/3"}),
        (
            "symmetric_cheating_detection",
            {"yes1": "0", "no1": "1/3", "yes2": "2/3", "no2": "1/2"},
        ),
        ("forced_categories", {"orders": ("2/3", "2/3")}),
        ("forced_categories", {"orders": ("1/2", "1/2")}),
    ],
)
def test_that_orders_which_leave_too_little_are_refused_everywhere(kind, settings) -> None:
    design = design_named(kind).model_validate(settings)
    reason = "designs.forced-sum" if kind.startswith("symmetric") else "designs.always-ordered"
    with refused(reason):
        assert design.loss
    with refused(reason):
        assert design.served_by(device_named("die"))
    with refused(reason):
        design.instructions(choice=ANY_DEVICE)


def test_that_one_group_may_be_ordered_always() -> None:
    orders = {"yes1": "1/2", "no1": "1/2", "yes2": "1/6", "no2": "1/6"}
    design = made("symmetric_cheating_detection", orders)
    assert design.served_by(device_named("die"))
    assert [group.law[:2] for group in design.groups] == [
        procedure.law(group.answers)
        for procedure, group in zip(design.instructions(), design.groups, strict=True)
    ]


@pytest.mark.parametrize("count", [(0, 0), (1, 1), (10, 9), (-1, 9)])
def test_that_impossible_counts_are_refused(count: tuple[int, int]) -> None:
    for kind, settings in (("warner", {"p": "3/4"}), ("kuk", {"p1": "3/4", "p2": "1/4"})):
        with pytest.raises(InputError):
            made(kind, settings).estimate([Count(*count)])


@pytest.mark.parametrize("text", ["", "3", "3/", "/9", "3/9,", "a/b", "3/9,4/9", "-3/9", "1e3/9"])
def test_that_counts_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_counts(text, 1)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["estimate", "--design", "none", "--counts", "3/9"], 2),
        (["estimate", "--design", "crosswise", "--counts", "3/9"], 2),
        (["estimate", "--design", "warner", "--set", "q=1/2", "--counts", "3/9"], 2),
        (["estimate", "--design", "warner", "--set", "p=7", "--counts", "3/9"], 2),
        (["estimate", "--design", "warner", "--counts", "3/9"], 2),
        (["estimate", *THREE_QUARTERS, "--counts", "10/9"], 3),
        (["estimate", *THREE_QUARTERS, "--counts", "3/9", "--confidence", "1"], 2),
        ([*SHEET, "forced", "--set", "forced_yes=1", "--device", "die"], 2),
        ([*SHEET, "forced_categories", "--set", "orders=2/3,2/3"], 2),
        ([*CHEATING, "--set", "no1=1/6", "--prevalence", "0.1", "--respondents", "500"], 2),
        ([*CHEATING, "--set", "no1=1/6", "--prevalence", "0.1", "--margin", "0.1"], 2),
        (["plan", "--prevalence", "0.1"], 2),
        (["plan", "--design", "warner", "--prevalence", "1.1", "--margin", "0.1"], 2),
        (["plan", "--design", "warner", "--prevalence", "0.1", "--margin", "0"], 2),
        (["plan", "--design", "warner", "--prevalence", "0.1", "--margin", "1e-30"], 2),
        (["plan", "--prevalence", "0.1", "--margin", "0.001", "--respondents", "100"], 2),
        (["plan", "--prevalence", "0.1", "--belief", "0.05"], 2),
        (["simulate", "--design", "warner", "--prevalence", "2", "--respondents", "100"], 2),
        (["simulate", "--design", "warner", "--prevalence", "0.1", "--respondents", "1"], 2),
        ([*SIMULATE, "--confidence", "1.2"], 2),
        ([*SIMULATE, "--confidence", "0", "--exact"], 2),
        ([*SIMULATE, "--deny", "2"], 2),
        ([*SIMULATE, "--repetitions", "0"], 2),
        (["simulate", *SIMULATE[1:-1], "5001", "--exact"], 2),
    ],
)
def test_that_wrong_words_end_with_a_sentence_and_the_exit_code(words, code, capsys) -> None:
    assert main(["survey", *words]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("dpdesk: ")
    assert shown.err.count("\n") == 1


def test_that_the_command_line_has_the_numbers_of_the_formulas(capsys) -> None:
    assert main(["survey", "designs", "--json"]) == 0
    kinds = {entry["kind"] for entry in json.loads(capsys.readouterr().out)}
    assert {"warner", "crosswise", "forced", "unrelated", "kuk"} <= kinds
    words = ["--set", "forced_no=1/6", "--set", "forced_yes=1/6", "--counts", "831/2435"]
    assert main(["survey", "estimate", "--design", "forced", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimate"] == pytest.approx(0.26190965092402)
    assert found["se"] == pytest.approx(0.01441566563304)
    assert found["epsilon"] == pytest.approx(1.6094379124341)
    assert (found["a"], found["b"]) == ([pytest.approx(5 / 6)], [pytest.approx(1 / 6)])
    words = ["--design", "warner", "--set", "p=.75", "--prevalence", "0.1", "--margin", "0.03"]
    assert main(["survey", "plan", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 3586
    assert (
        main(["survey", "estimate", "--design", "mangat", "--set", "p=2/3", "--counts", "3/9"]) == 0
    )
    assert "“no” proves: not carrier" in capsys.readouterr().out
