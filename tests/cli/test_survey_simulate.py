"""`dpdesk survey simulate`: what it prints is what theory says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T
from tests.cli.sentences import told_by_label

WORDS = ["survey", "simulate", "--design", "warner", "--prevalence", "0.1"]


def shown(capsys, *words: str) -> dict[str, Any]:
    assert main([*WORDS, *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_that_all_outcomes_have_the_bias_and_error_of_theory(capsys) -> None:
    found = shown(capsys, "--respondents", "1000", "--exact", "--deny", "0.5")
    # -c pi p / (2p - 1).
    assert found["bias"] == pytest.approx(-0.5 * 0.1 * 0.75 / 0.5)
    assert found["planned_bias"] == pytest.approx(found["bias"])
    assert found["standard_deviation"] == pytest.approx(found["planned_error"])
    assert (found["exact"], found["seed"], found["repetitions"]) == (True, None, None)
    assert found["simulation"] is True


def test_that_a_simulation_says_its_seed_and_repeats(capsys) -> None:
    words = ("--respondents", "1000000000", "--seed", "7", "--careless", "0.1")
    first, again = shown(capsys, *words), shown(capsys, *words)
    assert first == again
    assert (first["seed"], first["repetitions"], first["exact"]) == (7, 1000, False)
    assert first["bias"] == pytest.approx(0.1 * (0.5 - 0.1), rel=1e-2)
    # Nobody's interval holds the truth where many err the same way.
    assert first["coverage"] == 0.0


def test_that_the_confidence_decides_the_coverage(capsys) -> None:
    for confidence in ("0.8", "0.99"):
        found = shown(capsys, "--respondents", "5000", "--exact", "--confidence", confidence)
        assert found["coverage"] == pytest.approx(float(confidence), abs=0.01)


def test_that_people_read_what_is_simulated_and_what_is_theory(capsys) -> None:
    assert main([*WORDS, "--respondents", "1000"]) == 0
    assert capsys.readouterr().out.startswith(T.SIMULATION(seed=1, count=1000))
    assert main([*WORDS, "--respondents", "1000", "--exact", "--confidence", "0.9"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(T.THEORY())
    assert T.COVERED_BY(level="90 %") in text


def test_that_people_read_the_numbers_of_the_json(capsys) -> None:
    words = ("--respondents", "300", "--deny", "0.4", "--confidence", "0.9")
    found = shown(capsys, *words)
    assert found["bias"] == pytest.approx(found["mean_estimate"] - 0.1)
    assert 0 < found["negative_estimates"] < 1
    assert main([*WORDS, *words]) == 0
    lines = told_by_label(capsys.readouterr().out.replace("−", "-"))
    labels = {
        T.TRUE_SHARE(): "prevalence",
        T.MEAN_ESTIMATE(): "mean_estimate",
        T.PLANNED_BIAS(): "planned_bias",
        T.DEVIATION(): "standard_deviation",
        T.BY_THEORY(): "planned_error",
        T.COVERED_BY(level="90 %"): "coverage",
        T.NEGATIVE(): "negative_estimates",
    }
    told = {key: float(lines[label].split()[0]) for label, key in labels.items()}
    assert told == pytest.approx({key: 100 * found[key] for key in told}, abs=0.0051)
