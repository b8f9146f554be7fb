from __future__ import annotations

import threading
from decimal import Decimal
from functools import partial

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QPushButton

from dpdesk.engine.jobs import Job
from dpdesk.gui.pages.data.column_editor import ROWS
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.data.page import AllowedUnfit
from dpdesk.gui.pages.data.reading_options import ReadingOptions
from dpdesk.gui.pages.data.start_view import StartView
from dpdesk.plan import Plan, draft_questionnaire, save_plan
from dpdesk.plan.checks.texts import T
from tests.gui.day_steps import answer_box
from tests.gui.sample_plans import unplan


def options_dialog() -> ReadingOptions:
    shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, ReadingOptions)]
    return next(w for w in shown if w.isVisible())


def test_that_the_page_begins_with_a_start_that_offers_file_sample_and_questionnaire(page):
    assert page.start.isVisible()
    assert not page.variables.isVisible()
    assert not page.header.isVisible()
    for button in (page.start.open_button, page.start.sample_button):
        assert button.isVisible()
    assert page.start.questionnaire_button.isVisible()
    assert page.panes() == [page.start.open_button]


def test_that_the_start_names_the_program_and_fills_a_wide_window(qtbot) -> None:
    start = StartView()
    qtbot.addWidget(start)
    start.show()
    assert "dpdesk" in [label.text() for label in start.findChildren(QLabel)]
    buttons = (start.open_button, start.questionnaire_button, start.learn_button)
    for width, across in ((900, 1), (1830, 3)):
        start.resize(width, 900)
        places = [button.mapTo(start, QPoint(0, 0)).x() for button in buttons]
        assert len(set(places)) == across


def test_that_one_click_opens_the_sample(qtbot, page, document, wait):
    qtbot.mouseClick(page.start.sample_button, Qt.MouseButton.LeftButton)
    wait()
    assert page.variables.isVisible()
    assert (
        page.header.facts()
        == "6,366 respondents · 9 columns · comma-separated, UTF-8, decimal point"
    )
    done = "Every domain is confirmed and every column has a role."
    assert page.variables.state_text() == done
    # Who releases it is asked, as of any other survey.
    assert [problem.code for problem in document.problems] == ["report_unnamed"]
    unplan(document)
    assert page.variables.state_text() == "9 domains to confirm · 9 columns unassigned"
    assert not page.commands.reading.isVisible()
    assert page.panes() == [page.variables.view, page.editor]


