from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.messages import ask_stop
from dpdesk.gui.pages.page import place_of_path
from dpdesk.gui.settings import RECENT_MAX, Settings
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import Plan, PlanDetails, save_plan
from dpdesk.plan.synthesis import Synthesis
from dpdesk.releases.synthetic import SYNTHETIC
from tests.gui.cut_text import settle
from tests.gui.sample_plans import unplan
from tests.gui.shell_pages import PAGES


@pytest.fixture
def window(settings: Settings, qtbot: QtBot) -> MainWindow:
    made = MainWindow(settings, PAGES)
    qtbot.addWidget(made, before_close_func=lambda window: window._document.undo_stack.setClean())
    made.furnish(Document(made))
    # A question that a test does not expect must not wait for ever.
    made.files._ask = lambda parent, name: "discard"
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def shell(window: MainWindow) -> Document:
    assert window._document is not None
    return window._document


def menu_actions(window: MainWindow) -> list[QAction]:
    found: list[QAction] = []

    def walk(actions: list[QAction]) -> None:
        for action in actions:
            if action.menu() is not None:
                walk(action.menu().actions())
            elif not action.isSeparator():
                found.append(action)

    walk(window.menuBar().actions())
    return found


def trigger(window: MainWindow, text: str) -> None:
    action = next(a for a in menu_actions(window) if a.text().replace("&", "") == text)
    assert action.isEnabled()
    action.trigger()


def answer(window: MainWindow, monkeypatch: pytest.MonkeyPatch, reply: str) -> list[str]:
    asked: list[str] = []
    monkeypatch.setattr(window.files, "_ask", lambda parent, name: asked.append(name) or reply)
    return asked


def test_that_the_rail_leads_to_the_pages(window: MainWindow) -> None:
    assert window.current_page() is window.pages["data"]
    window.rail.set_current("plan")
    assert window.current_page() is window.pages["plan"]
    assert window.pages["plan"].isVisible()
    assert not window.pages["data"].isVisible()


def test_that_a_page_can_send_the_user_elsewhere(window: MainWindow) -> None:
    window.pages["data"].goTo.emit("plan", "columns.age.mechanism")
    assert window.rail.current() == "plan"
    assert window.pages["plan"].shown == ["columns.age.mechanism"]


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("columns.age.domain", "data"),
        ("columns.a.b.missing", "data"),
        ("columns", "data"),
        ("columns.age.mechanism", "plan"),
        ("columns.age.mechanism.epsilon", "plan"),
        ("columns.age.role", "plan"),
        ("budget", "plan"),
        ("", "data"),
    ],
)
def test_that_a_problem_is_mended_where_its_field_is(path: str, key: str) -> None:
    assert place_of_path(path) == key


def test_that_the_title_tells_file_and_unsaved_changes(
    window: MainWindow, shell: Document, tmp_path: Path
) -> None:
    shell.edit("Respondents", Plan(respondents=10))
    assert window.windowTitle() == "Untitled[*] – dpdesk"
    assert window.isWindowModified()
    shell.save_plan(tmp_path / "<b>.json")
    assert window.windowTitle() == "<b>.json[*] – dpdesk"
    assert not window.isWindowModified()


