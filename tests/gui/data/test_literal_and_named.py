from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from dpdesk.gui.pages.data.category_dialog import CategoryDialog
from dpdesk.gui.pages.data.column_editor import ROWS
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.data.reading_options import ReadingOptions
from dpdesk.gui.pages.data.variable_table import COLUMN

HOSTILE = "<img src=x onerror=1>"


def nameless(root: QWidget) -> list[str]:
    found = []
    for widget in (root, *root.findChildren(QWidget)):
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not stops or widget.focusProxy() is not None or not widget.isVisible():
            continue
        if widget.objectName() == "qt_spinbox_lineedit":
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name):
            found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found


def rich(root: QWidget) -> list[str]:
    return [
        label.text()
        for label in root.findChildren(QLabel)
        if label.textFormat() != Qt.TextFormat.PlainText and HOSTILE in label.text()
    ]


def tab_order(first: QWidget, last: QWidget) -> list[QWidget]:
    order, widget = [], first
    for _ in range(2000):
        order.append(widget)
        if widget is last:
            return order
        widget = widget.nextInFocusChain()
    raise AssertionError("the last widget does not follow the first")


def test_that_every_widget_that_takes_the_focus_has_a_name(opened, qtbot):
    for name in ("city", "age"):
        opened.variables.view.choose(name)
        for tab in range(opened.editor.tabs.count()):
            opened.editor.tabs.setCurrentIndex(tab)
            assert nameless(opened) == []
    for dialog in (
        ReadingOptions("a.csv", opened.document.table.reading),
        ConfirmDomains(opened.document.plan, {}),
        CategoryDialog("", lambda _domain: ""),
    ):
        qtbot.addWidget(dialog)
        dialog.show()
        assert nameless(dialog) == []


def test_that_tab_goes_through_the_page_in_reading_order(opened):
    editor = opened.editor
    stops = [
        opened.variables.view,
        editor.identity.label,
        editor.identity.kind,
        editor.role.buttons["protect"],
        editor.tabs,
        editor.domain.categories.view,
        editor.domain.public,
        editor.domain.person,
    ]
    order = tab_order(stops[0], stops[-1])
    places = [order.index(stop) for stop in stops]
    assert places == sorted(places)


def test_that_f6_stops_at_the_list_and_at_the_editor(page, opened):
    assert opened.panes() == [opened.variables.view, opened.editor]


def test_that_every_action_has_a_shortcut_and_no_two_share_one(page):
    shortcuts = [action.shortcut().toString() for action in page.page_actions()]
    assert all(shortcuts)
    assert len(set(shortcuts)) == len(shortcuts)


def test_that_every_button_has_words_or_an_accessible_name(opened):
    buttons = opened.findChildren(QAbstractButton)
    assert not [b for b in buttons if b.isVisible() and not (b.text() or b.accessibleName())]


def test_that_hostile_names_and_answers_are_shown_literally(page, tmp_path, wait):
    path = tmp_path / "hostile.csv"
    rows = "".join(f'"{HOSTILE}{row % 3}",{row % 2}\n' for row in range(30))
    path.write_text(f'"{HOSTILE}",b\n{rows}', encoding="utf-8")
    page.open_file(path)
    wait()
    page.variables.view.choose(HOSTILE)
    model = page.variables.view.variables()
    assert model.index(0, COLUMN).data() == HOSTILE
    assert "&lt;img" in model.index(0, COLUMN).data(Qt.ItemDataRole.ToolTipRole)
    assert page.editor._title.full_text() == HOSTILE
    assert "<img" not in page.editor._title.toolTip()
    categories = page.editor.domain.categories.model
    assert categories.index(0, 0).data() == f"{HOSTILE}0"
    assert "&lt;img" in categories.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    page.editor.tabs.setCurrentIndex(ROWS)
    assert page.editor.rows.rows().index(0, 0).data() == f"{HOSTILE}0"
    assert rich(page) == []


def test_that_a_refusal_never_quotes_what_was_typed(page, opened):
    page.variables.view.choose("age")
    line = page.editor.domain.bounds.fields["lower"]
    line.setText("secret-token")
    line.commit()
    assert "secret-token" not in page.editor.domain.bounds.refusal()
    assert page.editor.domain.bounds.refusal()