def test_that_a_file_dropped_on_the_start_is_opened(page, survey, document, wait):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(survey))])
    drop = QDropEvent(
        QPointF(20, 20),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    page.start.dropEvent(drop)
    wait()
    assert document.table is not None
    assert document.table.rows == 120


def test_that_a_file_that_was_opened_is_a_recent_one_on_the_next_start(
    qtbot, page, survey, document, wait
):
    page._settings.add_recent(survey)
    document.reset(draft_questionnaire(10))
    document.new()

    def buttons():
        known = page.start.findChildren(QPushButton)
        return [b for b in known if b.text() == survey.name and b.isVisible()]

    qtbot.waitUntil(lambda: len(buttons()) == 1)
    qtbot.mouseClick(buttons()[0], Qt.MouseButton.LeftButton)
    wait()
    assert document.table is not None
    page._settings.clear_recent()


def test_that_a_plan_opened_from_the_start_stands_without_data(page, tmp_path, document):
    path = tmp_path / "plan.json"
    save_plan(draft_questionnaire(500), path)
    page.open_file(path)
    assert document.plan.respondents == 500
    assert page.header.open_button.isVisible()
    page._settings.clear_recent()


def test_that_a_file_that_is_no_plan_is_refused_in_place(page, tmp_path, document):
    path = tmp_path / "plan.json"
    path.write_text('{"format": "secret-token"}', encoding="utf-8")
    page.open_file(path)
    assert page.notice.isVisible()
    assert "secret-token" not in page.notice.message()
    assert document.plan == Plan()


def test_that_a_load_error_names_line_and_remedy_and_leaves_the_document_alone(
    qtbot, opened, tmp_path, document, wait
):
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\nsecret-token\n", encoding="utf-8")
    before = document.plan, document.table
    opened.document.open_table(bad)
    with qtbot.waitSignal(opened.goTo) as gone:
        wait()
    assert gone.args == ["data", ""]
    assert opened.notice.isVisible()
    assert "line 3" in opened.notice.message()
    assert "secret-token" not in opened.notice.message()
    assert (document.plan, document.table) == before
    assert opened.variables.isVisible()


def test_that_a_file_that_could_not_be_read_can_be_read_otherwise(
    qtbot, page, tmp_path, document, wait
):
    path = tmp_path / "latin.csv"
    path.write_bytes("navn;by\nPål;Moss\nÅse, jr;Oslo\n".encode("utf-16-le"))
    page.open_file(path)
    wait()
    if document.table is None:
        page.notice.actionTriggered.emit()
        dialog = options_dialog()
        dialog.encoding.setCurrentIndex(dialog.encoding.findText("UTF-16"))
        dialog.accept()
        wait()
    assert document.table.names == ("navn", "by")


def test_that_a_file_read_with_the_wrong_delimiter_is_read_again_with_another(
    qtbot, page, tmp_path, document, wait
):
    path = tmp_path / "semicolons.csv"
    path.write_text("a;b,c\n1;2,5\n3;4,5\n", encoding="utf-8")
    document.open_table(path, delimiter=",")
    wait()
    assert document.table.names == ("a;b", "c")
    page.commands.reading.trigger()
    dialog = options_dialog()
    assert dialog.delimiter.currentData() == ","
    dialog.delimiter.setCurrentIndex(dialog.delimiter.findData(";"))
    box = dialog.findChild(QDialogButtonBox)
    qtbot.mouseClick(box.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
    wait()
    assert document.table.names == ("a", "b,c")
    assert [column.name for column in document.plan.columns] == ["a", "b,c"]
    assert "semicolon-separated" in page.header.facts()


@pytest.mark.parametrize("redraft", [True, False])
def test_that_reading_again_drafts_the_plan_anew_only_where_that_is_asked(
    opened, document, wait, redraft
):
    opened.commands.protect_all.trigger()
    opened.read_again()
    dialog = options_dialog()
    # The plan holds decisions: keeping them is what happens by itself.
    assert not dialog.redraft.isChecked()
    dialog.redraft.setChecked(redraft)
    said: list[str] = []
    answer_box("Suggest anew", said)
    dialog.accept()
    wait()
    assert bool(document.plan.protected) is not redraft
    if redraft:
        document.undo_stack.undo()
        assert document.plan.protected


def test_that_a_plan_survives_that_its_file_is_read_again(opened, document, wait, tmp_path):
    opened.confirm_all()
    (dialog,) = opened.window().findChildren(ConfirmDomains)
    dialog.view.waiting.tick_all(True)
    dialog.accept()
    title = document.plan.details.model_copy(update={"title": "A title"})
    document.edit("title", document.plan.with_fields(details=title))
    path = tmp_path / "plan.json"
    document.save_plan(path)
    decided = document.plan
    assert all(column.confirmed for column in decided.columns if column.domain is not None)
    opened.read_again()
    options_dialog().accept()
    wait()
    assert (document.plan.columns, document.plan_path) == (decided.columns, path)
    # Asked for, it is asked about; Return and Esc keep the plan.
    opened.read_again()
    dialog = options_dialog()
    dialog.redraft.setChecked(True)
    said: list[str] = []
    answer_box("Keep the plan", said)
    dialog.accept()
    wait()
    assert "replaced by new suggestions" in said[0]
    assert document.plan.columns == decided.columns
    opened.read_again()
    dialog = options_dialog()
    dialog.redraft.setChecked(True)
    answer_box("Suggest anew", said)
    dialog.accept()
    wait()
    assert not any(column.confirmed for column in document.plan.columns)
    # The plan stays that of its file, with its title, and comes back.
    assert (document.plan.details.title, document.plan_path) == ("A title", path)
    assert document.is_dirty
    document.undo_stack.undo()
    assert document.plan.columns == decided.columns


def test_that_a_plan_nobody_decided_on_is_suggested_anew(opened):
    opened.read_again()
    assert options_dialog().redraft.isChecked()


def test_that_a_range_of_codes_for_every_column_is_refused_before_the_file_is_read_again(
    opened, document, wait
):
    opened.read_again()
    dialog = options_dialog()
    dialog.missing.setText("NA; 97 to 99")
    dialog.accept()
    assert dialog.isVisible()
    refusal = dialog.refusal
    assert "at its column, in the tab Missing answers" in refusal.text()
    dialog.grab()
    assert refusal.height() >= refusal.heightForWidth(refusal.width()), "cut off"
    dialog.missing.setText('NA; "97 to 99"')
    dialog.accept()
    wait()
    assert document.table.reading.missing == ("NA", "97 to 99")


def test_that_reading_without_a_header_numbers_the_columns(opened, document, wait):
    opened.read_again()
    dialog = options_dialog()
    dialog.header_rows.setValue(0)
    dialog.accept()
    wait()
    assert document.table.rows == 121
    assert "no header" in opened.header.facts()


def test_that_notices_of_reading_are_shown_until_they_are_closed(
    qtbot, page, tmp_path, document, wait
):
    path = tmp_path / "twice.csv"
    path.write_text("a,a\n1,2\n2,3\n", encoding="utf-8")
    page.open_file(path)
    wait()
    assert page.notice.isVisible()
    assert page.notice.message() == "\n".join(document.table.notices)
    page.notice.close_notice()
    assert not page.notice.isVisible()


def test_that_reading_shows_progress_and_can_be_cancelled(qtbot, page, document, wait):
    goes_on = threading.Event()

    def task(tracker):
        tracker.progress("Reading the file", 0.4)
        while not goes_on.wait(0.01):
            tracker.tick()

    before = document.plan
    document.loading.start(Job("Reading big.csv", partial(task)))
    qtbot.waitUntil(lambda: page.loading.bar.value() == 400)
    assert page.loading.isVisible()
    assert page.start.isEnabled()
    with qtbot.waitSignal(document.loading.stopped):
        qtbot.mouseClick(page.loading.cancel_button, Qt.MouseButton.LeftButton)
    goes_on.set()
    assert not page.loading.isVisible()
    assert document.plan == before
    assert document.table is None


def test_that_escape_of_the_window_cancels_reading_through_the_page(qtbot, page, document):
    stop = threading.Event()

    def task(tracker):
        while not stop.wait(0.01):
            tracker.tick()

    assert not page.cancel()
    document.loading.start(Job("Reading big.csv", task))
    with qtbot.waitSignal(document.loading.stopped):
        assert page.cancel()
    stop.set()


def test_that_the_share_that_may_not_fit_is_the_plans_and_becomes_it(qtbot, opened, document):
    shown = float(100 * document.plan.allowed_unfit)
    for typed, allowed in ((2.5, "0.025"), (0.0, "0"), (12.34, "0.1234"), (100.0, "1")):
        opened.allow_unfit()
        dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, AllowedUnfit)]
        (dialog,) = (w for w in dialogs if w.isVisible())
        assert dialog.share.value() == shown
        dialog.share.setValue(typed)
        box = dialog.findChild(QDialogButtonBox)
        qtbot.mouseClick(box.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)
        assert document.plan.allowed_unfit == Decimal(allowed)
        shown = typed
    document.undo_stack.undo()
    assert document.plan.allowed_unfit == Decimal("0.1234")


