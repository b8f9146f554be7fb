"""`dpdesk survey simulate`: what it prints is what theory says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dpdesk.cli.main import main

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
    assert capsys.readouterr().out.startswith("Simulation, not data (seed 1): 1,000 surveys\n")
    assert main([*WORDS, "--respondents", "1000", "--exact", "--confidence", "0.9"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Theory, not data: all outcomes")
    assert "90 % intervals that hold the true share" in text


def test_that_people_read_the_numbers_of_the_json(capsys) -> None:
    words = ("--respondents", "300", "--deny", "0.4", "--confidence", "0.9")
    found = shown(capsys, *words)
    assert found["bias"] == pytest.approx(found["mean_estimate"] - 0.1)
    assert main([*WORDS, *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 0 < found["negative_estimates"] < 1
    told = [re.findall(r"-?[\d.]+(?= %| pp)", line) for line in lines[2:-1]]
    expected = [
        [100 * found["mean_estimate"], 10 + 100 * found["planned_bias"], 10],
        [100 * found["standard_deviation"], 100 * found["planned_error"]],
        [90, 100 * found["coverage"]],
        [100 * found["negative_estimates"]],
    ]
    # The last digit that is printed is a tenth.
    assert [list(map(float, line)) for line in told] == [
        pytest.approx(line, abs=0.051) for line in expected
    ]