def test_that_every_action_has_words_and_a_shortcut_of_its_own(
    window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "plan.json"
    save_plan(Plan(), path)
    window.open(path)
    actions = [a for a in menu_actions(window) if a is not window.pages["data"].act]
    shortcuts = [s.toString() for a in actions for s in a.shortcuts()]
    assert all(action.text() and not action.shortcut().isEmpty() for action in actions)
    assert len(shortcuts) == len(set(shortcuts))


def test_that_the_menu_of_a_page_is_there_while_the_page_is(window: MainWindow) -> None:
    act = window.pages["data"].act
    assert act in menu_actions(window)
    window.go_to("plan")
    assert act not in menu_actions(window)


def test_that_undo_and_redo_are_in_the_menu(window: MainWindow, shell: Document) -> None:
    shell.edit("Respondents", Plan(respondents=10))
    trigger(window, "Undo Respondents")
    assert shell.plan == Plan()
    trigger(window, "Redo Respondents")
    assert shell.plan == Plan(respondents=10)


def test_that_closing_asks_for_unsaved_changes(
    window: MainWindow, shell: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer(window, monkeypatch, "cancel")
    shell.edit("Respondents", Plan(respondents=10))
    assert not window.close()
    assert window.isVisible()
    assert not window.pages["data"].was_shut_down
    answer(window, monkeypatch, "discard")
    assert window.close()
    assert window.pages["data"].was_shut_down
    assert asked == ["Untitled"]


def test_that_closing_asks_before_it_stops_a_release(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    replies = iter([False, True])
    page = window.pages["data"]
    monkeypatch.setattr(page, "unfinished_work", lambda: "A release is being made.")
    monkeypatch.setattr(window, "ask_stop", lambda _, work: asked.append(work) or next(replies))
    assert not window.close()
    assert window.isVisible()
    assert not page.was_shut_down
    assert window.close()
    assert page.was_shut_down
    assert asked == ["A release is being made."] * 2


@pytest.mark.parametrize(
    ("key", "stops"), [(Qt.Key.Key_Return, False), (Qt.Key.Key_Escape, False), (None, True)]
)
def test_that_only_a_deliberate_word_stops_work(
    window: MainWindow, qtbot: QtBot, key: Qt.Key | None, stops: bool
) -> None:
    def reply() -> None:
        box = window.findChild(QMessageBox)
        assert "<b>x</b>" in box.text()
        assert box.textFormat() == Qt.TextFormat.PlainText
        if key is None:
            next(b for b in box.buttons() if "Stop" in b.text()).click()
        else:
            qtbot.keyClick(box, key)

    QTimer.singleShot(0, reply)
    assert ask_stop(window, "<b>x</b> runs.") is stops


def test_that_nothing_is_saved_over_the_data_that_are_open(
    window: MainWindow,
    shell: Document,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    data = tmp_path / "s.json"
    data.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    (tmp_path / "link.json").symlink_to(data)
    with qtbot.waitSignal(shell.tableChanged):
        shell.open_table(data)
    for name in ("s.json", "link.json"):
        monkeypatch.setattr(
            "dpdesk.gui.save_dialog.QFileDialog.getSaveFileName",
            lambda *_, name=name: (str(tmp_path / name), ""),
        )
        assert not window.files.save_as()
        box = next(box for box in window.findChildren(QMessageBox) if box.isVisible())
        assert "would be destroyed" in box.text()
        box.close()
    assert data.read_text(encoding="utf-8").startswith("a,b")


def test_that_a_name_that_gets_its_ending_replaces_no_file_that_nobody_was_asked_about(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = tmp_path / "plan.json"
    precious.write_text("precious", encoding="utf-8")
    for name, saved in (("plan", False), ("plan.json", True)):
        monkeypatch.setattr(
            "dpdesk.gui.save_dialog.QFileDialog.getSaveFileName",
            lambda *_, name=name: (str(tmp_path / name), ""),
        )
        assert window.files.save_as() is saved
        assert (precious.read_text(encoding="utf-8") != "precious") is saved


def test_that_closing_a_saved_plan_asks_nothing(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answer(window, monkeypatch, "cancel")
    assert window.close()
    assert asked == []


def test_that_saving_at_the_question_saves(
    window: MainWindow, shell: Document, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer(window, monkeypatch, "save")
    path = tmp_path / "plan"
    monkeypatch.setattr(
        "dpdesk.gui.save_dialog.QFileDialog.getSaveFileName", lambda *_: (str(path), "")
    )
    shell.edit("Respondents", Plan(respondents=10))
    trigger(window, "New plan")
    assert path.with_suffix(".json").is_file()
    assert shell.plan == Plan()


def test_that_giving_up_the_choice_of_a_file_leaves_nothing(
    window: MainWindow, shell: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(window, monkeypatch, "save")
    monkeypatch.setattr("dpdesk.gui.save_dialog.QFileDialog.getSaveFileName", lambda *_: ("", ""))
    shell.edit("Respondents", Plan(respondents=10))
    trigger(window, "New plan")
    assert shell.plan == Plan(respondents=10)


def test_that_a_dropped_plan_is_opened_and_remembered(
    window: MainWindow, shell: Document, settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "plan.json"
    save_plan(Plan(respondents=77), path)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, button, key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier
    enter = QDragEnterEvent(QPoint(5, 5), action, data, button, key.NoModifier)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(QPointF(5, 5), action, data, button, key.NoModifier))
    assert shell.plan == Plan(respondents=77)
    assert settings.recent_files() == (path,)


@pytest.mark.parametrize("urls", [[], ["https://example.org/a.csv"], ["file:///a", "file:///b"]])
def test_that_a_drop_of_anything_but_one_file_is_refused(
    window: MainWindow, urls: list[str]
) -> None:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    assert window.files.dropped_file(data) is None


@pytest.mark.parametrize("kind", ["csv", "picture"])
def test_that_whatever_is_dropped_is_opened_or_refused_with_a_sentence(
    window: MainWindow, shell: Document, tmp_path: Path, qtbot: QtBot, kind: str
) -> None:
    path = tmp_path / {"csv": "a.csv", "picture": "a.png"}[kind]
    path.write_bytes(b"sex,age\nf,31\nm,44\n" if kind == "csv" else b"\x89PNG\r\n\x1a\n\0\0")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    refusals: list[str] = []
    shell.failed.connect(lambda error: refusals.append(str(error)))
    with qtbot.waitSignal(shell.loading.ended):
        window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, key))
    assert (shell.table is not None) == (kind == "csv")
    assert len(refusals) == (kind != "csv")
    assert all(path.name in text and text.endswith(".") for text in refusals)


def test_that_a_file_that_cannot_be_opened_is_told_literally(
    window: MainWindow, shell: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "<b>no.json"
    path.write_text("[]", encoding="utf-8")
    window.open(path)
    box = window.findChild(QMessageBox)
    assert box is not None
    assert box.textFormat() == Qt.TextFormat.PlainText
    assert "<b>no.json" in box.text()
    assert "Open a file that was saved as a plan." in box.text()
    assert shell.plan_path is None
    box.close()


def test_that_f6_goes_from_pane_to_pane_and_back(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    page = window.pages["data"]
    page.fields[0].setFocus()
    trigger(window, "Next pane")
    assert page.fields[1].hasFocus()
    trigger(window, "Next pane")
    assert window.rail.isAncestorOf(window.focusWidget())
    trigger(window, "Next pane")
    assert page.fields[0].hasFocus()
    trigger(window, "Pane before")
    assert window.rail.isAncestorOf(window.focusWidget())
    assert window.focusWidget().accessibleName() == "Data"


def test_that_esc_cancels_what_runs_on_the_page(window: MainWindow, qtbot: QtBot) -> None:
    page = window.pages["data"]
    page.running = True
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not page.running
    assert not window.cancel()


def test_that_the_status_tells_the_worst_problem_and_leads_to_it(
    window: MainWindow, shell: Document, qtbot: QtBot
) -> None:
    status = window.status
    assert status.message() == "Open a data file, or drop one on the window."
    with qtbot.waitSignal(shell.loading.ended):
        window.files.open_sample()
    unplan(shell)
    named = PlanDetails(title="A survey", curator="An office")
    shell.edit("Details", shell.plan.with_fields(details=named))
    assert "not assigned" in status.message()
    # One line tells of all nine, so that there is one problem to show.
    assert status._link.text() == "Show"
    with qtbot.waitSignal(status.problemActivated):
        status._link.click()
    assert window.rail.current() == "plan"
    assert window.pages["plan"].shown[-1].endswith(".role")
    # A page that does not show the plan has nothing to say of it.
    status.set_plan_shown(False)
    assert (status.message(), status._link.isVisible()) == ("", False)
    status.set_plan_shown(True)
    assert "not assigned" in status.message()
    # Of a kind that was planned last and is not seen here the line says which it is.
    with qtbot.waitSignal(shell.loading.ended):
        window.files.open_sample()
    shell.set_release_kind(SYNTHETIC)
    window.go_to("data")
    shell.edit("e", shell.plan.with_fields(synthesis=Synthesis(epsilon=Decimal("0.02"))))
    assert shell.problems[0].code == "useless"
    assert status.message() == f"Synthetic: {shell.problems[0].message}"


def test_that_the_status_tells_what_is_saved_and_released(
    window: MainWindow, shell: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    assert window.status.saved_text() == "last release: none"
    shell.edit("Respondents", Plan(respondents=10))
    assert window.status.saved_text() == "Unsaved changes · last release: none"
    shell.save_plan(tmp_path / "plan.json")
    shell.set_last_release(tmp_path / "release-1")
    assert window.status.saved_text() == "Plan saved · last release: release-1"
    # A long name leaves room for what stands in the way of a release, and is not cut by the end.
    status, name = window.status, "release-of-a-long-name" * 9
    status.tell("The report has no title, and names no curator to ask of it.")
    shell.set_last_release(tmp_path / name)
    window.resize(1024, 700)
    window.show()
    settle(window, qtbot)
    assert status._saved.sizeHint().width() <= status._saved.width()
    assert name in status._saved.toolTip()
    assert status._message.text() == status.message()


def test_that_the_theme_menu_chooses_and_remembers(
    window: MainWindow, settings: Settings, theme: ThemeSwitch
) -> None:
    trigger(window, "Dark")
    assert theme.theme.name == "dark"
    assert settings.theme() == "dark"
    trigger(window, "Light")
    assert theme.theme.name == "light"


def test_that_help_and_limits_and_about_can_be_read(window: MainWindow) -> None:
    from dpdesk.gui.about import AboutDialog
    from dpdesk.gui.help import HelpWindow

    trigger(window, "Help")
    pages = window.findChild(HelpWindow)
    assert "The way from a file to a release" in pages.pages.toPlainText()
    trigger(window, "Known limits")
    assert "What is not protected" in pages.pages.toPlainText()
    pages.close()
    trigger(window, "About dpdesk")
    about = window.findChild(AboutDialog)
    about.copy_versions()
    assert "numpy" in about._text
    # An installation brings each licence with its package.
    assert not [button for button in about.findChildren(QPushButton) if "hird" in button.text()]
    about.close()


def test_that_recent_files_are_listed_latest_first_without_those_that_are_gone(
    settings: Settings, tmp_path: Path
) -> None:
    paths = [tmp_path / f"plan{i}.json" for i in range(RECENT_MAX + 3)]
    for path in paths:
        path.write_text("{}", encoding="utf-8")
        settings.add_recent(path)
    settings.add_recent(paths[5])
    expected = [paths[5], *(p for p in reversed(paths) if p != paths[5])][:RECENT_MAX]
    assert list(settings.recent_files()) == expected
    paths[5].unlink()
    assert list(settings.recent_files()) == expected[1:]
    settings.clear_recent()
    assert settings.recent_files() == ()


def test_that_one_recent_file_survives_a_restart(tmp_path: Path) -> None:
    from PySide6.QtCore import QSettings

    store = str(tmp_path / "settings.ini")
    path = tmp_path / "a, b & c.csv"
    path.touch()
    first = QSettings(store, QSettings.Format.IniFormat)
    Settings(first).add_recent(path)
    first.sync()
    del first
    assert Settings(QSettings(store, QSettings.Format.IniFormat)).recent_files() == (path,)


def test_that_the_file_that_is_chosen_is_opened_and_none_where_none_is(
    window: MainWindow,
    shell: Document,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    plan, data = tmp_path / "a" / "survey.json", tmp_path / "b" / "survey.csv"
    for path in (plan, data):
        path.parent.mkdir()
    save_plan(Plan(respondents=77), plan)
    data.write_text("sex,age\nf,31\nm,44\n", encoding="utf-8")
    folders: list[str] = []
    chosen = ""

    def choose(parent: object, title: str, folder: str, kinds: str) -> tuple[str, str]:
        folders.append(folder)
        return chosen, kinds

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    for text in ("Open plan…", "Open data…"):
        trigger(window, text)
    assert (shell.plan_path, shell.table_path) == (None, None)
    chosen = str(plan)
    trigger(window, "Open plan…")
    assert (shell.plan_path, shell.plan.respondents) == (plan, 77)
    chosen = str(data)
    trigger(window, "Open data…")
    qtbot.waitUntil(lambda: shell.table_path == data and not shell.loading.is_running)
    # Each dialog begins beside the file that was used last.
    assert folders[-1] == str(plan.parent)