def test_that_a_plan_offers_the_data_that_it_was_used_with(
    qtbot, page, survey, tmp_path, document, wait
):
    page._settings.clear_recent()
    page.open_file(survey)
    wait()
    path = tmp_path / "survey-plan.json"
    document.save_plan(path)
    # The plan can be published: neither the file of answers nor its folder is in it.
    assert survey.name not in path.read_text(encoding="utf-8")
    assert str(tmp_path) not in path.read_text(encoding="utf-8")
    document.new()
    page.open_file(path)
    assert page.notice.message() == "This plan was used with survey.csv before."
    assert page.header.open_button.text() == "Open survey.csv"
    qtbot.mouseClick(page.header.open_button, Qt.MouseButton.LeftButton)
    wait()
    assert document.table_path == survey
    assert document.plan_path == path
    assert not page.notice.isVisible()
    assert page.editor.tabs.isTabVisible(ROWS)
    page.editor.tabs.setCurrentIndex(ROWS)
    assert page.editor.rows.isVisible()
    page._settings.clear_recent()


def test_that_data_offer_the_plan_that_they_were_used_with(page, survey, tmp_path, document, wait):
    page._settings.clear_recent()
    page.open_file(survey)
    wait()
    path = tmp_path / "mine.json"
    document.save_plan(path)
    document.new()
    page.open_file(survey)
    wait()
    assert page.notice.message() == "survey.csv was used with the plan mine.json before."
    page.notice._action.click()
    assert document.plan_path == path
    assert document.table_path == survey
    document.new()
    path.unlink()
    page.open_file(survey)
    wait()
    assert not page.notice.isVisible()
    page._settings.clear_recent()


