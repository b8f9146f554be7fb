"""The settings: every one is in force at once and remembered, with a sentence on what it does."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton, QVBoxLayout, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.open_table import PlanDefaults
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import TEXT_SIZES, ThemeSwitch, scaled
from dpdesk.gui.widgets.boxes import STRETCH, Button, dialog_buttons, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.ledgers.place import (
    LEDGER_NAME,
    VARIABLE,
    choose_folder,
    chosen_folder,
    data_folder,
    default_path,
)
from dpdesk.plan import Plan

_LEVELS = ("0.8", "0.9", "0.95", "0.98", "0.99", "0.999")


class SettingsDialog(QDialog):
    """Appearance, new plans, and the folder of the ledger.

    Args:
        settings: Where they are kept.
        document: Whose new plans begin with the defaults.
        busy: Tells why the ledger cannot be changed now; "" if it can.
        parent: The window.

    Attributes:
        folder_asked: Asks for a folder; None if none was chosen.
    """

    def __init__(
        self,
        settings: Settings,
        document: Document,
        busy: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings, self._document, self._busy = settings, document, busy
        self._wanted: Path | None = None
        self.folder_asked: Callable[[], Path | None] = self._ask_folder
        self.setWindowTitle(self.tr("Settings"))
        rows = lay_column(
            PlainLabel(self.tr("Every change is in force at once and is remembered."), "muted"),
            self._appearance(),
            self._new_plans(),
            self._ledger(),
            STRETCH,
            spacing=12,
            margins=4,
        )
        inside = QWidget(self)
        inside.setLayout(rows)
        buttons = dialog_buttons(self, kinds=Button.Close)
        lay_column((scrolled(inside), 1), buttons, spacing=10, margins=14, on=self)
        # Enter takes what is typed in a field; it does not close the dialog.
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.resize(scaled(640), min(scaled(720), 680))
        self._show_ledger()

    def show_appearance(self) -> None:
        """Shows the theme and the size of text in force, which the menu can change as well."""
        switch = ThemeSwitch.instance()
        self.theme.setCurrentIndex(self.theme.findData(switch.choice))
        self.text_size.setCurrentIndex(self.text_size.findData(switch.text_percent))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.budget.hasFocus():
            self.budget.commit()
            return
        super().keyPressEvent(event)

    def _appearance(self) -> Card:
        sizes = [(self.tr("{percent} %").format(percent=size), size) for size in TEXT_SIZES]
        self.text_size = ChoiceBox(self.tr("Text size"), sizes)
        themes = (
            (self.tr("As the system"), "system"),
            (self.tr("Light"), "light"),
            (self.tr("Dark"), "dark"),
        )
        self.theme = ChoiceBox(self.tr("Theme"), themes)
        self.show_appearance()
        self.text_size.activated.connect(self._take_text_size)
        self.theme.activated.connect(self._take_theme)
        return _card(
            self.tr("Appearance"),
            _row(
                self.tr("Text size"),
                self.text_size,
                self.tr("The size of all text; Ctrl++ and Ctrl+- change it, Ctrl+0 resets it."),
            ),
            _row(
                self.tr("Theme"),
                self.theme,
                self.tr("Light or dark; as the system, it changes with the system's own."),
            ),
        )

    def _new_plans(self) -> Card:
        defaults = self._document.defaults
        self.budget = CommitLine(self.tr("Default budget"), longest=30)
        self.budget.setFixedWidth(scaled(110))
        self.budget.set_value(format_epsilon(defaults.budget))
        self.refusal = RefusalLabel()
        self.budget.committed.connect(self._take_budget)
        self.budget.refused.connect(self.refusal.show_sentence)
        levels = dict.fromkeys((*map(Decimal, _LEVELS), defaults.confidence))
        words = [
            (self.tr("{level} %").format(level=f"{100 * one:f}".rstrip("0").rstrip(".")), one)
            for one in levels
        ]
        self.level = ChoiceBox(self.tr("Confidence of statistics"), words)
        self.level.setCurrentIndex(list(levels).index(defaults.confidence))
        self.level.activated.connect(self._take_level)
        return _card(
            self.tr("New plans"),
            _row(
                self.tr("Default budget ε"),
                self.budget,
                self.tr(
                    "The ε of a whole record that a new plan begins with; plans that exist keep "
                    "theirs."
                ),
            ),
            self.refusal,
            _row(
                self.tr("Confidence of statistics"),
                self.level,
                self.tr(
                    "How often the interval of a statistic holds the true value; the plan, the "
                    "report and the files state it. For released records it is always 95 %, by "
                    "which results are judged useful."
                ),
            ),
        )

    def _ledger(self) -> Card:
        self.folder = PlainLabel("", wrap=True)
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.choose = QPushButton(self.tr("C&hoose folder…"))
        self.choose.clicked.connect(self._choose_folder)
        self.reset = QPushButton(self.tr("Use the &data folder"))
        self.reset.clicked.connect(lambda: self._prepare(data_folder()))
        self.notice = PlainLabel("", "warning", wrap=True)
        self.change = QPushButton(self.tr("C&hange the folder"))
        self.change.clicked.connect(self._change_folder)
        self.keep = QPushButton(self.tr("&Keep it"))
        self.keep.clicked.connect(self._show_ledger)
        return _card(
            self.tr("Ledger"),
            self.folder,
            PlainLabel(
                self.tr(
                    "The ledger counts what was released about whom, for the window and the "
                    "command line alike. A change moves, copies and deletes nothing: what is "
                    "counted in the old folder stays there and counts again if that folder is "
                    "chosen again, but does not count in the new one."
                ),
                "caption",
                wrap=True,
            ),
            self.notice,
            lay_row(STRETCH, self.reset, self.choose, self.keep, self.change, spacing=8),
        )

    def _take_text_size(self) -> None:
        percent = self.text_size.currentData()
        self._settings.set_text_percent(percent)
        ThemeSwitch.instance().set_text_percent(percent)

    def _take_theme(self) -> None:
        choice = self.theme.currentData()
        self._settings.set_theme(choice)
        ThemeSwitch.instance().set_choice(choice)

    def _take_budget(self, text: str) -> None:
        try:
            # Validated as the budget of a plan is, with the same sentence.
            budget = Plan(budget=text.strip().replace(",", ".")).budget  # type: ignore[arg-type]
        except Refused as error:
            self.budget.refuse(refusal_of(error))
            return
        if budget is None:
            self.budget.refuse(self.tr("This is not a number. Type an epsilon such as 4."))
            return
        self.budget.set_value(format_epsilon(budget))
        self._take_defaults(replace(self._document.defaults, budget=budget))

    def _take_level(self) -> None:
        level = self.level.currentData()
        self._take_defaults(replace(self._document.defaults, confidence=level))

    def _take_defaults(self, defaults: PlanDefaults) -> None:
        self._document.defaults = defaults
        self._settings.set_plan_defaults(defaults)

    def _show_ledger(self, sentence: str = "") -> None:
        """Shows which folder is in use, and a sentence on why it was not changed."""
        self._wanted = None
        try:
            place: Path | None = default_path().parent
            odd = ""
        except DpdeskError as error:
            place, odd = _folder_that_is_gone(), str(error)
        by_variable = self._named_elsewhere()
        if by_variable:
            odd = self.tr("{variable} names the ledger for this session; unset it to choose here.")
            odd = odd.format(variable=VARIABLE)
        self.folder.setText("" if place is None else str(place))
        self._say(sentence or odd)
        self.choose.setEnabled(not by_variable)
        self.reset.setEnabled(not by_variable and place != data_folder())
        self._ask(asking=False)

    def _named_elsewhere(self) -> bool:
        return VARIABLE in os.environ

    def _ask_folder(self) -> Path | None:
        title = self.tr("Folder of the ledger")
        chosen = QFileDialog.getExistingDirectory(self, title, self.folder.text())
        return Path(chosen) if chosen else None

    def _choose_folder(self) -> None:
        folder = self.folder_asked()
        if folder is not None:
            self._prepare(folder)

    def _prepare(self, folder: Path) -> None:
        """Says what a change would do; it takes a second click."""
        self._wanted = folder
        exists = (folder / LEDGER_NAME).exists()
        said = (
            self.tr("{folder} holds a ledger: its counts are in force from then on.")
            if exists
            else self.tr("In {folder} a new ledger begins: no earlier release counts in it.")
        )
        stays = self.tr("The present ledger stays in {old} with all that it counts.")
        self._say(f"{said.format(folder=folder)} {stays.format(old=self.folder.text())}")
        self._ask(asking=True)
        self.change.setFocus(Qt.FocusReason.OtherFocusReason)

    def _change_folder(self) -> None:
        busy = self._busy()
        if busy or self._wanted is None:
            self._show_ledger(busy)
            return
        try:
            wanted = self._wanted
            choose_folder(None if wanted == data_folder() else wanted)
        except DpdeskError as error:
            self._show_ledger(str(error))
            return
        self._show_ledger()
        self._document.ledgerMoved.emit()

    def _say(self, sentence: str) -> None:
        self.notice.setText(sentence)
        self.notice.setVisible(bool(sentence))

    def _ask(self, *, asking: bool) -> None:
        for button in (self.change, self.keep):
            button.setVisible(asking)
        for button in (self.choose, self.reset):
            button.setVisible(not asking)


def _folder_that_is_gone() -> Path | None:
    """The folder that was chosen; None where the choice cannot be read."""
    try:
        return chosen_folder()
    except DpdeskError:
        return None


def _card(title: str, *items: object) -> Card:
    """A card with a heading and rows."""
    card = Card()
    card.body.addLayout(lay_column(PlainLabel(title, "heading"), *items, spacing=10))  # type: ignore[arg-type]
    return card


def _row(title: str, control: QWidget, meaning: str) -> QVBoxLayout:
    """A setting: its name beside the control, and below it what it does."""
    control.setAccessibleDescription(meaning)
    head = lay_row(PlainLabel(title), STRETCH, control, spacing=12)
    return lay_column(head, PlainLabel(meaning, "caption", wrap=True), spacing=3)
