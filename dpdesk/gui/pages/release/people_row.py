"""Whose data a release is about, and what their budget says to it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpdesk.cost import PrivacyCost
from dpdesk.errors import DpdeskError, ParameterError, SamePeopleError
from dpdesk.gui.pages.release.account_watch import AccountWatch, DataAccount
from dpdesk.gui.pages.release.marked_line import MarkedLine
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.ledger import MODELS, Model, Population, Resemblance
from dpdesk.ledger.charging import ChargeTo
from dpdesk.report.number_text import epsilon_text


class PeopleRow(QWidget):
    """The name of the people, what was released of them before, and whether known files are theirs.

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
        self._are_others = False
        self._shown: DataAccount | None = None
        self.name = CommitLine(self.tr("People that the data are about"), parent=self)
        self.name.setMaxLength(200)
        label = QLabel(self.tr("Peop&le"), self)
        label.setBuddy(self.name)
        self.ledger = QPushButton(self.tr("Le&dger…"), self)
        self.ledger.setToolTip(self.tr("What was released before, and what is left"))
        self.same = QPushButton(self.tr("Same people"), self)
        self.same.setToolTip(
            self.tr("Charges the release to the people of that file: the losses add up")
        )
        self.other = QPushButton(self.tr("Other people"), self)
        self.other.setToolTip(self.tr("The ledger keeps that answer with the release"))
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
        second.addStretch(1)
        second.addWidget(self.same)
        second.addWidget(self.other)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(6)
        whole.addLayout(first)
        whole.addWidget(self.refusal)
        whole.addWidget(self.budget)
        whole.addWidget(self.similar)
        whole.addLayout(second)
        self.ledger.clicked.connect(self.ledgerAsked)
        self.same.clicked.connect(self._take_over)
        self.other.clicked.connect(self._take_apart)
        self.name.committed.connect(self._take_name)
        watch.changed.connect(self._follow)
        self._follow()

    def population(self) -> str:
        """The name that a release is charged to; empty for those that the data are known to be."""
        return self.name.value()

    def charge_to(self, **more: Any) -> ChargeTo:
        """Whom a release is charged to, as it is said here."""
        return ChargeTo(
            population=self.population(), declare=True, other_people=self._are_others, **more
        )

    def objection(self) -> str:
        """Why the ledger does not allow a release; empty where it does."""
        return self._objection

    def reason(self) -> str:
        """Why the button of the release is disabled, in few words."""
        if not self.same.isHidden() and not self._are_others:
            return self.tr("Blocked: say whether these are the same people")
        return self.tr("Blocked by the ledger")

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
            self._show_account()

    def _follow(self) -> None:
        """Takes up what the ledger says now; a name that was typed stays for the same data."""
        account = self._watch.account
        if account is not None:
            before, own = self._shown, account.population
            is_new = before is None or account.table is not before.table
            if is_new:
                self._are_others = False
            if own is not None and own.is_declared:
                # A name that was taken away stays away, until the data get another one.
                named = is_new or before is None or _name_of(before.population) != own.name
                if named or self.name.value():
                    self.name.set_value(own.name)
            elif is_new:
                self.name.set_value("")
            self._shown = account
        self._show_hint()
        self._show_account()
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

    def _show_account(self) -> None:
        """Shows what stands in the way, or else what the release adds to."""
        account, error, cost = self._watch.account, self._watch.error, self._cost
        found: tuple[DpdeskError, ...] = () if error is None else (error,)
        if account is not None and cost is not None:
            found = account.in_the_way(cost, self.population(), other_people=self._are_others)
        self._objection = str(found[0]) if found else ""
        told = [str(each) for each in found if not isinstance(each, SamePeopleError)]
        population = self.known()
        if told:
            self.budget.show_sentence(told[0], "error")
        elif population is not None and cost is not None:
            self.budget.show_sentence(self._spent(population, cost), "warning")
        else:
            self.budget.show_sentence("")
        self._show_question(() if account is None else account.questions(self.population()))

    def _spent(self, population: Population, cost: PrivacyCost) -> str:
        """What was released of them before, each model by itself, and what this release adds."""
        models: tuple[Model, ...] = (cost.model, *(m for m in MODELS if m != cost.model))
        said = [self._spent_in(model, population, cost) for model in models]
        return " ".join(filter(None, said)) if population.releases else ""

    def _spent_in(self, model: Model, population: Population, cost: PrivacyCost) -> str:
        names = {"local": self.tr("Local model"), "central": self.tr("Central model")}
        spent = population.spent(model)
        is_touched = model == cost.model
        if not spent.releases and not is_touched:
            return ""
        before = (
            self.tr("{model}: not released before")
            if not spent.releases
            else self.tr("{model}: released once before, at ε = {spent}")
            if spent.releases == 1
            else self.tr("{model}: released {count} times before, at ε = {spent} in all")
        ).format(model=names[model], count=f"{spent.releases:,}", spent=epsilon_text(spent.epsilon))
        if not is_touched:
            return self.tr("{before}; this release adds nothing to it.").format(before=before)
        after = population.spent(model, (cost,))
        cap, left = population.caps.get(model), after.left(population.caps.get(model))
        words = self.tr("{before}; with this one ε = {total}.")
        said = words.format(before=before, total=epsilon_text(after.epsilon))
        if cap is None or left is None:
            return said
        rest = self.tr("{said} Then ε = {left} of {cap} is left.")
        return rest.format(
            said=said, left=epsilon_text(left.epsilon), cap=epsilon_text(cap.epsilon)
        )

    def _show_question(self, asked: tuple[Resemblance, ...]) -> None:
        """Asks whether these are the same people, or says what was answered."""
        if asked and self._are_others:
            names = ", ".join(each.population for each in asked)
            said = self.tr("Other people than {names}; the ledger keeps that with the release.")
            self.similar.show_sentence(said.format(names=names), "info")
        elif asked:
            question = self.tr("{sentence} Are these the same people?")
            self.similar.show_sentence(question.format(sentence=asked[0].sentence), "warning")
        else:
            self.similar.show_sentence("")
        self.same.setVisible(bool(asked))
        self.other.setVisible(bool(asked) and not self._are_others)

    def _take_over(self) -> None:
        account = self._watch.account
        asked = () if account is None else account.questions(self.population())
        if asked:
            self._are_others = False
            self.name.set_value(asked[0].population)
            self._show_account()
            self.changed.emit()
            self.name.setFocus()

    def _take_apart(self) -> None:
        self._are_others = True
        self._show_account()
        self.changed.emit()
        self.same.setFocus()

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
        self._show_account()
        self.changed.emit()


def _name_of(population: Population | None) -> str:
    return population.name if population is not None and population.is_declared else ""
