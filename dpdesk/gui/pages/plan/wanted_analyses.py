"""What people will look at together: the line where it is named, and what it will be worth."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.pages.plan.words import tr
from dpdesk.gui.verdict_words import verdict_word
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.offering_line import OfferingLine
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan
from dpdesk.plan.joint_errors import WantedAnalysis, wanted_analyses, with_analysis

_BETWEEN = "; "
_JOINED = (" x ", " by ", " ~ ")
_ADDED = " + "
_MOST_OFFERED = 12
_SIGNS = {"useful": "success", "coarse": "warning", "useless": "error"}


def worth_words(wanted: WantedAnalysis) -> str:
    """Returns an analysis with its error and verdict, or with why it cannot be had."""
    if wanted.error is None:
        return f"{wanted.text}: {wanted.refusal}"
    verdict = verdict_word(wanted.error.usefulness.verdict)
    error = wanted.error.text.replace(" ", "\N{NO-BREAK SPACE}")
    return f"{wanted.text}: {error}, {verdict}"


def worst_sign(analyses: Sequence[WantedAnalysis]) -> str:
    """Returns the severity of the worst of some analyses; "info" of none."""
    order = ("success", "warning", "error")
    signs = [
        "error" if one.error is None else _SIGNS[one.error.usefulness.verdict] for one in analyses
    ]
    return max(signs, key=order.index, default="info")


def continued(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Returns what a list of analyses can become when its last name is completed.

    Args:
        text: The list so far, such as "age by ed".
        names: Names of the columns.
    """
    begun = text.rpartition(";")[2].lstrip()
    start = max(
        (begun.rfind(joint) + len(joint) for joint in (*_JOINED, _ADDED) if joint in begun),
        default=0,
    )
    word = begun[start:]
    if word in names and not start:
        return tuple(text + joint for joint in _JOINED)
    if word in names and "~" in begun:
        return (text + _ADDED,)
    if not word:
        return ()
    told = [name for name in names if name.casefold().startswith(word.casefold()) and name != word]
    return tuple(text[: len(text) - len(word)] + name for name in told[:_MOST_OFFERED])


class WantedAnalyses(QWidget):
    """A line of analyses, parted by semicolons, with what each will be worth below it.

    Args:
        plan: The plan whose analyses are shown at first.

    Attributes:
        changed: Emitted when other analyses were taken.
    """

    changed = Signal()

    def __init__(self, plan: Plan, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan = plan
        names = tuple(c.name for c in (*plan.protected, *plan.kept))
        title = tr("&Looked at together, such as education x sex; income by region; income ~ age")
        self.line = OfferingLine(
            tr("Looked at together"), lambda text: continued(text, names), parent=self
        )
        self.line.set_value(_BETWEEN.join(plan.analyses))
        label = QLabel(title, self)
        label.setBuddy(self.line)
        self.refusal = RefusalLabel(parent=self)
        self.worth = PlainLabel("", "caption", wrap=True, parent=self)
        lay_column(label, self.line, self.refusal, self.worth, spacing=3, on=self)
        self.line.committed.connect(self._take)
        self.line.refused.connect(self.refusal.show_sentence)
        self.show_worth(plan)

    def commit(self) -> str:
        """Takes what is typed; returns why it is refused, or ""."""
        self.line.commit()
        return self.refusal.text()

    def analyses(self) -> tuple[str, ...]:
        """The analyses in force."""
        return self._plan.analyses

    def show_worth(self, plan: Plan | None) -> None:
        """Shows what the analyses will be worth under a plan; None for none."""
        told = () if plan is None else wanted_analyses(plan.with_fields(analyses=self.analyses()))
        self.worth.setText(" · ".join(map(worth_words, told)))
        self.worth.setVisible(bool(told))

    def _take(self, text: str) -> None:
        plan = self._plan.with_fields(analyses=())
        try:
            for one in filter(None, (part.strip() for part in text.split(";"))):
                plan = with_analysis(plan, one)
        except ParameterError as error:
            self.line.refuse(str(error))
            return
        self._plan = plan
        self.line.set_value(text)
        self.changed.emit()
