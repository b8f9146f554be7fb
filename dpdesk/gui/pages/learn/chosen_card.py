"""The chosen demonstration: its steps, the presenter's own question and data, and what plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.theme import ThemeSwitch, theme_in_force

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration, Scene

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton

from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.boxes import STRETCH, emptied, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dpdesk.demonstrations import Demonstration
    from dpdesk.gui.document import Document

_HEIGHT, _LETTERS = 150, 0.42


class FirstPicture(QWidget):
    """Paints the first scene as the stage would, once it is computed in the background.

    Attributes:
        watch: Computes the scene.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.watch = JobWatch(self)
        self.watch.finished.connect(self._show_scene)
        ThemeSwitch.instance().themeChanged.connect(lambda _: self.update())

    def sizeHint(self) -> QSize:
        return QSize(300, _HEIGHT)

    def show_demonstration(self, demonstration: Demonstration) -> None:
        """Computes the first scene and shows it; meanwhile nothing is shown."""
        self._scene = None
        self.setAccessibleName(self.tr("The first picture"))
        self.update()
        step = demonstration.steps[0]

        def first(tracker: Tracker) -> Scene:
            # What cannot be shown is refused before the room sees any of it.
            step.rehearse(tracker)
            return step.scene()

        self.watch.start_instead(lambda: Job(self.tr("First picture"), first))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._scene is None:
            return
        # The drawings of the stage are imported when there is something to draw.
        from dpdesk.gui.stage.drawings import drawing_of, share_of_row
        from dpdesk.gui.stage.look import Look

        painter = QPainter(self)
        look = Look(theme_in_force(), self.font(), _LETTERS, _LETTERS)
        pictures = self._scene.pictures
        shares = [share_of_row(picture) for picture in pictures]
        gap, left = 20.0, 0.0
        room = self.width() - gap * (len(pictures) - 1)
        for picture, share in zip(pictures, shares, strict=True):
            wide = room * share / sum(shares)
            painter.save()
            drawing_of(picture, QRectF(left, 0, wide, self.height()), look).paint(painter, picture)
            painter.restore()
            left += wide + gap

    def _show_scene(self, scene: Scene) -> None:
        self._scene = scene
        self.setAccessibleDescription(" ".join(picture.caption for picture in scene.pictures))
        self.update()


_LONGEST = 300
_WORKSHOP = 20
"""Minutes of a workshop that a suggestion is made for."""
_SEVERAL = " …"
"""Ends the name of a part that several columns can take."""
_FURTHER = 2
"""How many further columns are offered for it."""


