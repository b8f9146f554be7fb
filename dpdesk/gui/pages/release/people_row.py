"""Whose data a release is about, and what their budget says to it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpdesk.cost import PrivacyCost
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.gui.pages.release.account_watch import AccountWatch, DataAccount
from dpdesk.gui.pages.release.marked_line import MarkedLine
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.ledger import MODELS, Population
from dpdesk.report.number_text import epsilon_text


class PeopleRow(QWidget):
    """The name of the people, what was released of them before, and a notice of similar files.

    Args:
        watch: What the ledger says.
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        ledgerAsked: The user wants to see the ledger.
        changed: Emitted when a release became possible or impossible, or is of other people.
    """

    ledgerAsked = Signal()
    changed = Signal()

    def __init__(
        self, watch: AccountWatch, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._watch = watch
        self._cost: PrivacyCost | None = None
        self._objection = ""
        self._shown: DataAccount | None = None
        self.name = CommitLine(self.tr("People that the data are about"), parent=self)
        self.name.setMaxLength(200)
        label = QLabel(self.tr("Peop&le"), self)
        label.setBuddy(self.name)
        self.ledger = QPushButton(self.tr("Le&dger…"), self)
        self.ledger.setToolTip(self.tr("What was released before, and what is left"))
        self.same = QPushButton(self.tr("Same people"), self)
        self.same.setToolTip(self.tr("Charges the release to the people of that file"))
        self.refusal = RefusalLabel(parent=self)
        self.name.refused.connect(self.refusal.show_sentence)
        self.budget = MarkedLine(theme, "warning", parent=self)
        self.similar = MarkedLine(theme, "warning", parent=self)
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setSpacing(8)
        first.addWidget(label)
        first.addWidget(self.name, 1)
        first.addWidget(self.ledger)
        second.addWidget(self.similar, 1)
        second.addWidget(self.same)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addLayout(first)
        whole.addWidget(self.refusal)
        whole.addWidget(self.budget)
        whole.addLayout(second)
        self.ledger.clicked.connect(self.ledgerAsked)
        self.same.clicked.connect(self._take_over)
        self.name.committed.connect(self._take_name)
        watch.changed.connect(self._follow)
        self._follow()

    def population(self) -> str:
        """The name that a release is charged to; empty for those that the data are known to be."""
        return self.name.value()

    def objection(self) -> str:
        """Why the ledger does not allow a release; empty where it does."""
        return self._objection

    def known(self) -> Population | None:
        """The people that a release would be charged to, where the ledger knows them."""
        account = self._watch.account
        if account is None:
            return None
        return account.population or account.book.named(self.population() or "\n")

    def show_cost(self, cost: PrivacyCost) -> None:
        """Shows what a release of another cost does to the budget."""
        if cost != self._cost:
            self._cost = cost
            self._show_budget()

    def _follow(self) -> None:
        """Takes up what the ledger says now; a name that was typed stays for the same data."""
        account = self._watch.account
        if account is not None:
            before, own = self._shown, account.population
            is_new = before is None or account.table is not before.table
            if own is not None and own.is_declared:
                # A name that was taken away stays away, until the data get another one.
                named = is_new or before is None or _name_of(before.population) != own.name
                if named or self.name.value():
                    self.name.set_value(own.name)
            elif is_new:
                self.name.set_value("")
            self._shown = account
        self._show_hint()
        self._show_budget()
        self._show_similar()
        self.changed.emit()

    def _show_hint(self) -> None:
        account = self._watch.account
        own = None if account is None else account.population
        self.name.setPlaceholderText(
            self.tr("such as Household survey 2026; the report then lists earlier releases")
            if own is None
            else self.tr("recognised as {name}; type the name to list earlier releases").format(
                name=own.name
            )
            if own.is_declared
            else self.tr("recognised as {name}; type a name to declare them").format(name=own.name)
        )

    def _show_budget(self) -> None:
        error, population, cost = self._watch.error, self.known(), self._cost
        self._objection = "" if error is None else str(error)
        if error is not None or population is None or cost is None:
            self.budget.show_sentence(self._objection, "error")
            return
        cap = population.caps.get(cost.model)
        after = population.spent(cost.model, (cost,))
        if not after.fits(cap):
            left = population.left(cost.model)
            words = self.tr(
                "The budget of {name} does not allow this release: it costs ε = {cost}, and "
                "ε = {left} of {cap} is left."
            )
            self._objection = words.format(
                name=population.name,
                cost=epsilon_text(cost.epsilon),
                left=epsilon_text(left.epsilon) if left else "0",
                cap=epsilon_text(cap.epsilon) if cap else "0",
            )
            self.budget.show_sentence(self._objection, "error")
            return
        self.budget.show_sentence(self._spent(population, cost), "warning")

    def _spent(self, population: Population, cost: PrivacyCost) -> str:
        """What was released of them before, and where a further release leaves them."""
        count = len(population.releases)
        if not count:
            return ""
        models = {
            "local": self.tr("ε = {spent} in the local model"),
            "central": self.tr("ε = {spent} in the central model"),
        }
        spent = [population.spent(model) for model in MODELS]
        sums = [models[s.model].format(spent=epsilon_text(s.epsilon)) for s in spent if s.releases]
        made = (
            self.tr("Released once before, at {spent}.")
            if count == 1
            else self.tr("Released {count} times before, at {spent}.")
        )
        after = population.spent(cost.model, (cost,))
        left = after.left(population.caps.get(cost.model))
        adds = self.tr(
            "Another release is another disclosure: with it each respondent stands at ε = {total}."
        )
        said = [
            made.format(count=f"{count:,}", spent=self.tr(" and ").join(sums)),
            adds.format(total=epsilon_text(after.epsilon)),
        ]
        if left is not None:
            rest = self.tr("ε = {left} is left then.")
            said.append(rest.format(left=epsilon_text(left.epsilon)))
        return " ".join(said)

    def _show_similar(self) -> None:
        account = self._watch.account
        likeness = account.similar[0] if account is not None and account.similar else None
        is_taken = likeness is not None and likeness.population == self.population()
        shown = likeness is not None and not is_taken
        self.similar.show_sentence(likeness.sentence if likeness is not None and shown else "")
        self.same.setVisible(shown and account is not None and account.population is None)

    def _take_over(self) -> None:
        account = self._watch.account
        if account is not None and account.similar:
            self.name.set_value(account.similar[0].population)
            self._show_budget()
            self._show_similar()
            self.changed.emit()

    def _take_name(self, typed: str) -> None:
        """Takes a name; for people that were recognised it declares them."""
        account = self._watch.account
        name = " ".join(typed.split())
        own = None if account is None else account.population
        if account is not None and own is not None and name:
            try:
                if own.is_declared and name.casefold() != own.name.casefold():
                    belong = self.tr(
                        "These data belong to {name}. Rename or join people in the ledger."
                    )
                    raise ParameterError(belong.format(name=own.name))
                if not own.is_declared:
                    account.ledger.rename(own.name, name)
            except DpdeskError as error:
                self.name.refuse(str(error))
                return
            self._watch.ask_again()
        self.name.set_value(name)
        self._show_budget()
        self._show_similar()
        self.changed.emit()


def _name_of(population: Population | None) -> str:
    return population.name if population is not None and population.is_declared else ""
