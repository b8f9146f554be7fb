"""What stands in the way of a release, and the way to each cause."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.release.marked_line import MarkedLine
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.problem_list import ProblemList
from dpdesk.plan import Problem, errors_of

_LINE = 62
"""Height of a problem whose sentence breaks into two lines."""


class ChecklistCard(Card):
    """Errors first, each with its remedy; one line that says whether the release is blocked.

    Args:
        theme: The switch that the signs follow.
        parent: Qt's owner.

    Attributes:
        problemActivated: Emitted with the path of the problem that was chosen.
    """

    problemActivated = Signal(str)

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Checks"))
        self.verdict = MarkedLine(theme, "success", tone="strong", parent=self)
        self.problems = ProblemList(theme, parent=self)
        self.problems.activated.connect(self.problemActivated)
        self.body.addWidget(PlainLabel(self.tr("Checks"), "heading", parent=self))
        self.body.addWidget(self.verdict)
        self.body.addWidget(self.problems, 1)

    def show_problems(self, problems: Sequence[Problem], *, is_held: bool) -> None:
        """Shows these problems in place of the ones before.

        Args:
            problems: Those of the plan, by itself and on the data.
            is_held: Whether the ledger keeps the release from being charged.
        """
        errors = len(errors_of(problems))
        warnings = len(problems) - errors
        self.problems.set_problems(problems)
        self.problems.setVisible(bool(problems))
        self.problems.setMinimumHeight(_LINE * min(len(problems), 2))
        self.problems.setMaximumHeight(_LINE * max(len(problems), 1) + 8)
        if errors:
            one, many = (
                self.tr("1 problem blocks the release"),
                self.tr("{count} problems block the release"),
            )
            sentence = one if errors == 1 else many.format(count=f"{errors:,}")
            self.verdict.show_sentence(sentence, "error")
        elif is_held:
            blocked = self.tr("The ledger blocks the release: see People")
            self.verdict.show_sentence(blocked, "error")
        elif warnings:
            one, many = (
                self.tr("Ready to release, with 1 thing to know"),
                self.tr("Ready to release, with {count} things to know"),
            )
            sentence = one if warnings == 1 else many.format(count=f"{warnings:,}")
            self.verdict.show_sentence(sentence, "warning")
        else:
            self.verdict.show_sentence(self.tr("Ready to release"), "success")
