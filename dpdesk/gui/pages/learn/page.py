"""The Learn page: guided demonstrations for a room, and what everybody takes home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAction, QColor, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.learn.chosen_card import ChosenCard
from dpdesk.gui.pages.page import Page
from dpdesk.gui.paper import PaperDialog
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import (
    bold_font,
    caption_font,
    counted,
    elided,
)
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration
    from dpdesk.gui.stage.stage import Stage


class HandoutDialog(PaperDialog):
    """Shows the handout and saves it.

    Args:
        demonstration: The demonstration, with the presenter's question and data.
        parent: The window that it belongs to.
    """

    shows_nothing_private = True

    def __init__(self, demonstration: Demonstration, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._demonstration = demonstration
        self.setWindowTitle(self.tr("Handout"))
        self.show_paper()

    def page(self, *, paper: bool = False) -> str:
        from dpdesk.demonstrations.handout import handout_html

        return handout_html(self._demonstration, paper=paper)

    def title(self) -> str:
        return self._demonstration.title

    def stem(self) -> str:
        return self._demonstration.key


_FACTS, _SUMMARY = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_PAD, _GAP = 12, 3
Index = QModelIndex | QPersistentModelIndex


class DemonstrationList(QListWidget):
    """The demonstrations; arrow keys choose, Enter or a double click plays."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Demonstrations"))
        self.setToolTip(self.tr("Enter plays the chosen demonstration"))
        self.setObjectName("demonstrations")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_CardDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(False)

    def show_demonstrations(
        self, demonstrations: Sequence[Demonstration], stopped: Callable[[str], int]
    ) -> None:
        """Lists demonstrations.

        Args:
            demonstrations: What is listed.
            stopped: At which step each was left, by its key, from 0.
        """
        for demonstration in demonstrations:
            item = QListWidgetItem(demonstration.title)
            item.setData(_SUMMARY, demonstration.summary)
            self.addItem(item)
        self.show_facts(demonstrations, stopped)
        self.setCurrentRow(0)

    def show_facts(
        self, demonstrations: Sequence[Demonstration], stopped: Callable[[str], int]
    ) -> None:
        """Says of each how long it takes, and where it was left."""
        for row, demonstration in enumerate(demonstrations):
            steps = len(demonstration.steps)
            facts = [
                counted(demonstration.minutes, self.tr("1 minute"), self.tr("{count} minutes")),
                counted(steps, self.tr("1 step"), self.tr("{count} steps")),
            ]
            if step := stopped(demonstration.key):
                facts.append(self.tr("left at step {step}").format(step=step + 1))
            item = self.item(row)
            item.setData(_FACTS, " · ".join(facts))
            spoken = (demonstration.title, " · ".join(facts), demonstration.summary)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ". ".join(spoken))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class _CardDelegate(QStyledItemDelegate):
    """Paints a card: title, facts, summary."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view().viewport().width()
        bold, small = bold_font(option.font), caption_font(option.font)
        room = QRect(0, 0, width - 2 * _PAD - 2, 10_000)
        wrapped, summary = int(Qt.TextFlag.TextWordWrap), str(index.data(_SUMMARY))
        high = QFontMetrics(option.font).boundingRect(room, wrapped, summary).height()
        high += QFontMetrics(bold).height() + QFontMetrics(small).height()
        return QSize(width, high + 2 * _PAD + 2 * _GAP + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = theme_in_force()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = chosen and self._view().hasFocus()
        card = option.rect.adjusted(1, 1, -1, -7)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = theme.accent if focused else theme.hairline
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(theme.selection if chosen else theme.surface))
        painter.drawRoundedRect(card, 10, 10)
        inside = card.adjusted(_PAD, _PAD, -_PAD, -_PAD)
        bold, small = bold_font(option.font), caption_font(option.font)
        top = inside.top()
        wide = inside.width()
        rows = (
            (elided(str(index.data()), bold, wide), bold, theme.text),
            (elided(str(index.data(_FACTS)), small, wide), small, theme.muted),
            (str(index.data(_SUMMARY)), option.font, theme.text),
        )
        for text, font, colour in rows:
            painter.setFont(font)
            painter.setPen(QColor(colour))
            room = QRect(inside.left(), top, wide + 2, card.bottom() - top)
            painter.drawText(room, int(Qt.TextFlag.TextWordWrap), text)
            top += QFontMetrics(font).height() + _GAP
        painter.restore()

    def _view(self) -> QListWidget:
        view = self.parent()
        assert isinstance(view, QListWidget)  # noqa: S101 - it is given to the constructor
        return view


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
