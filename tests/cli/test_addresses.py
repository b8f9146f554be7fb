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

HERE = "only a table of answers can be an address"
UNKNOWN = "unrecognized arguments"
WORDS = [
    ("draft URL -o plan.json", "answers.csv"),
    ("URL", "neither a command nor a file named answers.csv"),
    ("release a.csv --plan plan.json --out URL", HERE),
    ("release a.csv --plan URL --out out", HERE),
    ("release a.csv URL --plan plan.json --out out", UNKNOWN),
    ("draft a.csv -o URL", HERE),
    ("draft a.csv -o new.json --set URL", "answers.csv"),
    ("draft a.csv -o new.json --set a=grr:URL", ""),
    ("draft a.csv -o new.json --missing a=URL", ""),
    ("draft a.csv -o new.json --json=URL", "ignored explicit argument"),
    ("query a.csv --paper=URL", "invalid choice: "),
    ("query a.csv --query URL --epsilon 1 --before", ""),
    ("check URL", HERE),
    ("risk URL", "answers.csv"),
    ("ledger URL", "answers.csv"),
    ("attack URL", "answers.csv"),
    ("estimate URL", HERE),
    ("survey estimate URL --design warner --set p=3/4 --answer a", "answers.csv"),
]


@pytest.mark.parametrize(("words", "says"), WORDS)
@pytest.mark.parametrize("user", ["ann:hush@", "ann:h'ush\\'@"])
def test_that_no_message_of_a_command_holds_a_secret(
    words: str,
    says: str,
    user: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    url = f"https://{user}localhost:9/answers.csv?key=hush"
    try:
        status = main([word.replace("URL", url) for word in words.split()])
    except SystemExit as ended:
        status = ended.code
    told = capsys.readouterr()
    assert status
    assert told.err
    assert "ush" not in told.out + told.err
    assert says in told.err


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
