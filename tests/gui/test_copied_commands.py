"""What the window copies as a command or as Python does what the window does."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QAction, QGuiApplication
from pytestqt.qtbot import QtBot

import dpdesk
from dpdesk.cli.main import main
from dpdesk.cli.query_plan import plan_asked
from dpdesk.cli.run import named, options_of
from dpdesk.cli.survey.simulate import supposed
from dpdesk.designs import DESIGNS, Design, design_named
from dpdesk.designs.cases import Cases
from dpdesk.errors import ReleaseError
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.plan import Plan, load_plan, plan_to_json, save_plan
from dpdesk.plan.statistics import Statistics
from dpdesk.preview.command_words import CommandWords
from dpdesk.preview.survey import SupposedMean, SupposedShare, SupposedShares, SupposedSurvey
from dpdesk.preview.survey.words import simulate_words
from dpdesk.queries.phrase import parse_queries
from dpdesk.releases.statistics import STATISTICS
from dpdesk.releases.synthetic import SYNTHETIC
from dpdesk.resources import resource

Opened = Callable[[Plan], Document]


@pytest.fixture
def opened(
    started: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Opened:
    """Opens the sample survey from a file of its own, with a saved plan."""
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "my answers.csv"
    shutil.copy(resource("samples/affairs/affairs.csv"), data)
    document = started._document
    assert document is not None
    started.pages["release"].records.before.destination.set_parent_folder(tmp_path)

    def open_with(plan: Plan) -> Document:
        with qtbot.waitSignal(document.tableChanged):
            document.open_table(data)
        save_plan(plan, tmp_path / "plan.json", overwrite=True)
        document.open_plan(tmp_path / "plan.json")
        return document

    return open_with


def draft(**changes: object) -> Plan:
    return dpdesk.draft("my answers.csv", confirm_domains=True, purpose="tables", **changes)


def copied(window: MainWindow, text: str) -> str:
    """What an action of the Edit menu puts into the clipboard."""
    QGuiApplication.clipboard().clear()
    found: list[QAction] = [
        action
        for menu in window.menuBar().actions()
        for action in menu.menu().actions()
        if action.text().replace("&", "") == text
    ]
    assert len(found) == 1
    found[0].trigger()
    return QGuiApplication.clipboard().text()


def test_that_a_copied_release_makes_the_same_release(
    started: MainWindow,
    opened: Opened,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened(draft(title="Wives", curator="x"))
    started.rail.set_current("release")
    monkeypatch.setattr("dpdesk.gui.pages.release.release_page.usual_paper", lambda: "a4")
    assert "--paper" not in copied(started, "Copy as command")
    # The window writes the report on the paper of the country, and so does the command.
    monkeypatch.setattr("dpdesk.gui.pages.release.release_page.usual_paper", lambda: "letter")
    words = shlex.split(copied(started, "Copy as command"))
    assert "--paper=letter" in words
    assert words[:3] == ["dpdesk", "release", str(tmp_path / "my answers.csv")]
    (out,) = [word.removeprefix("--out=") for word in words if word.startswith("--out=")]
    assert main(words[1:]) == 0, capsys.readouterr().err
    script = copied(started, "Copy as Python").replace(out, f"{out} again")
    names: dict[str, object] = {}
    exec(script, names)  # noqa: S102 - what the window wrote
    first, second = ({path.name for path in Path(f).iterdir()} for f in (out, f"{out} again"))
    assert first == second
    assert (Path(out) / "plan.json").read_bytes() == Path(f"{out} again", "plan.json").read_bytes()
    assert load_plan(Path(out) / "plan.json").columns == load_plan(Path("plan.json")).columns


def test_that_an_unsaved_plan_is_not_copied(
    started: MainWindow, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened(draft())
    started.rail.set_current("release")
    document.edit("label", document.plan.with_column("age", label="Age"))
    said: list[str] = []
    monkeypatch.setattr(
        "dpdesk.gui.copied_command.show_error", lambda _on, _title, error: said.append(str(error))
    )
    assert copied(started, "Copy as command") == ""
    assert "not saved" in said[0]
    document.save_plan()
    assert copied(started, "Copy as command").startswith("dpdesk release ")


def test_that_a_copied_plan_is_drafted_or_checked_as_it_is_shown(
    started: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    started.rail.set_current("data")
    assert copied(started, "Copy as command") == ""
    assert started.status.message().startswith("Nothing was copied")
    (tmp_path / "a.csv").write_text("x;y\n" + "1,5;a\n2,5;b\n" * 20, encoding="utf-8")
    document = started._document
    assert document is not None
    for parts, declares in (({}, False), ({"header_rows": 0, "delimiter": ";"}, True)):
        with qtbot.waitSignal(document.tableChanged):
            document.open_table(tmp_path / "a.csv", redraft=True, is_confirmed=declares, **parts)
        words = shlex.split(copied(started, "Copy as command"))
        assert ("--header-rows" in words) == declares
        script = copied(started, "Copy as Python")
        assert "plan = dpdesk.draft(" in script
        assert ("header_rows='0'" in script) == declares
        (tmp_path / "a-plan.json").unlink(missing_ok=True)
        exec(script, {})  # noqa: S102 - what the window wrote
        with pytest.raises(ReleaseError, match="exists"):
            exec(script, {})  # noqa: S102
        drafted = load_plan(tmp_path / "a-plan.json")
        # A command protects what the window leaves to be decided.
        found, shown = (
            [(c.name, c.kind, c.domain, c.missing) for c in plan.columns]
            for plan in (drafted, document.plan)
        )
        assert (found, drafted.reading) == (shown, document.plan.reading)
    document.save_plan(tmp_path / "p.json")
    started.rail.set_current("plan")
    names: dict[str, object] = {}
    exec(copied(started, "Copy as Python"), names)  # noqa: S102 - what the window wrote
    assert names["found"].problems == document.problems
    document.edit("label", document.plan.with_column(document.plan.columns[0].name, label="L"))
    monkeypatch.setattr("dpdesk.gui.copied_command.show_error", lambda *_: None)
    assert copied(started, "Copy as command") == ""


def test_that_statistics_and_synthetic_rows_are_copied(started: MainWindow, opened: Opened) -> None:
    plan = draft()
    domains = {column.name: column.effective_domain for column in plan.columns}
    queries = parse_queries("mean of age", domains)
    plan = plan.with_fields(statistics=Statistics().with_queries(queries))
    document = opened(plan)
    started.rail.set_current("release")
    document.set_release_kind(STATISTICS)
    words = shlex.split(copied(started, "Copy as command"))[1:]
    command = named(words)
    asked = plan_asked(options_of(command, words[1:]))
    assert asked.statistics.queries == plan.statistics.queries
    assert "dpdesk.query(" in copied(started, "Copy as Python")
    document.set_release_kind(SYNTHETIC)
    words = shlex.split(copied(started, "Copy as command"))[1:]
    assert words[0] == "synthesize"
    assert plan_to_json(load_plan(options_of(named(words), words[1:]).plan)) == plan_to_json(plan)
    compile(copied(started, "Copy as Python"), "copied", "exec")


def test_that_a_copied_risk_is_that_of_the_page(
    started: MainWindow, opened: Opened, qtbot: QtBot
) -> None:
    opened(draft(keep=["age", "educ", "children"]))
    started.rail.set_current("risk")
    state = started.pages["risk"].state
    state.choose(("age", "educ"), ("affairs",))
    qtbot.waitUntil(lambda: not state.watch.is_running and state.measured is not None)
    words = shlex.split(copied(started, "Copy as command"))
    assert "--quasi=age,educ" in words
    names: dict[str, object] = {}
    exec(copied(started, "Copy as Python"), names)  # noqa: S102 - what the window wrote
    assert names["found"].risk == state.measured.risk


def test_that_a_copied_simulation_supposes_the_same_survey(started: MainWindow) -> None:
    started.rail.set_current("simulate")
    page = started.pages["simulate"]
    page.pane.change(prevalence=0.137, deny=0.25, respondents=777)
    names: dict[str, object] = {}
    exec(copied(started, "Copy as Python"), names)  # noqa: S102 - what the window wrote
    found, shown = names["found"], page.scenario().survey
    assert (found.design, found.prevalence) == (shown.design, 0.137)
    assert (found.deny, found.respondents) == (shown.deny, 777)
    assert found.theory == shown.theory


def supposed_of(design: Design) -> SupposedSurvey:
    """A survey with a design, of people who mostly follow the instruction."""
    return Cases(
        lambda found: SupposedShare(found, 0.21, 640, simulated=True, confidence=0.9),
        lambda found: SupposedShares(
            found, tuple(np.full(found.size, 1 / found.size).tolist()), 640, seed=4
        ),
        lambda found: SupposedMean(
            found, (found.lower + found.upper) / 2, (found.upper - found.lower) / 7, 640
        ),
    ).of(design)


@pytest.mark.parametrize("kind", [design.tag() for design in DESIGNS])
def test_that_every_design_survives_being_typed(kind: str) -> None:
    survey = supposed_of(design_named(kind).example())
    words = simulate_words(survey).words()
    again = supposed(options_of(named(words), words[2:]))
    assert again == survey


def test_that_words_are_quoted_for_the_terminal_and_for_python() -> None:
    words = CommandWords("release", ("a b'.csv",), {"plan": 'p".json', "other_people": True})
    assert shlex.split(words.as_command()) == ["dpdesk", *words.words()]
    assert "'p\".json'" in words.as_python()
    compile(words.as_python(), "copied", "exec")
    # A command that is no function of the interface is run by its words.
    several = CommandWords("estimate", ("out",), {"mean": "a", "by": ("b, c", "d")})
    assert several.words()[-1] == '--by="b, c",d'
    assert "by=['b, c', 'd']" in several.as_python()
    other = CommandWords("synthesize", ("a.csv",), {"epsilon": 1})
    assert "main([" in other.as_python()
    compile(other.as_python(), "copied", "exec")
