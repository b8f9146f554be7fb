"""Small pages that the tests of the shell put into the window."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from dpdesk.gui.pages.page import Page
from dpdesk.gui.rail import Place


class FirstPage(Page):
    key, title, icon_name = "data", "Data", "table"

    def __init__(self, document, parent=None):
        super().__init__(document, parent)
        column = QVBoxLayout(self)
        self.fields = [QLineEdit(), QLineEdit()]
        for number, field in enumerate(self.fields):
            field.setAccessibleName(f"Field {number}")
            column.addWidget(field)
        self.shown: list[str] = []
        self.running = False
        self.was_shut_down = False
        self.act = QAction("&Count", self)

    def show_path(self, path: str) -> None:
        self.shown.append(path)

    def panes(self) -> list[QWidget]:
        return list(self.fields)

    def page_actions(self) -> list[QAction]:
        return [self.act]

    def cancel(self) -> bool:
        running, self.running = self.running, False
        return running

    def shut_down(self) -> None:
        self.was_shut_down = True


class SecondPage(FirstPage):
    key, title, icon_name = "plan", "Plan", "tune-variant"

    def page_actions(self) -> list[QAction]:
        return []


PAGES = tuple(
    Place(page.key, page.title, page.icon_name, lambda page=page: page)
    for page in (FirstPage, SecondPage)
)
