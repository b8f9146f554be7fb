"""Commands read a table at an address, and nothing else there; no message holds what is secret."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from tests.data.server import serving

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

WORDS = [
    ["draft", "URL", "-o", "plan.json"],
    ["https://ann:hush@localhost:9/a.csv?key=hush"],
    ["release", "a.csv", "--plan", "plan.json", "--out", "URL"],
    ["release", "a.csv", "--plan", "URL", "--out", "out"],
    ["release", "a.csv", "URL", "--plan", "plan.json", "--out", "out"],
    ["draft", "a.csv", "-o", "URL"],
    ["check", "URL"],
    ["risk", "URL"],
    ["ledger", "URL"],
    ["attack", "URL"],
    ["estimate", "URL"],
    ["survey", "estimate", "URL", "--design", "warner"],
]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_that_no_message_of_a_command_holds_a_secret(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    url = "https://ann:hush@localhost:9/answers.csv?key=hush"
    try:
        status = main([url if word == "URL" else word for word in words])
    except SystemExit as ended:
        status = ended.code
    told = capsys.readouterr()
    assert status
    assert told.err
    assert "hush" not in told.out + told.err
    if {"--out", "--plan", "-o"} & set(words[-4:]) and "URL" in words[2:]:
        refusals = ("file or folder of this computer is needed", "unrecognized arguments")
        assert any(refusal in told.err for refusal in refusals)


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a survey in two parts, with a password."""
    monkeypatch.chdir(tmp_path)
    part = b"colour,age\n" + b"red,20\ngreen,30\nblue,40\n" * 40
    with serving({"/survey/1.csv": part, "/survey/2.csv": part}) as server:
        yield f"{server.url.replace('://', '://ann:hush@')}/survey/"


READING = [
    ["draft", "URL", "-o", "new.json"],
    ["check", "plan.json", "URL"],
    ["confirm", "plan.json", "--data", "URL", "-o", "new.json"],
    ["risk", "URL", "--quasi", "colour"],
    ["ledger", "URL"],
    ["experiment", "URL", "--repetitions", "2"],
    ["release", "URL", "--plan", "plan.json", "--out", "out"],
]


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_that_a_command_reads_a_table_at_an_address(
    words: list[str], address: str, tmp_path: Path, capsys: pytest.CaptureFixture
):
    draft = ["draft", address, "-o", "plan.json", "--set", "colour=grr:1", "--drop", "age"]
    assert main([*draft, "--confirm-domains", "--title", "T", "--curator", "C"]) == 0
    assert main([address if word == "URL" else word for word in words]) == 0
    told = capsys.readouterr()
    assert "hush" not in told.out + told.err
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert not any(b"hush" in path.read_bytes() for path in written)


def test_that_an_archive_that_is_read_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "a.zip"
    with zipfile.ZipFile(place, "w") as packed:
        packed.writestr("a.csv", "a,b\n1,2\n")
    before = place.read_bytes()
    for url in (f"zip://a.csv::file://{place}", f"zip://a.csv::{place}"):
        assert main(["draft", url, "-o", "a.zip", "--overwrite"])
        assert "a.zip" in capsys.readouterr().err
        assert place.read_bytes() == before