class ChosenCard(Card):
    """Shows a demonstration and asks for what is the presenter's own.

    Args:
        document: Its open data can take the place of the sample's.

    Attributes:
        startAsked: Emitted when it is to be played from its first step.
        goOnAsked: Emitted when it is to be played from where it was left.
        handoutAsked: Emitted when its handout is wanted.
        question: The presenter's own question; empty for that of the demonstration.
    """

    startAsked = Signal()
    goOnAsked = Signal()
    handoutAsked = Signal()

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=20, parent=parent)
        self._document = document
        self._demonstration: Demonstration | None = None
        self._questions: dict[str, str] = {}
        self._title = PlainLabel("", "title", wrap=True, parent=self)
        self._summary = PlainLabel("", "muted", wrap=True, parent=self)
        self.picture = FirstPicture(parent=self)
        self._steps = PlainLabel("", wrap=True)
        self._steps.setAccessibleName(self.tr("Steps"))
        self._ask = PlainLabel(self.tr("Your own &question"), parent=self)
        self.question = QLineEdit(self)
        limit_length(self.question, _LONGEST)
        self._ask.setBuddy(self.question)
        self.question.setWhatsThis(
            self.tr("Takes the place of the question of the demonstration, on stage and handout.")
        )
        self.own_data = QCheckBox(self)
        self.own_data.setToolTip(
            self.tr("Its true answers will be seen by everybody in the room: choose with care")
        )
        self.own_data.toggled.connect(self._show_columns)
        self._columns = QWidget(self)
        self._column_rows = lay_column(spacing=6, on=self._columns)
        self.columns: list[ChoiceBox] = []
        self.start = QPushButton(self)
        IconBond(self.start, "play", "text")
        self.go_on = QPushButton(self)
        self.handout = QPushButton(self.tr("Hand&out…"), self)
        self.handout.setToolTip(
            self.tr("Pages for everybody in the room, and one for you with what you may say")
        )
        IconBond(self.handout, "printer", "text")
        self.start.clicked.connect(self.startAsked)
        self.go_on.clicked.connect(self.goOnAsked)
        self.handout.clicked.connect(self.handoutAsked)
        inside = QWidget(self)
        self._workshop = PlainLabel("", "muted", wrap=True, parent=self)
        # Beside large text one scrolls through what it is; what is asked for stays in sight.
        about = (self._summary, self.picture, self._steps)
        lay_column(*about, STRETCH, self._workshop, spacing=self.body.spacing(), on=inside)
        self.body.addWidget(self._title)
        self.body.addWidget(scrolled(inside, on_card=True), 1)
        self.body.addLayout(lay_column(self._ask, self.question, spacing=4))
        self.body.addWidget(self.own_data)
        self.body.addWidget(self._columns)
        self.body.addLayout(lay_row(self.go_on, self.start, STRETCH, self.handout, spacing=8))
        document.tableChanged.connect(self._offer_data)

    def show_demonstration(self, demonstration: Demonstration, stopped: int) -> None:
        """Shows a demonstration, and the step at which it was left, from 0."""
        if self._demonstration is not None:
            self._questions[self._demonstration.key] = self.question.text()
        self._demonstration = demonstration
        self._title.setText(demonstration.title)
        self._summary.setText(demonstration.summary)
        self.picture.show_demonstration(demonstration)
        titles = (step.title for step in demonstration.steps)
        lines = (f"{number}.  {title}" for number, title in enumerate(titles, 1))
        asked = any(step.takes_tallies for step in demonstration.steps)
        bring = self.tr("Bring a coin for everybody.") if asked else ""
        self._steps.setText("\n".join((*lines, bring)).strip())
        for part in (self._ask, self.question):
            part.setVisible(demonstration.takes_question)
        self.question.setText(self._questions.get(demonstration.key, ""))
        self.question.setPlaceholderText(demonstration.question)
        self.question.setToolTip(plain_tooltip(demonstration.question))
        self.own_data.setChecked(False)
        self._offer_data()
        self.show_stopped(stopped)

    def show_workshop(self, demonstrations: Sequence[Demonstration]) -> None:
        """Suggests what fills a workshop of 20 minutes: one demonstration, or two short ones."""
        alone = next((d.title for d in demonstrations if d.minutes == _WORKSHOP), "")
        short = [d.title for d in demonstrations if 2 * d.minutes == _WORKSHOP][:2]
        if alone and len(short) > 1:
            words = self.tr("A workshop of 20 minutes: {alone}, or {first} and {second}.")
            first, second = (f"“{title}”" for title in short)
            self._workshop.setText(words.format(alone=f"“{alone}”", first=first, second=second))

    def show_stopped(self, stopped: int) -> None:
        """Offers to go on where it was left, if it was."""
        self.go_on.setVisible(stopped > 0)
        self.go_on.setText(self.tr("&Go on at step {step}").format(step=stopped + 1))
        self.start.setText(self.tr("&Start again") if stopped else self.tr("&Start"))
        self.start.setToolTip("" if stopped else self.tr("Full screen (F5)"))
        self.go_on.setToolTip(self.tr("Full screen (F5)"))
        for button, primary in ((self.start, not stopped), (self.go_on, bool(stopped))):
            button.setProperty("look", "primary" if primary else "")
            button.style().unpolish(button)
            button.style().polish(button)

    def asked_question(self) -> str | None:
        """The presenter's own question; None for that of the demonstration."""
        return " ".join(self.question.text().split()) or None

    def asked_columns(self) -> tuple[str, ...]:
        """The columns of the open data that were chosen; none where the sample is shown."""
        uses_own = self.own_data.isChecked() and self._can_use_data()
        if not uses_own or self._document.table is None:
            return ()
        known = {column.name for column in self._document.table.columns}
        chosen = (box.currentText() for box in self.columns)
        return tuple(dict.fromkeys(name for name in chosen if name in known))

    def _can_use_data(self) -> bool:
        taken = self._demonstration is not None and self._demonstration.takes_table
        return taken and self._document.table_path is not None

    def _offer_data(self) -> None:
        can = self._can_use_data()
        takes = self._demonstration is not None and self._demonstration.takes_table
        self.own_data.setVisible(takes)
        self.own_data.setEnabled(can)
        path = self._document.table_path
        if can and path is not None:
            words = self.tr("Show the o&pen data, {name}, to the room")
            self.own_data.setText(words.format(name=path.name.replace("&", "&&")))
        else:
            self.own_data.setText(self.tr("Your own data: o&pen them on Data first"))
            self.own_data.setChecked(False)
        self._show_columns()

    def _show_columns(self) -> None:
        """Asks which column stands for what, in the words of the demonstration."""
        emptied(self._column_rows)
        self.columns = []
        table, demonstration = self._document.table, self._demonstration
        shown = self.own_data.isChecked() and table is not None and demonstration is not None
        self._columns.setVisible(shown)
        if not shown or table is None or demonstration is None:
            return
        names = [column.name for column in table.columns]
        for number, meaning in enumerate(demonstration.asked_columns):
            self._ask_column(meaning, names, number)
            if meaning.endswith(_SEVERAL):
                for _ in range(_FURTHER):
                    self._ask_column(meaning, [self.tr("no other column"), *names], 0)

    def _ask_column(self, meaning: str, names: list[str], first: int) -> None:
        box = ChoiceBox(meaning, parent=self._columns)
        box.addItems(names)
        box.setCurrentIndex(min(first, len(names) - 1))
        box.setToolTip(self.tr("The column of your data that takes this part"))
        label = PlainLabel(meaning, "muted", parent=self._columns)
        self._column_rows.addWidget(label)
        self._column_rows.addWidget(box)
        self.columns.append(box)
