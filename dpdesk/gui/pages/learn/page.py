"""The Learn page: guided demonstrations for a room, and what everybody takes home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.learn.chosen_card import ChosenCard
from dpdesk.gui.pages.learn.demonstration_list import DemonstrationList
from dpdesk.gui.pages.page import Page
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration
    from dpdesk.gui.stage.stage import Stage


class LearnPage(Page):
    """The demonstrations on the left, the chosen one on the right.

    Attributes:
        settings: Remembers where each demonstration was left, and the size of letters.
        stage: What is played; None where nothing is.
    """

    key = "learn"
    title = N_("Learn")
    icon_name = "school"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.settings = document.settings
        self.stage: Stage | None = None
        self._demonstrations: tuple[Demonstration, ...] = ()
        self.header = PageHeader(parent=self)
        self.header.set_title(self.tr("Show how it works"))
        self.header.set_subtitle(
            self.tr("demonstrations for a room · F5 plays, N shows your notes · with handouts")
        )
        self.notice = NoticeBar(parent=self)
        self.list = DemonstrationList(parent=self)
        self.card = ChosenCard(document, parent=self)
        row = lay_row((self.list, 5), (self.card, 6), spacing=12)
        lay_column(self.header, self.notice, (row, 1), spacing=10, on=self)
        self.list.currentRowChanged.connect(self._show_chosen)
        self.list.itemActivated.connect(lambda _: self.present())
        self.card.startAsked.connect(lambda: self.play(0))
        self.card.goOnAsked.connect(self.present)
        self.card.handoutAsked.connect(self.show_handout)
        self.card.picture.watch.failed.connect(
            lambda error: self.notice.show_notice("error", str(error))
        )
        self._actions = [
            self._action(self.tr("&Play"), "Ctrl+Return", self.present, "play"),
            self._action(self.tr("&Handout…"), "Ctrl+H", self.show_handout, "printer"),
        ]
        # Files are read and scenes imported when somebody looks.
        self._filling = WhenShown(self, self._fill)
        self._filling.request()

    def show_path(self, path: str) -> None:
        self.list.setFocus()

    def shows_plan(self) -> bool:
        return False

    def panes(self) -> list[QWidget]:
        return [self.list, self.card]

    def page_actions(self) -> list[QAction]:
        return list(self._actions)

    def private_parts(self) -> list[QWidget]:
        return []

    def chosen(self) -> Demonstration | None:
        """The chosen demonstration, as its file has it."""
        self._filling.flush()
        row = self.list.currentRow()
        return self._demonstrations[row] if 0 <= row < len(self._demonstrations) else None

    def present(self) -> bool:
        chosen = self.chosen()
        if chosen is not None:
            self.play(self._stopped(chosen))
        return True

    def play(self, step: int) -> None:
        """Plays the chosen demonstration from a step, counted from 0."""
        from dpdesk.gui.stage.stage import Stage

        own = self._own()
        if own is None or self.stage is not None:
            return
        percent = self.settings.stage_percent()
        self.stage = Stage(own, step=step, percent=percent, parent=self.window())
        self.stage.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.stage.percentChanged.connect(self.settings.set_stage_percent)
        self.stage.left.connect(self._leave)
        self.stage.setGeometry(self.screen().geometry())
        self.stage.showFullScreen()

    def show_handout(self) -> None:
        """Shows the handout of the chosen demonstration."""
        from dpdesk.gui.pages.learn.handout_dialog import HandoutDialog

        own = self._own()
        if own is not None:
            dialog = HandoutDialog(own, self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def shut_down(self) -> None:
        self.card.picture.watch.shut_down()
        if self.stage is not None:
            self.stage.close()

    def _fill(self) -> None:
        from dpdesk.demonstrations import demonstrations

        if not self._demonstrations:
            wrong: list[DpdeskError] = []
            self._demonstrations = demonstrations(wrong.append)
            if wrong:
                self.notice.show_notice("error", "\n".join(map(str, wrong)))
            self.list.show_demonstrations(self._demonstrations, self.settings.stopped_at)
            self.card.show_workshop(self._demonstrations)

    def _own(self) -> Demonstration | None:
        """The chosen demonstration with the presenter's question and data; None where they fail."""
        from dpdesk.demonstrations import Inputs, demonstration

        chosen, table = self.chosen(), self.document.table
        if chosen is None:
            return None
        columns = self.card.asked_columns()
        inputs = Inputs(self.card.asked_question(), table if columns else None, columns)
        self.notice.clear()
        try:
            return demonstration(chosen.key, inputs)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return None

    def _stopped(self, demonstration: Demonstration) -> int:
        stopped = self.settings.stopped_at(demonstration.key)
        return stopped if stopped < len(demonstration.steps) else 0

    def _show_chosen(self) -> None:
        chosen = self.chosen()
        if chosen is not None:
            self.card.show_demonstration(chosen, self._stopped(chosen))

    def _leave(self, step: int) -> None:
        stage, self.stage = self.stage, None
        if stage is None:
            return
        played = stage.demonstration
        is_over = step == len(played.steps) - 1
        self.settings.set_stopped_at(played.key, 0 if is_over else step)
        self.list.show_facts(self._demonstrations, self.settings.stopped_at)
        chosen = self.chosen()
        if chosen is not None:
            self.card.show_stopped(self._stopped(chosen))
        self.window().activateWindow()
        self.list.setFocus()