def test_that_the_notice_of_a_file_goes_with_it(page, tmp_path, survey, document, wait):
    path = tmp_path / "noticed.csv"
    path.write_bytes(b"a,b\nx,1\ny,2\n\xff,3\n")
    page.open_file(path)
    wait()
    assert page.notice.isVisible()
    page.open_file(survey)
    wait()
    assert not page.notice.isVisible()


def test_that_a_file_with_names_alone_is_a_questionnaire_without_data(
    page, tmp_path, document, wait
):
    path = tmp_path / "names.csv"
    path.write_text("sex,age,income\n", encoding="utf-8")
    page.open_file(path)
    wait()
    assert [column.name for column in document.plan.columns] == ["sex", "age", "income"]
    assert document.table is None
    assert document.plan.respondents is None
    assert "names.csv holds the names of its columns and no answers." in page.notice.message()
    assert "questionnaire without data" in page.notice.message()
    document.reset(document.plan)
    page.open_file(path)
    wait()
    assert "nothing was changed" in page.notice.message()


def test_that_data_of_other_columns_offer_a_plan_of_their_own(
    qtbot, opened, document, survey, tmp_path, hands, wait
):
    document.edit("Drop city", document.plan.with_column("city", role="drop"))
    decided = document.plan
    other = tmp_path / "wave2.csv"
    other.write_text(survey.read_text(encoding="utf-8").replace("city", "town"), encoding="utf-8")
    opened.open_file(other)
    wait()
    # A column that is dropped anyway lacks nowhere.
    said = T.COLUMN_NOT_IN_PLAN(count=1, names="town")
    stays = "The plan stays: wave2.csv has 3 of its 4 columns."
    assert opened.notice.message() == f"{stays} {said}"
    opened.commands.add_columns.trigger()
    qtbot.waitUntil(lambda: not opened.notice.isVisible())
    document.undo_stack.undo()
    opened.open_file(other)
    wait()
    hands.press(opened.notice, "Start a new plan")
    wait()
    assert [column.name for column in document.plan.columns] == ["id", "age", "town", "smokes"]
    assert not opened.notice.isVisible()
    document.undo_stack.undo()
    assert document.plan == decided
