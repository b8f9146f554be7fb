"""`dpdesk check` and the commands that release: what is useless, and what the ledger forbids."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.sample import sample_path
from dpdesk.ledgers import Cap, Ledger
from dpdesk.ledgers.texts import T


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan of the sample that gives every attribute next to nothing."""
    path = tmp_path / "plan.json"
    words = ["draft", str(sample_path()), "--epsilon", "0.1", "--confirm-domains", "-o", str(path)]
    assert main(words) == 0
    return path


def test_that_check_warns_of_what_is_useless_and_still_passes(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["check", str(plan), str(sample_path())]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("warning: usefulness: 9 of 9 would be too noisy: ")
    # Of its shares some are so rare that no change of the plan serves them.
    assert "occupation (more than ± 50 pp)" in lines[0]
    dropped = plan.with_name("dropped.json")
    words = ["draft", str(sample_path()), "--epsilon", "0.1", "--confirm-domains"]
    assert main([*words, "--drop", "affairs", "-o", str(dropped)]) == 0
    capsys.readouterr()
    assert main(["check", str(dropped), str(sample_path())]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("warning: usefulness: 8 of 8 would be too noisy: ")


def test_that_check_lists_every_verdict_as_json(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["check", str(plan), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["usefulness"]["records"]
    assert found["verdict"] == "useless"
    assert len(found["numbers"]) == 9
    for number in found["numbers"]:
        assert number["error_95"] > number["compared_with"] > 0
        assert number["error_95_without_protection"] < number["error_95"]
        assert not number["goes_by_the_file"]
    assert main(["check", str(plan), str(sample_path()), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["usefulness"]["records"]
    by_file = {number["of"]: number for number in found["numbers"]}
    # The mean is 0.7054 away from 0.
    assert (by_file["affairs"]["goes_by_the_file"], by_file["affairs"]["compared_with"]) == (
        True,
        0.71,
    )
    for number in by_file.values():
        assert number["estimates_useful"] == 0 < number["estimates_all"]
    assert found["estimates_all"] == sum(number["estimates_all"] for number in by_file.values())


def test_that_check_tells_of_a_cap_that_would_block_the_release(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(sample_path())
    assert main(["check", str(plan), data, "--population", "People"]) == 0
    release = ["release", data, "--plan", str(plan), "--population", "People"]
    assert main([*release, "--out", str(tmp_path / "one")]) == 0
    said = capsys.readouterr().err
    assert said.count("would be too noisy") == 1, "warned of once, and released"
    Ledger.open().set_cap("People", Cap(Decimal("0.15")))
    assert main(["check", str(plan), data]) == 1
    lines = capsys.readouterr().out.splitlines()
    refused = T.OVER_CAP(name="People", left="0.05", cap="0.15", needed="0.1")
    assert lines[0].startswith(f"error: ledger: {refused}")


def test_that_a_check_makes_no_ledger(plan: Path, tmp_path: Path) -> None:
    place = tmp_path / "none.sqlite"
    assert main(["check", str(plan), str(sample_path()), "--ledger", str(place)]) == 0
    assert not place.exists()
