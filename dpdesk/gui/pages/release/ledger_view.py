"""What was released of a population: totals of both models, caps, and every release."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from dpdesk.data.regular_file import FileRefusedError
from dpdesk.data.whole_file import write_whole
from dpdesk.errors import DpdeskError
from dpdesk.gui.help_button import HelpButton
from dpdesk.gui.pages.release.ledger_model import LedgerModel
from dpdesk.gui.pages.release.ledger_tile import LedgerTile
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.plain_table import PlainTable
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.ledger import MODELS, Cap, Ledger, Model, Population, set_aside


class LedgerView(QWidget):
    """One population at a time.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        changed: Emitted when the ledger was changed here.
    """

    changed = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ledger: Ledger | None = None
        self._populations: tuple[Population, ...] = ()
        self.notice = NoticeBar(theme, parent=self)
        self.notice.actionTriggered.connect(self._set_aside)
        self.choice = ChoiceBox(self.tr("Population"), parent=self)
        self.choice.currentIndexChanged.connect(lambda _: self._show_chosen())
        label = QLabel(self.tr("&Population"), self)
        label.setBuddy(self.choice)
        self.rename = QPushButton(self.tr("Re&name…"), self)
        self.join = QPushButton(self.tr("Sa&me people as…"), self)
        self.plan = QPushButton(self.tr("Save its p&lan…"), self)
        self.plan.setToolTip(self.tr("The plan of the chosen release; its noise cannot be had"))
        for button, run in (
            (self.rename, self._ask_name),
            (self.join, self._ask_join),
            (self.plan, self._save_plan),
        ):
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, run=run: run())
        self.tiles: dict[Model, LedgerTile] = {}
        tiles = QHBoxLayout()
        tiles.setSpacing(12)
        for model in MODELS:
            tile = LedgerTile(model, parent=self)
            tile.capTyped.connect(lambda cap, model=model: self._set_cap(model, cap))
            self.tiles[model] = tile
            tiles.addWidget(tile, 1)
        self.model = LedgerModel(self)
        self.table = PlainTable(self.model, theme, self.tr("Releases"), parent=self)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self._begun = PlainLabel("", "muted", wrap=True, parent=self)
        head, foot = QHBoxLayout(), QHBoxLayout()
        for row in (head, foot):
            row.setSpacing(8)
        head.addWidget(label)
        head.addWidget(self.choice, 1)
        head.addWidget(self.rename)
        head.addWidget(self.join)
        head.addWidget(HelpButton("ledger", self.tr("What the ledger is"), theme, parent=self))
        foot.addWidget(self._begun, 1)
        foot.addWidget(self.plan)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self.notice)
        whole.addLayout(head)
        whole.addLayout(tiles)
        whole.addWidget(self.table, 1)
        whole.addLayout(foot)

    def show_ledger(self, name: str = "") -> None:
        """Reads the ledger anew and shows a population; the one before if no name is given."""
        wanted = name or self.choice.currentText()
        self.notice.clear()
        try:
            self._ledger = Ledger.open()
            book = self._ledger.book()
        except DpdeskError as error:
            self._ledger, self._populations = None, ()
            self._begun.setText("")
            self.notice.show_notice("error", str(error), self.tr("Set it aside"))
        else:
            # Nobody looks for people of whom nothing was released at the top.
            self._populations = tuple(reversed(book.populations()))
            begun = self.tr("Begun on {day} (UTC); of releases before that it knows nothing.")
            self._begun.setText(begun.format(day=f"{book.begun:%Y-%m-%d}"))
            if book.set_aside:
                aside = self.tr("An earlier ledger was set aside as {name}.")
                self._begun.setText(f"{self._begun.text()} {aside.format(name=book.set_aside)}")
        names = [population.name for population in self._populations]
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItems(names)
            self.choice.setCurrentIndex(names.index(wanted) if wanted in names else 0)
        self._show_chosen()

    def population(self) -> Population | None:
        """The population that is shown, or None."""
        index = self.choice.currentIndex()
        return self._populations[index] if 0 <= index < len(self._populations) else None

    def _show_chosen(self) -> None:
        population = self.population()
        for tile in self.tiles.values():
            tile.show_population(population)
        releases = () if population is None else tuple(reversed(population.releases))
        self.model.show_rows(releases)
        self._enable()

    def _enable(self) -> None:
        population = self.population()
        self.choice.setEnabled(population is not None)
        self.rename.setEnabled(population is not None)
        self.join.setEnabled(len(self._populations) > 1)
        self.plan.setEnabled(self.table.currentIndex().isValid() and self.model.rowCount() > 0)

    def _change(self, change: Callable[[Ledger, str], None], name: str = "") -> None:
        """Changes the ledger and shows it anew; an error is told."""
        ledger, population = self._ledger, self.population()
        if ledger is None or population is None:
            return
        try:
            change(ledger, population.name)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        self.show_ledger(name)
        self.changed.emit()

    def _set_cap(self, model: Model, cap: Cap | None) -> None:
        self._change(lambda ledger, name: ledger.set_cap(name, model, cap))

    def _ask_name(self) -> None:
        population = self.population()
        if population is None:
            return
        title, question = self.tr("Rename"), self.tr("Name of these people")
        typed, taken = QInputDialog.getText(self, title, question, text=population.name)
        if taken and typed.strip():
            new = " ".join(typed.split())
            self._change(lambda ledger, name: ledger.rename(name, new), new)

    def _ask_join(self) -> None:
        population = self.population()
        if population is None:
            return
        others = [p.name for p in self._populations if p.id != population.id]
        question = self.tr(
            "Their releases add up from now on, and this cannot be taken back.\n"
            "{name} are the same people as"
        ).format(name=population.name)
        chosen, taken = QInputDialog.getItem(
            self, self.tr("The same people"), question, others, editable=False
        )
        if taken:
            self._change(lambda ledger, name: ledger.same_people(name, chosen), chosen)

    def _save_plan(self) -> None:
        ledger, index = self._ledger, self.table.currentIndex()
        if ledger is None or not index.isValid():
            return
        title, kinds = self.tr("Save the plan of a release"), self.tr("Plans (*.json)")
        chosen, _ = QFileDialog.getSaveFileName(self, title, "plan.json", kinds)
        if not chosen:
            return
        try:
            text = ledger.plan_of(self.model.row(index.row()).id)
            write_whole(Path(chosen), text)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
        except FileRefusedError as error:
            failed = self.tr("The plan cannot be saved: {reason}.")
            self.notice.show_notice("error", failed.format(reason=error))
        else:
            saved = self.tr("The plan was saved as {name}.").format(name=Path(chosen).name)
            self.notice.show_notice("success", saved)

    def _set_aside(self) -> None:
        """Keeps a damaged ledger under another name and begins anew."""
        try:
            folder = set_aside()
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        self.show_ledger()
        kept = self.tr(
            "The ledger was set aside as {name}, beside the new one. The new one knows of no "
            "earlier release."
        )
        self.notice.show_notice("warning", kept.format(name=folder.name))
        self.changed.emit()
