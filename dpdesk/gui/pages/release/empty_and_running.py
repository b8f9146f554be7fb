"""The views with one card in the middle: nothing to release yet, and a running release."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.engine import Progress
from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.boxes import STRETCH, lay_middle, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.progress_line import STEPS, progress_bar

_WIDTH = 560
_MARGIN = 28
_KNOWN_FROM = 0.08
"""Share done from which on the estimate of the time left is stable enough to show."""


def _middle_card(page: QWidget) -> Card:
    """A card in the middle of a page, which it fills."""
    card = Card(margin=_MARGIN, parent=page)
    card.setFixedWidth(_WIDTH)
    lay_middle(card, page)
    return card


class EmptyView(QWidget):
    """Shows why there is nothing to sanitize, and what can be done.

    Attributes:
        open, save, plan: The buttons that open data, save the plan, and go to it.
        release: The button that opens a release that is there already.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = card = Card(margin=_MARGIN, parent=self)
        lay_middle(card, self)
        self._title = PlainLabel("", "heading", wrap=True, parent=card)
        self._reason = PlainLabel("", "muted", wrap=True, parent=card)
        # The buttons may need more.
        self._reason.setMinimumWidth(_WIDTH - 2 * _MARGIN)
        self.open = self._button(self.tr("Open data…"), "table", card)
        self.open.setWhatsThis(self.tr("Asks for a file of answers."))
        self.open.setProperty("look", "primary")
        self.save = self._button(self.tr("Save plan…"), "content-save", card)
        self.plan = self._button(self.tr("Go to Plan"), "tune-variant", card)
        self.release = self._button(self.tr("Open a re&lease…"), "folder-open", card)
        self.release.setToolTip(self.tr("Tables and models of a release, yours or somebody's"))
        buttons = lay_row(self.open, self.save, self.plan, self.release, STRETCH, spacing=10)
        card.body.addWidget(self._title)
        card.body.addWidget(self._reason)
        card.body.addSpacing(10)
        card.body.addLayout(buttons)

    def reason(self) -> str:
        """Why there is nothing to sanitize."""
        return self._reason.text()

    def show_questionnaire(self, has_plan: bool) -> None:
        """Shows the text for a plan without data, or for no plan."""
        self._title.setText(self.tr("There is nothing to sanitize"))
        self._reason.setText(
            self.tr(
                "This plan is for a survey whose answers are not here. Save it now; when the "
                "answers have come, open them and the plan together and release them here."
            )
            if has_plan
            else self.tr(
                "Neither data nor a plan are open. Open a file of answers, plan what protects "
                "them, and release them here."
            )
        )
        self.save.setVisible(has_plan)
        self.plan.setVisible(has_plan)

    def _button(self, text: str, icon: str, card: QWidget) -> QPushButton:
        button = QPushButton(text, card)
        IconBond(button, icon, "accent_text" if icon == "table" else "text")
        return button


class RunningView(QWidget):
    """Progress, stage, time left and Cancel in one card.

    Attributes:
        cancel: The button that cancels.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = card = _middle_card(self)
        self._title = ElidedLabel("", "heading", parent=card)
        self._target = ElidedLabel("", "muted", parent=card)
        self.bar = progress_bar(self.tr("Progress of the release"), card)
        self._stage = PlainLabel("", parent=card)
        self._left = PlainLabel("", "muted", parent=card)
        self._left.setAlignment(Qt.AlignmentFlag.AlignRight)
        note = PlainLabel(
            self.tr(
                "The plan as it stood at the start is run; edits made meanwhile do not touch "
                "this release. Nothing appears in the folder before all of it is written."
            ),
            "caption",
            wrap=True,
            parent=card,
        )
        self.cancel = QPushButton(self.tr("Cancel"), card)
        self.cancel.setToolTip(self.tr("Stop and leave nothing behind (Esc)"))
        facts = lay_row((self._stage, 1), self._left)
        end = lay_row(STRETCH, self.cancel)
        for part in (self._title, self._target):
            card.body.addWidget(part)
        card.body.addSpacing(8)
        card.body.addWidget(self.bar)
        card.body.addLayout(facts)
        card.body.addSpacing(8)
        card.body.addWidget(note)
        card.body.addLayout(end)

    def start(self, title: str, target: str) -> None:
        """Shows the start of a release.

        Args:
            title: Title of the work.
            target: Name of the folder.
        """
        self._title.set_text(title)
        self._target.set_text(self.tr("into {folder}").format(folder=target))
        self.bar.setValue(0)
        self._stage.setText(self.tr("Starting"))
        self._left.setText("")
        self.cancel.setEnabled(True)
        self.cancel.setFocus()

    def show_progress(self, progress: Progress) -> None:
        """Shows its progress."""
        self.bar.setValue(round(STEPS * progress.done))
        if not self.cancel.isEnabled():
            return
        self._stage.setText(QCoreApplication.translate("Stage", progress.stage))
        self._left.setText(self._time_left(progress))
        self.bar.setAccessibleDescription(f"{self._stage.text()}. {self._left.text()}")

    def show_cancelling(self) -> None:
        """Shows at once that the cancel was received."""
        self.cancel.setEnabled(False)
        self._stage.setText(self.tr("Cancelling …"))
        self._left.setText("")

    def stage(self) -> str:
        """The shown stage."""
        return self._stage.text()

    def _time_left(self, progress: Progress) -> str:
        seconds = progress.seconds_left
        if seconds is None or progress.done < _KNOWN_FROM:
            return ""
        if seconds < 1.5:
            return self.tr("about a second left")
        if seconds < 90:
            return self.tr("about {seconds} s left").format(seconds=ceil(seconds))
        return self.tr("about {minutes} min left").format(minutes=ceil(seconds / 60))
