"""The population of a release: its account in the ledger, its name, and similar files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError, ParameterError, SamePeopleError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.severity_mark import MarkedLine
from dpdesk.ledgers import (
    Book,
    Fingerprint,
    Ledger,
    Population,
    Resemblance,
    obstacles,
    open_questions,
)
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.ledgers.texts import T
from dpdesk.plan import Problem
from dpdesk.preview.command_words import Value
from dpdesk.releases.ledger_problems import ledger_problems


@dataclass(frozen=True)
class DataAccount:
    """The ledger's account of a table.

    Attributes:
        table: The table.
        ledger: The ledger.
        book: Its content.
        data: The table's fingerprint under the ledger's key.
        population: The known population of the table, or None.
        similar: Known files of other populations that the table resembles.
    """

    table: SurveyTable
    ledger: Ledger
    book: Book
    data: Fingerprint
    population: Population | None
    similar: tuple[Resemblance, ...]

    def in_the_way(
        self, cost: PrivacyCost, name: str, *, other_people: bool
    ) -> tuple[DpdeskError, ...]:
        """The obstacles to a release: the same list that the charge checks.

        Args:
            cost: The privacy cost of the release.
            name: Name of the population; may be empty.
            other_people: Whether similar files are declared to be of other people.
        """
        return obstacles(
            self.book,
            self.data.digest,
            self.similar,
            (cost,),
            population=name,
            declare=True,
            other_people=other_people,
        )

    def questions(self, name: str) -> tuple[Resemblance, ...]:
        """The resemblances for which it is undecided whether these are the same people."""
        return open_questions(self.book, self.data.digest, self.similar, name)


def look_up(table: SurveyTable, tracker: Tracker) -> DataAccount:
    """Looks a table up in the ledger; recognising a million rows takes a second."""
    ledger = Ledger.open()
    data = ledger.fingerprint(table, tracker.tick)
    similar = ledger.similar(table, tracker.tick)
    book = ledger.book()
    return DataAccount(table, ledger, book, data, book.of_file(data.digest), similar)


class AccountWatch(QObject):
    """The ledger's account of the open table, looked up in the background.

    Attributes:
        changed: Emitted when the account or the error changes.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._account: DataAccount | None = None
        self._error: DpdeskError | None = None
        self._table: SurveyTable | None = None
        self._watch = JobWatch(self)
        self._watch.finished.connect(self._take)
        self._watch.failed.connect(self._fail)

    @property
    def account(self) -> DataAccount | None:
        """The account; None until it is known."""
        return self._account

    @property
    def error(self) -> DpdeskError | None:
        """Why the ledger cannot be trusted or read, or None."""
        return self._error

    @property
    def is_running(self) -> bool:
        """Whether a look-up is running."""
        return self._watch.is_running

    def look_at(self, table: SurveyTable | None) -> None:
        """Looks up a table, unless it is the current one; None clears the account."""
        if table is not self._table:
            self._table, self._account, self._error = table, None, None
            self.ask_again()
            self.changed.emit()

    def ask_again(self) -> None:
        """Looks it up again, as after a release or a change of the ledger."""
        self._watch.shut_down(timeout=5.0)
        if self._table is not None:
            self._watch.start(Job(self.tr("Asking the ledger"), partial(look_up, self._table)))

    def shut_down(self) -> None:
        """Cancels the look-up and waits for its end."""
        self._watch.shut_down()

    def _take(self, account: DataAccount) -> None:
        self._account, self._error = account, None
        self.changed.emit()

    def _fail(self, error: DpdeskError) -> None:
        self._account, self._error = None, error
        self.changed.emit()


