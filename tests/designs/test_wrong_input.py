from __future__ import annotations

import json

import pytest

from dpdesk.cli.main import main
from dpdesk.designs import Count
from dpdesk.designs.counts import parse_counts
from dpdesk.designs.probability import parse_probability
from dpdesk.errors import InputError, ParameterError
from tests.designs.cases import made

SIMULATE = ["simulate", "--design", "warner", "--prevalence", "0.1", "--respondents", "100"]


@pytest.mark.parametrize(
    "text", ["", "-1", "1.5", "2", "1/0", "3/2", "nan", "1e-3", "٣", "1_0", 0.5, True, None]
)
def test_that_what_is_no_probability_is_refused(text: object) -> None:
    with pytest.raises(ParameterError, match="Type a fraction"):
        parse_probability(text)


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
        (["estimate", "--design", "warner", "--counts", "10/9"], 3),
        (["estimate", "--design", "warner", "--counts", "3/9", "--confidence", "1"], 2),
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
    try:
        ended = main(["survey", *words])
    except SystemExit as refused:
        # A word that no value of its option can be.
        ended = refused.code
    assert ended == code
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
