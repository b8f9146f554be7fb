"""Questionnaires and strata of numbers: why one is impossible, what a plan says of its people."""

from __future__ import annotations

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T as Survey
from dpdesk.designs.people import Mean, Share
from dpdesk.designs.texts import T
from dpdesk.reports.survey.sample_plan import supposed_text

NUMBERS = (
    *("survey", "plan", "--design", "additive", "--set", "lower=0", "--set", "upper=100"),
    *("--set", "scale=10", "--epsilon", "2", "--question", "40:5"),
)


@pytest.mark.parametrize("split", ["equal", "least"])
@pytest.mark.parametrize(
    ("question", "deviation", "reason"),
    [
        ("2000:3", "10", str(T.BAD_MEAN())),
        ("-1:3", "10", str(T.BAD_MEAN())),
        ("20:3", "80", "standard deviation"),
    ],
)
def test_that_an_impossible_answer_is_named_by_every_split(
    split: str, question: str, deviation: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*NUMBERS, "--deviation", deviation, f"--question={question}", "--split", split])
    told = capsys.readouterr()
    assert code
    assert reason in told.err
    assert "respondents" not in told.err


def test_that_a_plan_says_all_that_is_supposed_of_its_people() -> None:
    assert Mean(400.0, 350.0).supposed() == {"mean": 400.0, "deviation": 350.0}
    assert Share(0.1).supposed() == {"share": 0.1}
    assert supposed_text(Mean(400.0, 350.0), "euros") == "400 euros, SD 350"
    assert supposed_text(Share(0.1), None) == "10 %".replace(" ", "\u00a0")


def test_that_a_cap_on_beliefs_names_the_answer_that_it_is_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["survey", "plan", "--design", "mechanism", "--shares", "0.5,0.3,0.2"]
    for look in ("1", "3"):
        assert not main([*asked, "--look", look, "--belief", "0.6"])
        assert Survey.EPSILON_FOR_BELIEF_IN(answer=int(look)) in capsys.readouterr().out
