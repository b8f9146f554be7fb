"""The total of one model: spent, left, what that still buys, and the cap to edit."""

from __future__ import annotations

import re
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.ledger import Cap, Model, Population
from dpdesk.ledger.account import what_is_left_buys
from dpdesk.numbers import exact_number
from dpdesk.report.number_text import epsilon_text

_GRAMMAR = re.compile(r"[0-9]{1,4}(\.[0-9]{1,12})?")


class LedgerTile(Card):
    """What the releases of a population lost together in one model.

    Args:
        model: "local" or "central".
        parent: Qt's owner.

    Attributes:
        capTyped: Emitted with a `Cap`, or None for no limit.
    """

    capTyped = Signal(object)

    def __init__(self, model: Model, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model = model
        local = model == "local"
        name = self.tr("Local model") if local else self.tr("Central model")
        self.setAccessibleName(name)
        self._refusal = RefusalLabel(parent=self)
        self.spent = PlainLabel("", "figure", parent=self)
        self.releases = PlainLabel("", "muted", wrap=True, parent=self)
        self.left = PlainLabel("", wrap=True, parent=self)
        self.epsilon = self._line(
            self.tr("Cap of epsilon, local") if local else self.tr("Cap of epsilon, central")
        )
        self.delta = self._line(self.tr("Cap of delta, central"))
        row = QHBoxLayout()
        row.setSpacing(8)
        label = QLabel(self.tr("C&ap on ε") if local else self.tr("Cap &on ε"), self)
        label.setBuddy(self.epsilon)
        row.addWidget(label)
        row.addWidget(self.epsilon)
        if not local:
            second = QLabel(self.tr("an&d δ"), self)
            second.setBuddy(self.delta)
            row.addWidget(second)
            row.addWidget(self.delta)
        self.delta.setVisible(not local)
        row.addStretch(1)
        self.epsilon.setPlaceholderText(self.tr("none"))
        self.body.addWidget(PlainLabel(name, "heading", parent=self))
        self.body.addWidget(self.spent)
        self.body.addWidget(self.releases)
        self.body.addWidget(self.left)
        self.body.addStretch(1)
        self.body.addLayout(row)
        self.body.addWidget(self._refusal)

    def refusal(self) -> str:
        """Why a cap that was typed is none; empty while all is well."""
        return self._refusal.text()

    def show_population(self, population: Population | None) -> None:
        """Shows the totals of a population; nothing of none."""
        for line in (self.epsilon, self.delta):
            line.setEnabled(population is not None)
            line.set_value("")
        if population is None:
            for label in (self.spent, self.releases, self.left):
                label.setText("")
            return
        spent, cap = population.spent(self._model), population.caps.get(self._model)
        text = f"ε = {epsilon_text(spent.epsilon)}"
        self.spent.setText(f"{text}, δ = {spent.delta:g}" if spent.delta else text)
        count = (
            self.tr("1 release")
            if spent.releases == 1
            else self.tr("{count} releases").format(count=f"{spent.releases:,}")
        )
        self.releases.setText(f"{count}; {spent.relation}" if spent.relation else count)
        self.left.setText(self._rest(population, cap))
        if cap is not None:
            self.epsilon.set_value(format_epsilon(cap.epsilon))
            self.delta.set_value(f"{cap.delta:g}")

    def _rest(self, population: Population, cap: Cap | None) -> str:
        left = population.left(self._model)
        if cap is None or left is None:
            return self.tr("No cap is set: nothing keeps the total from growing.")
        words = self.tr("ε = {left} of {cap} is left")
        said = words.format(left=epsilon_text(left.epsilon), cap=epsilon_text(cap.epsilon))
        rows = max((file.rows for file in population.files), default=0)
        bought = what_is_left_buys(self._model, left.epsilon, rows)
        return f"{said}: {bought}." if bought else f"{said}."

    def _line(self, name: str) -> CommitLine:
        line = CommitLine(name, parent=self)
        line.setFixedWidth(line.fontMetrics().horizontalAdvance("0000.0000") + 18)
        line.committed.connect(lambda _: self._take())
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take(self) -> None:
        typed = self.epsilon.text().strip()
        if not typed:
            self.capTyped.emit(None)
            return
        if not _GRAMMAR.fullmatch(typed):
            self.epsilon.refuse(self.tr("Type a number up to 9,999, such as 8; nothing for none."))
            return
        delta = exact_number(self.delta.text().strip() or "0")
        if delta is None or not 0 <= delta < 1:
            self.delta.refuse(self.tr("Type a number from 0 to below 1, such as 1e-6."))
            return
        self.capTyped.emit(Cap(Decimal(typed), delta))
