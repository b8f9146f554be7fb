"""What the panes of the Risk page share: the state that they show and change, and their frame.

Adding a pane: a file with a subclass of `RiskPane`, and its class in the tuple `PANES` of `page`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.disclosure.measure import Missing
from dpdesk.engine import Job
from dpdesk.gui.document import Document
from dpdesk.gui.job_watch import JobWatch, Working
from dpdesk.preview.command_words import CommandWords
from dpdesk.preview.recognisable import Measured, RiskWish, measured


class RiskState(QObject):
    """What is asked of the open data, and the last answer.

    Args:
        document: The open document.

    Attributes:
        document: The open document.
        watch: Runs the measurement.
        wish: What the user chose.
        measured: The last answer; None while there is none.
        answered: Emitted with the answer, or None where it is out of date.
        refused: Emitted with the `DpdeskError` of a question that has no answer; None with one.
    """

    answered = Signal(object)
    refused = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.wish = RiskWish()
        self.measured: Measured | None = None
        self.watch = JobWatch(self)
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(self._refuse)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """What is taken to be known of people: as chosen, or as last answered."""
        if self.wish.quasi_identifiers is not None:
            return self.wish.quasi_identifiers
        return () if self.measured is None else self.measured.quasi_identifiers

    @property
    def sensitive(self) -> tuple[str, ...]:
        """What somebody may want to learn: as chosen, or as last answered."""
        if self.wish.sensitive is not None:
            return self.wish.sensitive
        return () if self.measured is None else self.measured.sensitive

    def choose(
        self, quasi: tuple[str, ...], sensitive: tuple[str, ...], *, in_order: bool | None = None
    ) -> None:
        """Takes other columns and measures anew."""
        ordered = self.wish.in_order if in_order is None else in_order
        self.wish = replace(
            self.wish, quasi_identifiers=quasi, sensitive=sensitive, in_order=ordered
        )
        self.measure()

    def order_by_hand(self, in_order: bool) -> None:
        """Adds columns in the order that they were named in, or by effect, and measures anew."""
        if in_order != self.wish.in_order:
            self.wish = replace(self.wish, in_order=in_order)
            self.measure()

    def count_below(self, threshold: int) -> None:
        """Counts groups below another size, and measures anew."""
        if threshold != self.wish.threshold:
            self.wish = replace(self.wish, threshold=threshold)
            self.measure()

    def match_missing(self, missing: Missing) -> None:
        """Takes missing answers for something else, and measures anew."""
        if missing != self.wish.missing:
            self.wish = replace(self.wish, missing=missing)
            self.measure()

    def follow_plan(self) -> None:
        """Goes back to the columns that the plan keeps, or to a suggestion."""
        self.wish = replace(self.wish, quasi_identifiers=None, sensitive=None, in_order=False)
        self.measure()

    def forget(self) -> None:
        """Drops the answer and what was chosen: other data are open."""
        self.wish = RiskWish(threshold=self.wish.threshold, missing=self.wish.missing)
        self.measured = None
        self.answered.emit(None)

    def measure(self) -> None:
        """Measures in the background; a running measurement is stopped first."""
        table = self.document.table
        if table is None:
            return
        task = partial(measured, table, self.document.plan, self.wish)
        self.watch.start_instead(lambda: Job(self.tr("Comparing records"), task))

    def cancel(self) -> bool:
        """Stops the measurement; returns whether one was running."""
        return self.watch.cancel()

    def _take(self, answer: Measured) -> None:
        if self.document.table is None:
            return
        self.measured = answer
        self.refused.emit(None)
        self.answered.emit(answer)

    def _refuse(self, error: object) -> None:
        self.measured = None
        self.answered.emit(None)
        self.refused.emit(error)


class Room(Working):
    """Something that a pane shows on the whole page.

    Attributes:
        closed: Emitted when the user is done with it.
        goTo: Emitted with the key of a page and a path in the plan, as `Page.goTo`.
    """

    closed = Signal()
    goTo = Signal(str, str)


class RiskPane(Working):
    """One tab at the right of the page.

    Args:
        state: What is asked and answered.

    Attributes:
        title: The word of the tab, marked with `N_`.
        shows_risk_of_file: Whether it is about the same as the figures above: how recognisable the
            file is.
        roomRequested: Emitted with a `Room` that takes the whole page until it is closed.
        goTo: Emitted with the key of a page and a path in the plan, as `Page.goTo`.
    """

    title: ClassVar[str]
    shows_risk_of_file: ClassVar[bool] = False

    roomRequested = Signal(object)
    goTo = Signal(str, str)

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.document = state.document
        state.answered.connect(self.show_answer)

    def command(self) -> CommandWords | None:
        """What it shows as a command; None where that is the overview of the page.

        Raises:
            DpdeskError: Something must be saved first, or a field cannot be read.
        """
        return None

    def show_answer(self, answer: Measured | None) -> None:
        """Shows an answer; None while there is none."""
