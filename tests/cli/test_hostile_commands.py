"""Hostile words and hostile files: an exit code of the list, a sentence, never a traceback."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.main import main
from dpdesk.data.sample import sample_path
from dpdesk.errors import DpdeskError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices of POSIX")

PLANTED = "PLANTEDvalue7319"
KNOWN = set(ExitCode) - {ExitCode.INTERNAL}
SEED, COMMANDS = 7319, 250
LONGEST = 2_000
"""Most characters of a refusal."""
HUNG = 60
"""Seconds after which a test hangs; it takes a few."""


class HungError(BaseException):
    """A command waits for what never comes; no command takes it for an error of its own."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a survey, a plan, a release and whatever is hostile."""

    folder: Path

    def file(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def __getitem__(self, name: str) -> str:
        return str(self.folder / name)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word such as 1_0 is the name of a file where one is written: in a folder of the test."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A command that waits for ever ends the test, not the run."""

    def end(*_: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(HUNG)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    made = Place(tmp_path_factory.mktemp("hostile"))
    lines = sample_path().read_text(encoding="utf-8").splitlines()[:60]
    survey = made.file("survey.csv", "\n".join(lines) + "\n")
    assert main(["draft", survey, "-o", made["plan.json"], "--confirm-domains"]) == 0
    words = ["release", survey, "--plan", made["plan.json"], "--out", made["release"]]
    assert main([*words, "--ledger", made["ledger.sqlite"]]) == 0
    made.file("answers.csv", "q,region,w\n" + "1,n,1\n0,s,2\n1,s,1.5\n0,n,1\n" * 9)
    made.file("planted.csv", f"a,b\n{PLANTED},1\n{PLANTED},2\nx,3\n")
    made.file("broken.csv", f'a,b\n{PLANTED},1\n"x,2\n')
    made.file("deep.json", "[" * 100_000)
    made.file("long-name.csv", "x" * 1001 + ",b\n1,2\n3,4\n")
    made.file("wide.csv", ",".join(f"c{i}" for i in range(10_001)) + "\n" + "1," * 10_000 + "1\n")
    made.file("blanks.csv", "a,b\n1," + " " * 1500 + "\n2,3\n4,5\n")
    made.file("equal.csv", "a,b\n-0,1\n+0,2\n0,3\n0.0,4\n")
    made.file("marks.csv", b"\xef\xbb\xbf\xef\xbb\xbf" + b"a,b\n1,2\n3,4\n")
    made.file("lines.csv", '"a\nb",c\n1,2\n3,4\n')
    made.file("matrix.csv", '"' + "x" * 200_000 + '"\n')
    Path(made["folder"]).mkdir()
    os.mkfifo(made["pipe"])
    Path(made["to-pipe"]).symlink_to(made["pipe"])
    Path(made["loop"]).symlink_to(made["loop"])
    return made


def examine(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Runs a command; returns its exit code and what it said."""
    capsys.readouterr()
    code = main(words)
    captured = capsys.readouterr()
    said = captured.err
    assert code in KNOWN, said
    assert "Traceback" not in captured.out + said
    assert PLANTED not in said
    if code not in {ExitCode.OK, ExitCode.PROBLEMS}:
        told = [line for line in said.splitlines() if not line.startswith(("note: ", "warning: "))]
        assert len(told) == 1, said
        assert told[0].startswith("dpdesk: ")
        assert len(told[0]) < LONGEST
    return code, said


MANY = "9" * 5000
RUN = "w + I(w*0+__import__('os').system('id > ran'))"
HOSTILE = [
    # Numbers.
    "mechanisms --epsilon 1 --domain-size " + MANY,
    "mechanisms --epsilon 1 --domain-size 1_0",
    "mechanisms --epsilon 1 --domain-size １０",
    "mechanisms --epsilon 1 --domain-size ١٠",
    "mechanisms --epsilon 1e999999 --domain-size 10",
    "mechanisms --epsilon 1_0 --domain-size 10",
    "draft {survey.csv} -o {o} --epsilon 1e999999",
    "draft {survey.csv} -o {o} --epsilon 9999.5",
    "draft {survey.csv} -o {o} --epsilon " + MANY,
    "draft {survey.csv} -o {o} --set age=grr:" + MANY,
    "draft {survey.csv} -o {o} --set religious=rappor:2,hashes=" + MANY,
    "draft {survey.csv} -o {o} --set religious=rappor:2,hashes=1_0",
    "draft {survey.csv} -o {o} --set religious=rappor:2,permanent_ratio=1e999999",
    "draft {survey.csv} -o {o} --set religious=pram,matrix=@{pipe}",
    "draft {survey.csv} -o {o} --set religious=pram,matrix=@/dev/zero",
    "draft {survey.csv} -o {o} --set religious=pram,matrix=@{matrix.csv}",
    "draft {survey.csv} -o {o} --set religious=pram,matrix=@",
    "draft {survey.csv} -o {o} --expected religious=1,2,3,4_0",
    "draft {survey.csv} -o {o} --confirm-domains --confirmed-by " + "x" * 1001,
    "query {survey.csv} --declare age=0..90 --query count --epsilon " + "9" * 30,
    "query {survey.csv} --declare age=0..90 --query count --epsilon 1e999999",
    "query {survey.csv} --declare age=0..90 --query count --epsilon 1 --confidence 1e-999999",
    "query {survey.csv} --declare age=0..90 --query count --epsilon 1 --rows-per-respondent "
    + "1" + "0" * 30,
    "query {survey.csv} --declare age=0.." + MANY + " --query count --epsilon 1",
    "query {survey.csv} --declare age=0..90 --query {many} --epsilon 1",
    "query {survey.csv} --declare age=0..90/0 --query count --epsilon 1",
    "ledger --population p --cap 1 --cap-delta 1e-999999999",
    "ledger --population p --cap ١",
    "risk {survey.csv} --quasi age --k " + "9" * 30,
    "risk {survey.csv} --quasi age --records ١",
    "risk {survey.csv} --quasi ,",
    "risk {equal.csv} --quasi nobody",
    "attack {survey.csv} --epsilons 5e-08 --variants rfd-grr",
    "attack {survey.csv} --epsilons ln" + MANY,
    "attack {survey.csv} --epsilons ln١",
    "attack {survey.csv} --synthetic " + "9" * 30,
    "experiment {survey.csv} --epsilons 1e-320",
    "experiment {equal.csv} --epsilons 1 --repetitions 2",
    "survey estimate --design warner --set p=1/0 --counts 1/2",
    "survey estimate --design warner --set p=" + MANY + " --counts 1/2",
    "survey estimate --design warner --set p=3/4 --counts " + MANY + "/" + MANY,
    "survey estimate --design warner --set p=3/4 --counts 8/20 --confidence 1e999",
    "survey estimate --design warner --set p=3/4 --counts 8/20 --confidence nan",
    "survey estimate {answers.csv} --design mechanism --set mechanism=oue --set categories=3 "
    "--set epsilon=1 --answer q",
    "survey estimate {answers.csv} --design warner --set p=3/4 --answer q --population 1_0",
    "survey plan --design warner --set p=3/4 --prevalence 0.1 --respondents " + "9" * 18,
    "survey plan --design warner --set p=3/4 --prevalence 1e-320 --margin 1e-320",
    "survey plan --prevalence 0.1 --stratum 0.5:0.1:1e308 --stratum 0.5:0.1:1e308 --epsilon 1",
    "survey simulate --design kuk --set p1=3/4 --set p2=1/4 --set draws=5_0 --respondents 10",
    "survey simulate --design warner --set p=3/4 --prevalence 0.1 --respondents " + "9" * 18,
    # Paths.
    "draft {survey.csv} -o ''",
    "draft '' -o {o}",
    "draft {survey.csv} -o {o} --codebook ''",
    "check ''",
    "estimate ''",
    "survey sheet --design warner --set p=3/4 -o ''",
    *(
        f"{words} {odd}"
        for odd in ("{pipe}", "/dev/zero", "/dev/null", "/", "{nothing}", "x" * 5000)
        for words in (
            "check",
            "estimate",
            "choose",
            "estimate --plan {plan.json}",
            "estimate {release} --plan",
            "draft -o {o}",
            "draft {survey.csv} -o {o} --codebook",
            "check {plan.json}",
            "release {survey.csv} --out {o} --plan",
            "query --declare a=1..2 --query count --epsilon 1",
            "risk",
            "risk {survey.csv} --plan",
            "attack {survey.csv} --plan",
            "experiment",
            "learn {survey.csv} --label a --plan",
            "survey estimate --design warner --set p=3/4 --answer q",
        )
    ),
    "ledger --ledger {pipe}",
    "ledger --ledger /dev/zero",
    "survey estimate {answers.csv} --design warner --set p=3/4 --answer q --scores {pipe}",
    # Files.
    "draft {planted.csv} -o {o} --set a=duchi:1",
    "draft {broken.csv} -o {o}",
    "draft {long-name.csv} -o {o}",
    "draft {wide.csv} -o {o}",
    "draft {blanks.csv} -o {o}",
    "draft {equal.csv} -o {o}",
    "draft {marks.csv} -o {o}",
    "draft {lines.csv} -o {o} --drop a",
    "draft {survey.csv} -o {o} --codebook {deep.json}",
    "draft {survey.csv} -o {o} --encoding undefined",
    "draft {survey.csv} -o {o} --encoding base64",
    "draft {survey.csv} -o {o} --delimiter é",
    "check {deep.json}",
    "check {plan.json} {planted.csv}",
    "release {planted.csv} --plan {plan.json} --out {o}",
    "estimate {planted.csv} --plan {plan.json}",
    # Words.
    "draf",
    "draft",
    "draft {survey.csv} -o {o} --nothing",
    "survey",
    "survey nothing",
    "--nothing",
    "{nothing}",
    "survey estimate {answers.csv} --design warner --set p=3/4 --answer q --formula {run}",
    "survey estimate {answers.csv} --design warner --set p=3/4 --answer q --formula {many}",
]  # fmt: skip


def words_of(line: str, place: Place) -> list[str]:
    """The words of a line, with the files that it names."""
    names = {path.name: str(path) for path in place.folder.iterdir()}
    named = {**names, "many": MANY, "run": RUN, "o": place["o"], "nothing": place["nothing"]}

    def filled(word: str) -> str:
        for name, text in named.items():
            word = word.replace("{" + name + "}", text)
        return "" if word == "''" else word

    return [filled(word) for word in line.split(" ")]


@pytest.mark.parametrize("line", HOSTILE, ids=lambda line: line[:70])
def test_that_hostile_words_end_in_a_sentence(
    line: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = examine(words_of(line, place), capsys)
    if "wide.csv" in line or "pipe" in line or MANY in line:
        assert code != ExitCode.OK
    assert not list(Path().iterdir())


WRITING = (
    "draft {survey.csv} -o",
    "choose {plan.json} -o",
    "query {survey.csv} --declare age=17..42 --query count --epsilon 1 --before --save-plan",
    "survey estimate {answers.csv} --design warner --set p=3/4 --answer q --scores",
    "survey sheet --design warner --set p=3/4 -o",
    "survey plan --design warner --set p=3/4 --prevalence 0.1 --margin 0.03 --memo",
)
REFUSED = ("/", ".", "..", "{folder}", "{pipe}", "{loop}", "{to-pipe}", "x" * 300, "x" * 5000)


@pytest.mark.parametrize("place_of_it", [*REFUSED, "{nothing}/x"], ids=lambda text: text[:12])
@pytest.mark.parametrize("words", WRITING, ids=lambda words: " ".join(words.split()[:2]))
def test_that_results_go_to_regular_files_alone(
    words: str, place_of_it: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in place.folder.iterdir())
    code, said = examine(words_of(f"{words} {place_of_it}", place), capsys)
    assert code in {ExitCode.WRITE, ExitCode.LEDGER}, said
    assert stat.S_ISFIFO(Path(place["pipe"]).stat().st_mode)
    assert sorted(path.name for path in place.folder.iterdir()) == before
    assert not list(Path().iterdir())


VALID = [
    "draft {survey.csv} -o {o} --epsilon 8",
    "draft {survey.csv} -o {o} --set age=duchi:1.5 --set religious=rappor:2,hashes=1,bits=64",
    "draft {survey.csv} -o {o} --strategy rsrfd --expected rate_marriage=1,1,2,4,6 --drop age",
    "check {plan.json} {survey.csv} --json",
    "choose {plan.json} --target age=5",
    "release {survey.csv} --plan {plan.json} --out {o} --population p --cap 100",
    "estimate {release} --json",
    "estimate {release}/records.parquet --plan {plan.json}",
    "query {survey.csv} --declare age=17..42 --query {q1} --epsilon 0.5 --before",
    "query {survey.csv} --declare age=17..42 --declare religious=1|2|3|4 --query {q2} --epsilon 1",
    "ledger {survey.csv} --json",
    "mechanisms --domain-size 16 --epsilon 1",
    "risk {survey.csv} --quasi age,children --sensitive affairs --json",
    "attack {survey.csv} --epsilons 1,ln4 --variants grr,oue-z --seed 3",
    "experiment {survey.csv} --epsilons ln2 --strategies spl,smp,grr --repetitions 2",
    "survey estimate --design forced --set forced_no=1/6 --set forced_yes=1/6 --counts 831/2435",
    "survey estimate {answers.csv} --design warner --set p=3/4 --answer q --by region --formula w",
    "survey estimate --design matrix --set rows=4/5,1/5;1/4,3/4 --answers 120,45",
    "survey estimate --design additive --set lower=0 --set upper=10 --set scale=5 "
    "--set noise=laplace --set center=0 --mean 5 --variance 60 --respondents 400",
    "survey plan --design warner --set p=3/4 --prevalence 0.1 --margin 0.03",
    "survey plan --question 0.1:0.05 --question 0.2:0.05:2 --epsilon 2 --split least",
    "survey simulate --design kuk --set p1=3/4 --set p2=1/4 --prevalence 0.1 --respondents 90 "
    "--repetitions 5",
    "survey sheet --design warner --set p=3/4 -o {o}",
]
PHRASES = {"{q1}": "median of age", "{q2}": "mean of age by religious; epsilon=0.3; noise=laplace"}
WORDS = (
    *("0", "-1", "1", "0.5", "1e9", "1e-9", "1_0", "１", "nan", "inf", "", "x", " 1", "+1", MANY),
    *("9" * 18, "9" * 30, "1/3", "1/0", "1,2", "0.6,0.4", "a=b", "=", "\n", "é", "\x1b[2J", "@x"),
    *("ln2", "0.3:0.1", "--", "-o", "--json", "x" * 3000, "1e400", "0.99999999999999999"),
)


def mutant(generator: random.Random, place: Place) -> list[str]:
    """A valid command with some words changed, left out or doubled."""
    words = words_of(generator.choice(VALID), place)
    words = [PHRASES.get(word, word) for word in words]
    files = [*(str(path) for path in sorted(place.folder.iterdir())), "/dev/zero", "/", ""]
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        at = generator.randrange(1, len(words))
        kind = generator.randrange(6)
        if kind == 0 and len(words) > 2:
            del words[at]
        elif kind == 1:
            words.insert(at, words[at])
        elif kind == 2 and os.sep in words[at]:
            words[at] = generator.choice(files)
        elif kind == 3 and words[at]:
            cut = generator.randrange(len(words[at]))
            words[at] = (
                words[at][:cut] + generator.choice("0123456789.,;:=/-@'`e") + words[at][cut + 1 :]
            )
        elif not words[at].startswith("--"):
            words[at] = generator.choice(WORDS)
    return words


def test_that_random_words_end_in_a_sentence(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = random.Random(SEED)
    codes = []
    for _ in range(COMMANDS):
        words = mutant(generator, place)
        codes.append(examine(words, capsys)[0])
    # Not all of them fail at the first word that is looked at.
    assert {ExitCode.OK, ExitCode.PROBLEMS, ExitCode.USAGE, ExitCode.DATA} <= set(codes)
    assert codes.count(ExitCode.OK) > COMMANDS / 20


VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**18, 10**30, 0.5, 1e308, "", "x", "x" * 1001, "1_0", "１", "nan", "-1"),
    *("1e999", "41", MANY, [], {}, [[]], ["x", "x"], {"kind": "grr"}, "protect", "\ud800", "\0"),
)


def damaged(content: Any, generator: random.Random) -> Any:
    """A copy of JSON content in which one value is another one, is missing, or is doubled."""
    copy = json.loads(json.dumps(content))
    node = copy
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = generator.choice(keys)
        below = node[key]
        if isinstance(below, (dict, list)) and below and generator.random() < 0.8:
            node = below
            continue
        kind = generator.randrange(6)
        if kind == 0:
            del node[key]
        elif kind == 1 and isinstance(node, list):
            node.append(below)
        else:
            node[key] = generator.choice(VALUES)
        return copy


def test_that_damaged_plans_and_codebooks_are_refused_by_their_place(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = random.Random(SEED)
    plan = json.loads(Path(place["plan.json"]).read_text(encoding="utf-8"))
    book = json.loads(sample_path().with_name("codebook.json").read_text(encoding="utf-8"))
    uses: list[tuple[Any, Callable[[str], list[str]]]] = [
        (plan, lambda path: ["check", path, place["survey.csv"]]),
        (plan, lambda path: ["choose", path]),
        (plan, lambda path: ["release", place["survey.csv"], "--plan", path, "--out", place["o"]]),
        (plan, lambda path: ["estimate", place["release"], "--plan", path]),
        (book, lambda path: ["draft", place["survey.csv"], "-o", place["o"], "--codebook", path]),
    ]
    for number in range(60):
        content, words = uses[number % len(uses)]
        path = place.file("damaged.json", json.dumps(damaged(content, generator)))
        examine(words(path), capsys)


def test_that_a_message_with_line_ends_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(_: object) -> int:
        raise DpdeskError("A name:\na\r\nb\u2028c\x1b[2J" + "x" * 9000, remedy="Do this.")

    monkeypatch.setattr("dpdesk.cli.mechanisms.run", command)
    _, said = examine(["mechanisms"], capsys)
    assert said.endswith("Do this.\n")
    assert "\x1b" not in said