class PopulationField(QWidget):
    """The name of the population, its earlier releases, and the question about similar files.

    Args:
        watch: The ledger's account.

    Attributes:
        ledgerAsked: Emitted when the user wants to see the ledger.
        changed: Emitted when a release became possible or impossible, or the population changed.
    """

    ledgerAsked = Signal()
    changed = Signal()

    def __init__(self, watch: AccountWatch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._watch = watch
        self._cost: PrivacyCost | None = None
        self._are_others = False
        self._shown: DataAccount | None = None
        self.name = CommitLine(self.tr("People that the data are about"), longest=200, parent=self)
        self.name.setToolTip(
            self.tr("With a name, the report lists the earlier releases about the same people")
        )
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
        self.budget = MarkedLine("warning", parent=self)
        self.similar = MarkedLine("warning", parent=self)
        first = lay_row(label, (self.name, 1), self.ledger, spacing=8)
        second = lay_row(STRETCH, self.same, self.other, spacing=8)
        lay_column(first, self.refusal, self.budget, self.similar, second, spacing=6, on=self)
        self.ledger.clicked.connect(self.ledgerAsked)
        self.same.clicked.connect(self._take_over)
        self.other.clicked.connect(self._take_apart)
        self.name.committed.connect(self._take_name)
        watch.changed.connect(self._follow)
        self._follow()

    def population(self) -> str:
        """The name that a release is charged to; empty for the data's known population."""
        return self.name.value()

    def words(self) -> dict[str, Value]:
        """The same as options of a command."""
        name = self.population()
        return {
            **({"population": name} if name else {}),
            **({"other_people": True} if self._are_others else {}),
        }

    def charge_to(self, **more: Any) -> ChargeTo:
        """The `ChargeTo` of a release, from the fields of this row."""
        return ChargeTo(
            population=self.population(), declare=True, other_people=self._are_others, **more
        )

    def problems(self, cost: PrivacyCost) -> tuple[Problem, ...]:
        """What the ledger has against a release of a cost."""
        return ledger_problems(map(self._in_window, self._obstacles(cost)))

    def reason(self) -> str:
        """Why the button of the release is disabled, in a few words."""
        if not self.same.isHidden() and not self._are_others:
            return self.tr("Blocked: say whether these are the same people")
        return self.tr("Blocked by the ledger")

    def known(self) -> Population | None:
        """The population that a release would be charged to, if the ledger knows it."""
        account = self._watch.account
        if account is None:
            return None
        return account.population or account.book.named(self.population() or "\n")

    def show_cost(self, cost: PrivacyCost) -> None:
        """Shows the effect of a release's cost on the budget."""
        if cost != self._cost:
            self._cost = cost
            self._show_account()

    def _follow(self) -> None:
        """Shows the new account; a typed name stays for the same data."""
        account = self._watch.account
        if account is not None:
            before, own = self._shown, account.population
            is_new = before is None or account.table is not before.table
            if is_new:
                self._are_others = False
            if own is not None and own.is_declared:
                # A name that the user cleared stays empty until the data's population changes.
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
            self.tr("such as Household survey 2026")
            if own is None
            else self.tr("recognised as {name}; type the name to list earlier releases").format(
                name=own.name
            )
            if own.is_declared
            else self.tr("recognised as {name}; type a name to declare them").format(name=own.name)
        )

    def _show_account(self) -> None:
        """Shows the obstacles, or else the earlier releases that this one adds to."""
        account, cost = self._watch.account, self._cost
        obstacles = self._obstacles(cost)
        messages = [str(each) for each in obstacles if not isinstance(each, SamePeopleError)]
        population = self.known()
        if messages:
            self.budget.show_sentence(messages[0], "error")
        elif population is not None and cost is not None:
            self.budget.show_sentence(self._spent(population, cost), "warning")
        else:
            self.budget.show_sentence("")
        self._show_question(() if account is None else account.questions(self.population()))

    def _obstacles(self, cost: PrivacyCost | None) -> tuple[DpdeskError, ...]:
        account, error = self._watch.account, self._watch.error
        if account is None or cost is None:
            return () if error is None else (error,)
        return account.in_the_way(cost, self.population(), other_people=self._are_others)

    def _in_window(self, error: DpdeskError) -> DpdeskError:
        """The question about similar files as the window asks it: with two buttons."""
        if not isinstance(error, SamePeopleError):
            return error
        names = ", ".join(error.populations)
        asked = self.tr("The data resemble those of {names}: are these the same people?")
        remedy = self.tr("Answer the question on Release.")
        return ParameterError(asked.format(names=names), remedy=remedy)

    def _spent(self, population: Population, cost: PrivacyCost) -> str:
        """The earlier releases, and the total of both models with this release."""
        if not population.releases:
            return ""
        spent, after = population.spent(), population.spent(more=(cost,))
        before = (
            self.tr("Released once before, at ε = {spent}")
            if spent.releases == 1
            else self.tr("Released {count} times before, at ε = {spent} in all")
        ).format(count=f"{spent.releases:,}", spent=format_epsilon(spent.epsilon))
        words = self.tr("{before}; with this one ε = {total}.")
        said = words.format(before=before, total=format_epsilon(after.epsilon))
        if (cap := population.cap) is not None and (left := after.left(cap)) is not None:
            rest = self.tr("{said} Then ε = {left} of {cap} is left.")
            cap_text = format_epsilon(cap.epsilon)
            said = rest.format(said=said, left=format_epsilon(left.epsilon), cap=cap_text)
        doubled = T.DOUBLED()
        return f"{said}\n{doubled}" if after.is_doubled else said

    def _show_question(self, asked: tuple[Resemblance, ...]) -> None:
        """Asks whether these are the same people, or shows the answer."""
        if asked and self._are_others:
            names = ", ".join(each.population for each in asked)
            sentence = self.tr("Other people than {names}; the ledger keeps that with the release.")
            self.similar.show_sentence(sentence.format(names=names), "info")
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
        """Accepts a name; it declares a population that was recognised."""
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
