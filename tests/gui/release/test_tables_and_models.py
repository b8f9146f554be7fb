"""Tables and models of a release in the window: picked, read, and equal to the command line's."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from pytestqt.qtbot import QtBot

from dpdesk.cli.main import main
from dpdesk.engine import untracked
from dpdesk.estimation.texts import T
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.release import ReleasePage, tables_room
from dpdesk.gui.pages.release.model_fields import continued
from dpdesk.gui.pages.release.question_form import KINDS
from dpdesk.gui.pages.release.tables_room import TablesRoom
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.unary_encoding import Oue
from dpdesk.plan import Plan
from dpdesk.preview.command_words import CommandWords
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from dpdesk.releases.texts import T as ReleasesT
from tests.engine.survey import lively_survey, survey_plan
from tests.gui.hands import Hands, index_of, table_texts

TABLE, MEANS, SHARES, MODEL, TEST = KINDS
NONE = CommandWords("nothing")


def written(folder: Path, plan: Plan | None = None) -> Path:
    """A release of 500 records in a folder."""
    release(RECORDS, lively_survey(), plan or survey_plan(), folder, untracked())
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    # So little noise that a model of two of its questions fits in every draw.
    plan = survey_plan()
    for name, kind in (("colour", Grr), ("fruit", Oue)):
        plan = plan.with_column(name, mechanism=kind(epsilon=Decimal(4)))
    return written(tmp_path / "release", plan.with_fields(budget=Decimal(10)))


@pytest.fixture
def room(page: ReleasePage, folder: Path, qtbot: QtBot) -> TablesRoom:
    """The room with the release open, and no plan."""
    page.show_release(folder)
    until_idle(page.tables, qtbot)
    return page.tables


def until_idle(room: TablesRoom, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not room.watch.is_running)


def ask(room: TablesRoom, hands: Hands, kind: object, *names: str) -> None:
    """Picks a kind of question and its columns by the keys, and estimates."""
    place = KINDS.index(kind)
    hands.pick(room.form.kind, room.form.kind.itemText(place))
    for part, name in zip(room.form.parts, names, strict=False):
        hands.pick(part.box, name or "none")
    hands.click(room.run)
    until_idle(room, hands.qtbot)


QUESTIONS = [
    (TABLE, ("colour", "", "fruit"), ["--cross", "colour,fruit"]),
    (TABLE, ("colour", "region", "fruit"), ["--cross", "colour,region,fruit"]),
    (MEANS, ("age", "fruit", ""), ["--mean", "age", "--by", "fruit"]),
    (MEANS, ("age", "fruit", "colour"), ["--mean", "age", "--by", "fruit,colour"]),
    (SHARES, ("colour", "fruit", ""), ["--share", "colour", "--by", "fruit"]),
    (TEST, ("colour", "fruit"), ["--test", "colour,fruit"]),
]


@pytest.mark.parametrize(("kind", "names", "words"), QUESTIONS)
def test_that_the_window_writes_what_the_command_line_writes(
    room: TablesRoom,
    page: ReleasePage,
    hands: Hands,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: object,
    names: tuple[str, ...],
    words: list[str],
) -> None:
    ask(room, hands, kind, *names)
    assert room.results.isVisible()
    options = map("=".join, zip(words[::2], words[1::2], strict=True))
    assert (page.command() or NONE).words() == ("estimate", str(folder), *options)
    room.results.save(tmp_path / "window.json")
    room.results.save(tmp_path / "window.csv")
    assert main(["estimate", str(folder), *words, "--json"]) == 0
    assert (tmp_path / "window.json").read_text(encoding="utf-8") == capsys.readouterr().out
    table = tmp_path / "command.csv"
    assert main(["estimate", str(folder), *words, "--table", str(table)]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "window.csv").read_bytes() == table.read_bytes()
    hands.click(room.results.copy)
    assert QGuiApplication.clipboard().text() == table.read_text(encoding="utf-8")


def test_that_another_kind_has_no_optional_column(room: TablesRoom, hands: Hands) -> None:
    ask(room, hands, TABLE, "colour", "region", "fruit")
    for kind in (MEANS, SHARES):
        hands.pick(room.form.kind, room.form.kind.itemText(KINDS.index(kind)))
        assert room.form.parts[2].name() == ""
        assert room.form.question() is not None
        hands.pick(room.form.parts[2].box, "region")


def test_that_the_first_table_is_shown_at_once_with_the_possible_one_beside(
    room: TablesRoom, hands: Hands
) -> None:
    results = room.results
    told = results.answer().content()
    assert told["columns"] == ("colour", "fruit")
    unbiased = table_texts(results.tables.unbiased)
    assert [row[0] for row in unbiased] == ["red", "green", "blue"]
    shown = [text.removesuffix("\N{NO-BREAK SPACE}%") for row in unbiased for text in row[1:]]
    for text, cell in zip(shown, told["cells"], strict=True):
        assert float(text.replace("\N{MINUS SIGN}", "-")) == pytest.approx(
            100 * cell["share"], abs=0.51
        )
    assert results.worth.isVisible()
    assert "an estimated cell of colour and fruit" in results.worth.sentence()
    choice = results.tables.choice
    assert [choice.itemText(i) for i in range(choice.count())] == ["Possible", "Most likely"]
    possible = table_texts(results.tables.possible)
    assert all("\N{MINUS SIGN}" not in text for row in possible for text in row[1:])
    index = results.tables.unbiased.model().index(1, 2)
    hands.click_at(results.tables.unbiased, index)
    assert results.cell.text().startswith("colour: green, fruit: pear: ")
    assert "95 % interval" in results.cell.text()
    assert "most likely" in results.cell.text()
    assert results.tables.possible.currentIndex().row() == 1


def test_that_intervals_are_dots_on_an_axis(room: TablesRoom, hands: Hands) -> None:
    hands.turn_to(room.results.tabs, "Intervals")
    lines = room.results.lines.lines
    cells = room.results.answer().content()["cells"]
    assert [row.name for row in lines.rows][:2] == ["red · apple", "red · pear"]
    for row, cell in zip(lines.rows, cells, strict=True):
        drawn = lines.drawn(row)
        assert (drawn.estimate, drawn.lower, drawn.upper) == (
            cell["share"],
            cell["lower"],
            cell["upper"],
        )
        assert lines.scale.lower <= cell["lower"] < cell["upper"] <= lines.scale.upper
    spoken = lines.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Estimate" in spoken
    assert "Most likely" in spoken


def test_that_a_model_is_put_together_from_ticks_and_equals_the_command_lines(
    room: TablesRoom, hands: Hands, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands.pick(room.form.kind, "Model")
    model = room.form.model
    assert (room.run.isEnabled(), "Tick a column" in room.run.toolTip()) == (False, True)
    hands.pick(model.outcome, "fruit")
    row = index_of(model.predictors, "colour")
    model.predictors.setFocus()
    model.predictors.setCurrentIndex(row)
    hands.qtbot.keyClick(model.predictors, Qt.Key.Key_Space)
    assert (model.formula.text(), room.run.toolTip()) == ("fruit ~ colour", "")
    hands.click(room.run)
    until_idle(room, hands.qtbot)
    assert main(["estimate", str(folder), "--formula", "fruit ~ colour", "--json"]) == 0
    assert json.loads(room.results.json()) == json.loads(capsys.readouterr().out)
    lines = table_texts(room.results.lines)
    assert [line[0] for line in lines] == ["Intercept", "colour[T.green]", "colour[T.red]"]
    assert "medium effect" in room.results.worth.sentence()
    # A formula that is typed stands; Enter asks it, and the other fields follow it.
    hands.type(model.formula, "age ~ fruit")
    until_idle(room, hands.qtbot)
    assert room.results.heading.text() == "Linear regression of age"
    assert room.focusWidget() is model.formula
    assert (model.outcome.currentData(), model.ticked()) == ("age", ("fruit",))
    assert not model.beyond.isVisible()
    units = [row["unit"] for row in json.loads(room.results.json())["coefficients"]]
    assert units == ["years"] * 2


def test_that_the_fields_of_a_model_follow_the_formula_or_say_that_they_cannot(
    room: TablesRoom, hands: Hands
) -> None:
    hands.pick(room.form.kind, "Model")
    model = room.form.model
    for formula, ticked, together, says in (
        ("fruit ~ colour + age", ("colour", "age"), False, ""),
        ("fruit ~ colour*age", ("colour", "age"), True, ""),
        ("fruit ~ C(colour) + age", ("colour", "age"), False, "says more than the ticks"),
        ("fruit ~ nothing", ("colour", "age"), False, "do not show this formula"),
    ):
        model._take_formula(formula)
        assert model.formula.text() == formula
        assert model.outcome.currentData() == "fruit"
        assert set(model.ticked()) == set(ticked)
        assert model.together.isChecked() == together
        assert model.beyond.isVisible() == bool(says)
        assert says in model.beyond.text()
    hands.click(model.together)
    assert not model.beyond.isVisible()
    assert ":" in model.formula.text()


def test_that_the_test_shows_where_answers_depend(room: TablesRoom, hands: Hands) -> None:
    ask(room, hands, TEST, "colour", "fruit")
    results, told = room.results, room.results.answer().content()
    assert results.worth.sentence() == results.answer().verdict
    depends = told["test"]["p_value"] < 0.05
    assert results.answer().verdict.id == f"engine.{'' if depends else 'in'}dependent"
    assert "degree" in results.facts.text()
    choice = results.tables.choice
    assert [choice.itemText(i) for i in range(choice.count())] == ["Residuals", "Expected"]
    residuals = table_texts(results.tables.possible)
    most = max(told["cells"], key=lambda cell: abs(cell["residual"]))
    shown = [text.replace("\N{MINUS SIGN}", "-") for row in residuals for text in row[1:]]
    assert max(abs(float(text)) for text in shown) == pytest.approx(abs(most["residual"]), abs=0.06)
    for cell in told["cells"]:
        assert (cell["observed"] > cell["expected"]) == (cell["residual"] > 0)
    hands.click_at(results.tables.unbiased, results.tables.unbiased.model().index(1, 2))
    assert results.cell.text().startswith("colour: green, fruit: pear: ")
    assert "if independent" in results.cell.text()


def test_that_what_is_no_release_leaves_the_one_that_is_open(
    room: TablesRoom, page: ReleasePage, tmp_path: Path, qtbot: QtBot
) -> None:
    opened, answer = room.opened(), room.results.answer()
    (tmp_path / "holiday").mkdir()
    page.show_release(tmp_path / "holiday")
    until_idle(room, qtbot)
    assert room.opened() is opened
    assert room.results.answer() is answer
    assert room.results.isVisible()
    assert room.notice.message().startswith("holiday was not opened; ")
    assert "there is no plan.json in it" in room.notice.message()
    assert room.run.isEnabled()
    # And another one that is a release is opened in its place.
    page.show_release(written(tmp_path / "second"))
    until_idle(room, qtbot)
    assert room.opened().release.place == tmp_path / "second"
    assert not room.notice.isVisible()


@pytest.mark.parametrize(
    ("wanted", "question"),
    [
        ("fruit x colour", ("cross", ("fruit", "colour"))),
        ("age by fruit", ("mean", ("fruit",))),
        ("age ~ C(fruit)", ("formula", "age ~ C(fruit)")),
    ],
)
def test_that_the_first_answer_is_the_analysis_that_the_plan_wants(
    page: ReleasePage, tmp_path: Path, qtbot: QtBot, wanted: str, question: tuple[str, object]
) -> None:
    plan = survey_plan().with_fields(analyses=("gone x fruit", wanted))
    page.show_release(written(tmp_path / "wanted", plan))
    until_idle(page.tables, qtbot)
    told = page.tables.results.answer().content()
    assert (told["question"], told.get("columns", told.get("formula"))) == question


def test_that_names_are_completed_in_a_formula() -> None:
    names = ("colour", "net income", "age")
    assert continued("age ~ co", names) == ("age ~ colour",)
    assert continued("age ~ colour + ne", names) == ("age ~ colour + `net income`",)
    assert continued("age ~ `net", names) == ("age ~ `net income`",)
    assert continued("age ~ ", names) == ()


def test_that_what_cannot_be_crossed_says_why_and_what_can_be_had(
    room: TablesRoom, hands: Hands
) -> None:
    hands.pick(room.form.kind, "Table")
    first = room.form.parts[0]
    hands.pick(first.box, "age")
    assert first.refusal.isVisible()
    numbers = T.HOLDS_NUMBERS(column="age")
    assert first.refusal.text() == f"{numbers} {numbers.remedy}"
    assert not room.run.isEnabled()
    hands.pick(first.box, "colour")
    assert not first.refusal.isVisible()
    assert room.run.isEnabled()
    hands.pick(room.form.kind, "Means")
    number = room.form.parts[0]
    assert number.name() == "age"
    hands.pick(number.box, "fruit")
    assert T.HOLDS_CATEGORIES(column="fruit") in number.refusal.text()


def test_that_columns_that_no_record_tells_together_say_so(
    page: ReleasePage, tmp_path: Path, qtbot: QtBot, hands: Hands
) -> None:
    plan = survey_plan().with_fields(strategy="smp", budget=Decimal(2))
    page.show_release(written(tmp_path / "smp", plan))
    room = page.tables
    until_idle(room, qtbot)
    hands.pick(room.form.kind, "Table")
    # Beside a column that was released as it is one protected column can be looked at.
    assert room.form.names() == ("colour", "region")
    columns = room.form.parts[2]
    hands.pick(columns.box, "fruit")
    assert T.ONE_REPORT_EACH(columns="“colour” and “fruit”") in columns.refusal.text()
    assert "the strategy “split”" in columns.refusal.text()
    assert not room.run.isEnabled()


def test_that_strata_are_named_from_what_was_released_as_it_is(
    room: TablesRoom, hands: Hands, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands.click(room.form.more)
    hands.pick(room.form.clusters.box, "region")
    ask(room, hands, MEANS, "age", "fruit", "")
    words = ["--mean", "age", "--by", "fruit", "--clusters", "region", "--json"]
    assert main(["estimate", str(folder), *words]) == 0
    assert json.loads(room.results.json()) == json.loads(capsys.readouterr().out)


def test_that_what_fails_says_so_and_another_question_can_be_asked(
    room: TablesRoom, hands: Hands
) -> None:
    hands.pick(room.form.kind, "Model")
    hands.type(room.form.model.formula, "age ~ nothing")
    until_idle(room, hands.qtbot)
    assert "nothing" in room.notice.message()
    assert not room.results.isVisible()
    ask(room, hands, TABLE, "colour", "", "fruit")
    assert room.results.isVisible()
    assert not room.notice.isVisible()


def test_that_a_running_estimate_can_be_cancelled(
    room: TablesRoom, hands: Hands, page: ReleasePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*asked: object) -> None:
        tracker = asked[-1]
        while True:
            tracker.tick()

    monkeypatch.setattr(tables_room, "answer_question", endless)
    room.run.setFocus()
    hands.click(room.run)
    assert room.watch.is_running
    assert "Esc cancels" in room.run.toolTip()
    assert not room.run.isEnabled()
    cancel = next(a for a in page.page_actions() if a.text() == "&Cancel")
    assert cancel.isEnabled()
    hands.qtbot.keyClick(page, Qt.Key.Key_Escape)
    until_idle(room, hands.qtbot)
    assert room.notice.message() == "Nothing was estimated."
    assert room.run.isEnabled()
    # The button that was pressed has the focus again.
    assert room.focusWidget() is room.run


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, key))


def test_that_an_analyst_without_a_plan_drops_a_folder_and_gets_a_table(
    started: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    drop(started, folder)
    page = started.pages["release"]
    assert started.current_page() is page
    until_idle(page.tables, qtbot)
    assert page.tables.results.isVisible()
    assert started._document.table is None
    assert started._document.plan == Plan()
    titles = [action.text() for action in started.page_menu._menu.actions()]
    assert "Save as &JSON…" in titles
    page.tables.back.click()
    assert page.view() is page.pane().empty
    titles = [action.text() for action in started.page_menu._menu.actions()]
    assert "Save as &JSON…" not in titles


def edited(folder: Path) -> None:
    records = folder / "records.csv"
    records.write_bytes(records.read_bytes().replace(b"\nblue", b"\ngrey", 1))


def without_plan(folder: Path) -> None:
    (folder / "plan.json").unlink()


def of_nonsense(folder: Path) -> None:
    (folder / "plan.json").write_text("[" * 100_000)
    (folder / "manifest.json").unlink()


def of_other_columns(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "records.parquet").unlink()
    (folder / "records.csv").write_text("a,b\n1,2\n")


def emptied(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def of_statistics(folder: Path) -> None:
    (folder / "statistics.csv").write_text("a\n")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (edited, ReleasesT.CHANGED(file="records.csv")),
        (without_plan, "release is not a release: there is no plan.json in it."),
        (emptied, "release is not a release: there is no plan.json in it."),
        (of_nonsense, "plan"),
        (of_other_columns, T.RECORDS_LACK(column="colour")),
        (of_statistics, ReleasesT.OF_STATISTICS(file="statistics.csv")),
    ],
)
def test_that_a_spoilt_folder_gets_a_sentence(
    page: ReleasePage, folder: Path, qtbot: QtBot, spoil: object, told: str
) -> None:
    spoil(folder)
    page.show_release(folder)
    until_idle(page.tables, qtbot)
    notice = page.tables.notice
    assert notice.isVisible()
    assert told in notice.message()
    assert notice.message().endswith(".")
    assert not page.tables.results.isVisible()
    assert "--" not in notice.message()


def test_that_a_folder_without_manifest_is_used_with_a_warning(
    page: ReleasePage, folder: Path, qtbot: QtBot
) -> None:
    (folder / "manifest.json").unlink()
    page.show_release(folder)
    until_idle(page.tables, qtbot)
    assert page.tables.results.isVisible()
    assert ReleasesT.NO_MANIFEST() in page.tables.notice.message()
    assert page.tables.results.answer().content()["verified"] is False


def test_that_the_release_at_hand_leads_there(
    ready: ReleasePage, qtbot: QtBot, wait: object, hands: Hands
) -> None:
    ready.records.start_button.click()
    wait()
    qtbot.waitUntil(lambda: ready.records.view() is ready.records.results)
    wait()
    hands.click(ready.records.results.tables)
    until_idle(ready.tables, qtbot)
    assert ready.view() is ready.tables
    assert ready.tables.opened().release.place == ready.records.results.result().folder
    assert ready.tables.results.isVisible()


def test_that_going_to_the_release_leaves_tables_of_another(
    room: TablesRoom, page: ReleasePage
) -> None:
    assert page.view() is room
    page.show_path("")
    assert page.view() is page.pane().empty


def test_that_both_tables_have_columns_of_one_width(room: TablesRoom) -> None:
    tables = room.results.tables
    for column in range(3):
        assert tables.unbiased.columnWidth(column) == tables.possible.columnWidth(column)


def test_that_a_release_that_was_written_anew_is_read_anew(
    room: TablesRoom, page: ReleasePage, folder: Path, qtbot: QtBot
) -> None:
    opened = room.opened()
    page.show_release(folder)
    assert room.opened() is opened
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    written(folder)
    page.show_release(folder)
    until_idle(room, qtbot)
    assert room.opened() is not opened
