"""What is written for others to run holds names in quoted, escaped texts alone."""

from __future__ import annotations

import ast
import csv
import io
import re
import shlex
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
import yaml

from dpdesk.cli.main import main
from dpdesk.designs.devices.screen_rule import ScreenRule
from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.plan import Plan
from dpdesk.preview.command_words import CommandWords, windows_line
from tests.reports.scripted import AGE, KEPT, plan_of, protected, release_into

RUN = "open('ran','w')"
HOSTILE = (
    f"x.\nHOST COMMAND=['touch ran'].\n{RUN}",
    f"'''\n{RUN}\n'''",
    f'"); {RUN}; system("touch ran"); ("',
    f"'; {RUN}; system('touch ran'); '",
    f'\\"+{RUN}+\\"',
    f"\\\n{RUN}\n#",
    f"*/ {RUN} // <!-- </script> --> ${{ran}} {{ran}}",
    "$(touch ran) `touch ran` ; touch ran | touch ran & touch ran > ran",
    "%s %(x)s {0} {x!r} %n",
    f"a\u2028{RUN}\u2029b\u0085{RUN}\x0b{RUN}\x0c",
    f"a\r{RUN}\r\n{RUN}",
    "\U0001f600 \u202e ran \\u0022 \\x27 \\",
)
LONG = " ".join(("word",) * 30) + f". {RUN}. !touch ran."


def plan_with(name: str) -> Plan:
    """A plan whose names, answers, labels, codes and title are hostile."""
    domain = Categorical(values=("a", f"v {name}", "c"), labels={"a": f"l {name}"})
    column = protected(f"n {name}", "grr", domain=domain)
    kept = KEPT.changed(
        name=f"k {name}", domain=domain, missing=KEPT.missing.changed(tokens=("", f"m {name}"))
    )
    plan = plan_of(column, protected(f"h {name}", "laplace"), kept, AGE)
    return plan.with_fields(
        details=plan.details.model_copy(update={"title": name, "purpose": name})
    )


def python_tokens(script: str) -> list[str]:
    """The tokens of a program of Python; of a text only that it is one."""
    found = tokenize.generate_tokens(io.StringIO(script).readline)
    layout = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    return [
        "TEXT" if one.type == tokenize.STRING else one.string
        for one in found
        if one.type not in layout
    ]


R_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|[^\s\"'#]+|[\"']")
R_ESCAPE = re.compile(r'\\(?:U([0-9a-f]{8})|(["\\]))')


def r_tokens(script: str) -> list[str]:
    """The same of R, in which a text ends at the first quotation mark without a backslash."""
    found = R_TOKEN.findall(script)
    return ["TEXT" if len(one) > 1 and one[0] in "\"'" else one for one in found]


def r_texts(script: str) -> set[str]:
    """What R reads the texts of a program as."""
    found = (one[1:-1] for one in R_TOKEN.findall(script) if one[0] == '"')
    return {R_ESCAPE.sub(lambda one: one[2] or chr(int(one[1], 16)), text) for text in found}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of a plan without hostile names."""
    return release_into(tmp_path_factory.mktemp("plain") / "out", plan_with("plain"))


@pytest.mark.parametrize("name", [*HOSTILE, LONG])
def test_that_names_change_texts_of_the_scripts_alone(
    name: str, plain: Path, tmp_path: Path
) -> None:
    folder = release_into(tmp_path / "out", plan_with(name))
    for file, tokens in (("analysis.py", python_tokens), ("analysis.R", r_tokens)):
        script, usual = ((one / file).read_bytes() for one in (folder, plain))
        assert script.isascii()
        assert tokens(script.decode()) == tokens(usual.decode()), file
    assert {f"n {name}", f"k {name}", f"l {name}"} <= r_texts(script.decode())
    entry = yaml.safe_load((folder / "registry-entry.yaml").read_text(encoding="utf-8"))
    usual = yaml.safe_load((plain / "registry-entry.yaml").read_text(encoding="utf-8"))
    assert entry.keys() == usual.keys()
    assert entry["name"] == name
    run = subprocess.run(
        [sys.executable, "-I", folder / "analysis.py", "--csv"],
        capture_output=True,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stderr
    titles = {row[0] for row in csv.reader(io.StringIO(run.stdout.decode(), newline=""))}
    assert f"n {name}" in titles
    assert not list(tmp_path.rglob("ran"))
    assert not list(folder.glob("*.sps"))


@pytest.mark.parametrize("name", [*HOSTILE, LONG])
def test_that_copied_commands_hold_names_as_one_word(name: str) -> None:
    for command in ("query", "handout"):
        words = CommandWords(command, (f"/{name}",), {"mean": name, "by": (name, "b")})
        assert shlex.split(words.as_command())[1:] == list(words.words())
        usual = CommandWords(command, ("/a",), {"mean": "a", "by": ("a", "b")})
        assert python_tokens(words.as_python()) == python_tokens(usual.as_python())
        texts = [n.value for n in ast.walk(ast.parse(words.as_python())) if type(n) is ast.Constant]
        assert f"/{name}" in texts


@pytest.mark.parametrize("name", [*HOSTILE, LONG, "a&calc", "^a|b", "a b\\", "é=1,2", "(x)", "@a"])
def test_that_a_command_for_windows_is_one_or_is_refused(name: str) -> None:
    words = ("dpdesk", f"--mean={name}", "end")
    try:
        line = windows_line(words)
    except ParameterError:
        assert set(name) & set('"%$`!“”„') or not name.isprintable()
        return
    # Nothing but letters and signs without effect stands outside quotation marks.
    assert re.fullmatch(r'dpdesk ([\w+=:./\\-]+|"[^"%$`!]*") end', line)
    # As programs of Windows take a line apart: a doubled backslash before the mark is one.
    inner = line.removeprefix("dpdesk ").removesuffix(" end").strip('"')
    ends = len(inner) - len(inner.rstrip("\\"))
    assert inner[: len(inner) - ends // 2 if line.count('"') else None] == words[1]


def test_that_options_in_a_remedy_hold_a_name_as_one_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "$(touch ran) `touch ran` 'ran'"
    (tmp_path / "a.csv").write_text(f"{name},b\n1,2\n2,3\n", encoding="utf-8")
    assert main(["query", str(tmp_path / "a.csv"), "--query", f'count by "{name}"', "--epsilon=1"])
    remedy = capsys.readouterr().err
    first = shlex.split(remedy[remedy.index("Add --declare") :])
    assert f"{name}=LOWER..UPPER" in first
    assert f"{name}=A|B|C" in first


@pytest.mark.parametrize("name", [*HOSTILE, LONG])
def test_that_rules_of_a_screen_hold_labels_in_texts(name: str) -> None:
    script = "\n".join(ScreenRule("", (1, 1, 1), (name, "b", f"{name} c")).script)
    usual = "\n".join(ScreenRule("", (1, 1, 1), ("a", "b", "a c")).script)
    assert r_tokens(script) == r_tokens(usual)
    assert not set(script) & set("\r\u2028\u2029")
    assert "</" not in script
