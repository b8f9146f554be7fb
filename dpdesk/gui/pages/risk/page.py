"""The Risk page: how recognisable respondents are on what is not randomized, and what follows."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.copied_command import data_file, plan_file
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.risk.attacks_pane import AttacksPane
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.gui.pages.risk.columns_pane import ColumnsPane
from dpdesk.gui.pages.risk.learning_pane import LearningPane
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState, Room
from dpdesk.gui.pages.risk.records_pane import RecordsPane
from dpdesk.gui.pages.risk.risk_figures import show_figures
from dpdesk.gui.pages.risk.stand_out_card import StandOutCard
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.widgets.boxes import STRETCH, Yielding, lay_column, lay_middle, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.notice_bar import NoticeBar, succeeded
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.progress_line import ProgressLine
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_
from dpdesk.plan import Plan
from dpdesk.plan.recognisable import kept_answers
from dpdesk.preview.command_words import CommandWords, Value
from dpdesk.preview.recognisable import Measured
from dpdesk.releases.private_risk import write_private_risk

PANES: tuple[type[RiskPane], ...] = (
    ColumnsPane,
    RecordsPane,
    AttacksPane,
    LearningPane,
    CoarsenPane,
)
"""The tabs at the right, in their order."""

_UNSEEN_MS = 300
"""What takes less time shows no progress: ticks of a column follow each other."""
_BAR_WIDTH = 120


class RiskTabs(Card):
    """The panes behind their tabs.

    Args:
        state: What is asked and answered.

    Attributes:
        panes: The panes, in the order of the tabs.
    """

    def __init__(self, state: RiskState, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        translate = QCoreApplication.translate
        titles = tuple(translate("RiskPane", pane.title) for pane in PANES)
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Parts of the risk"))
        self.tabs.setWhatsThis(
            self.tr("Columns, single records, attacks, learning, and coarser answers.")
        )
        self.stack = QStackedWidget(self)
        self.panes = tuple(pane(state, self) for pane in PANES)
        for pane in self.panes:
            self.stack.addWidget(pane)
        self.tabs.currentChanged.connect(self.stack.setCurrentIndex)
        self.body.addWidget(self.tabs)
        self.body.addWidget(self.stack, 1)

    def shown(self) -> RiskPane:
        """The pane whose tab is chosen."""
        return self.panes[self.tabs.currentIndex()]

    def show_pane(self, kind: type[RiskPane]) -> RiskPane:
        """Goes to the tab of a pane, and returns the pane."""
        place = PANES.index(kind)
        self.tabs.setCurrentIndex(place)
        return self.panes[place]


class RiskPage(Page):
    """Four figures, the picture on the left, and the panes on the right."""

    key = "risk"
    title = N_("Risk")
    icon_name = "shield-search"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.state = RiskState(document, self)
        self.rooms = QStackedWidget(self)
        self.overview = QWidget(self.rooms)
        self.body, self.empty = Yielding(self.overview), QWidget(self.overview)
        self.inner = QStackedWidget(self.overview)
        self._fill_overview()
        self._fill_empty()
        self.rooms.addWidget(self.overview)
        lay_column((self.rooms, 1), on=self)
        self._asked: tuple[object, ...] | None = None
        self._actions = self._make_actions()
        self._connect()
        self._begin_anew()

    def shows_plan(self) -> bool:
        return False

    def panes(self) -> list[QWidget]:
        shown = self.rooms.currentWidget()
        if shown is not None and shown is not self.overview:
            return [shown]
        if self.document.table is None:
            return [self.empty]
        return [self.header, *([] if self.picture.isHidden() else [self.picture]), self.tabs]

    def page_actions(self) -> list[QAction]:
        return list(self._actions)

    def command(self) -> CommandWords | None:
        """What the shown tab does, or else `dpdesk risk` of the overview.

        Raises:
            DpdeskError: The plan was not saved as it is shown, or a field cannot be read.
        """
        own = self.tabs.shown().command()
        if own is not None:
            return own
        data, wish, state = data_file(self.document), self.state.wish, self.state
        if data is None or not state.quasi_identifiers:
            return None
        options: dict[str, Value] = {
            "plan": plan_file(self.document),
            "quasi": state.quasi_identifiers,
            "k": wish.threshold,
            "missing": wish.missing,
        }
        if wish.missing == "value":
            options["sensitive"] = state.sensitive
            options |= {} if wish.weights is None else {"weights": wish.weights}
        return CommandWords("risk", (data,), options)

    def show_path(self, path: str) -> None:
        self.tabs.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    def cancel(self) -> bool:
        return any((self.state.cancel(), *(pane.cancel() for pane in self.tabs.panes)))

    def shut_down(self) -> None:
        self.state.watch.shut_down()
        for pane in self.tabs.panes:
            pane.shut_down()

    def _leave_room(self) -> None:
        """Leaves a tab about something else the room of the figures and of the picture."""
        of_file = self.tabs.shown().shows_risk_of_file
        self.figures.setVisible(of_file)
        self.picture.setVisible(of_file)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.cancel() or self.return_room()):
            return
        super().keyPressEvent(event)

    def give_room(self, room: Room) -> None:
        """Gives something the whole page, until it is closed."""
        if self.rooms.indexOf(room) < 0:
            self.rooms.addWidget(room)
            room.closed.connect(self.return_room)
        self.rooms.setCurrentWidget(room)
        room.setFocus(Qt.FocusReason.OtherFocusReason)

    def return_room(self) -> bool:
        """Shows the overview again; returns whether something else was shown."""
        if self.rooms.currentWidget() is self.overview:
            return False
        self.rooms.setCurrentWidget(self.overview)
        # Where the user came from: the row of the attack.
        self.tabs.shown().setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def save_report(self) -> None:
        """Asks for a file and writes the private report to it."""
        table, answer = self.document.table, self.state.measured
        if table is None or answer is None:
            return
        path = asked_path(
            self,
            self.tr("Save the private report"),
            f"PRIVATE-risk-{Path(table.name).stem}.html",
            self.tr("Private report (*.html *.json)"),
            (".html", ".json"),
        )
        if path is None:
            return
        if not succeeded(partial(write_private_risk, table, answer, path), self.notice.show_notice):
            return
        saved = self.tr("{name} was written, for your eyes only.").format(name=path.name)
        self.notice.show_notice("success", saved)

    def _fill_overview(self) -> None:
        self.header = PageHeader(parent=self.overview)
        self.header.set_title(self.tr("How recognisable are your respondents?"))
        self.help = HelpButton("disclosure", self.tr("Help on this page"), parent=self)
        self.progress = ProgressLine(
            self.tr("Progress of the comparison"),
            self.state.watch,
            unseen=_UNSEEN_MS,
            parent=self,
        )
        self.progress.bar.setFixedWidth(_BAR_WIDTH)
        self.save = QPushButton(self.tr("Pr&ivate report…"), self)
        self.save.setToolTip(
            self.tr("Saves all of this for you alone; never publish it, nor put it by a release")
        )
        self.save.setEnabled(False)
        for widget in (self.progress, self.help, self.save):
            self.header.add_widget(widget)
        self.notice = NoticeBar(parent=self.overview)
        self.figures = FigureRow(4, parent=self.body)
        self.picture = StandOutCard(self.state, parent=self.body)
        self.tabs = RiskTabs(self.state, parent=self.body)
        row = lay_row((self.picture, 9), (self.tabs, 11), spacing=12)
        lay_column(self.figures, (row, 1), spacing=10, on=self.body)
        self._filled = scrolled(self.body)
        self.inner.addWidget(self._filled)
        self.inner.addWidget(self.empty)
        lay_column(self.header, self.notice, (self.inner, 1), spacing=10, on=self.overview)

    def _fill_empty(self) -> None:
        card = Card(margin=28, parent=self.empty)
        card.setFixedWidth(560)
        title = PlainLabel(self.tr("There are no data to look at"), "heading", parent=card)
        reason = PlainLabel(
            self.tr(
                "Names are not needed to recognise somebody: age, sex and postcode often do. Open "
                "the answers of a survey to see how many respondents are the only one with theirs."
            ),
            "muted",
            wrap=True,
            parent=card,
        )
        self.open = QPushButton(self.tr("&Open data…"), card)
        self.open.setWhatsThis(self.tr("Asks for a file of answers."))
        self.open.setProperty("look", "primary")
        IconBond(self.open, "table", "accent_text")
        card.body.addWidget(title)
        card.body.addWidget(reason)
        card.body.addSpacing(10)
        card.body.addLayout(lay_row(self.open, STRETCH))
        lay_middle(card, self.empty)

    def _make_actions(self) -> tuple[QAction, ...]:
        return (
            self._action(self.tr("&Measure again"), "Ctrl+R", self.state.measure),
            self._action(self.tr("&Choose columns"), "Ctrl+Shift+K", self._choose_columns),
            self._action(self.tr("Save a &private report…"), "Ctrl+Shift+T", self.save_report),
            self._action(self.tr("&Help on this page"), "Ctrl+Shift+F1", self.help.show_help),
        )

    def _connect(self) -> None:
        self.open.clicked.connect(lambda: self.goTo.emit("data", ""))
        self.progress.stop.clicked.connect(self.cancel)
        self.save.clicked.connect(self.save_report)
        self.state.answered.connect(self._show_answer)
        self.state.refused.connect(self._show_refusal)
        self.tabs.tabs.currentChanged.connect(lambda _: self._leave_room())
        for pane in self.tabs.panes:
            pane.roomRequested.connect(self.give_room)
            pane.goTo.connect(self.goTo)
        self._following = WhenShown(self, self._follow)
        self.document.planChanged.connect(self._following.request)
        self.document.tableChanged.connect(self._following.request)

    def _choose_columns(self) -> None:
        self.return_room()
        self.tabs.show_pane(ColumnsPane).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _follow(self) -> None:
        """Measures anew where the data or what the answer rests on in the plan are others."""
        if self._question(self.document.plan) != self._asked:
            self._begin_anew()
        self._write_subtitle(self.state.measured)

    def _question(self, plan: Plan) -> tuple[object, ...]:
        """What the answer depends on; epsilons are not part of it."""
        columns = tuple((c.name, c.kind, c.domain, c.missing, c.kept_coarser) for c in plan.columns)
        weight = plan.weight_column
        return (
            self.document.table,
            kept_answers(plan),
            tuple(column.name for column in plan.protected),
            columns,
            None if weight is None else weight.name,
        )

    def _begin_anew(self) -> None:
        table = self.document.table
        same = self._asked is not None and self._asked[0] is table
        self._asked = self._question(self.document.plan)
        self.notice.clear()
        if not same:
            self.state.cancel()
            self.state.forget()
        self.inner.setCurrentWidget(self.empty if table is None else self._filled)
        self.state.measure()

    def _show_answer(self, answer: Measured | None) -> None:
        show_figures(self.figures, answer, supposed=self.state.wish.sensitive is None)
        self._write_subtitle(answer)
        self.save.setEnabled(answer is not None)
        if answer is not None:
            self.notice.clear()

    def _write_subtitle(self, answer: Measured | None) -> None:
        table = self.document.table
        name = self.document.plan.details.title or ("" if table is None else table.name)
        known = "" if answer is None else self._known(answer)
        self.header.set_subtitle(" · ".join(filter(None, (name, known))))

    def _known(self, answer: Measured) -> str:
        words = {
            "kept": self.tr("what this release keeps as it is: {names}"),
            "own": self.tr("what others know: {names}"),
            "suggested": self.tr("what others may know, a suggestion: {names}"),
        }[answer.source]
        told = words.format(names=", ".join(answer.risk.quasi_identifiers))
        if answer.keeps_none:
            return self.tr("the file itself: your plan keeps no answer as it is") + " · " + told
        return told

    def _show_refusal(self, error: DpdeskError | None) -> None:
        if error is not None:
            self.notice.show_notice("warning", str(error))
