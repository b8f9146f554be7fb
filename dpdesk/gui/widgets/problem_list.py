"""Problems of a plan: each with its sign, its sentence, its remedy and the way to its cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.i18n import N_
from dpdesk.plan import Problem, errors_of, grouped

_LONG = 480
"""Pixels up to which a list is as high as its lines; beyond them it scrolls by itself."""

_SHOWN_AT_MOST = 100
"""Lines beyond this number are counted, not drawn: nobody reads them before mending the first."""


_BLOCKING = N_("1 problem blocks the release"), N_("{count} problems block the release")
_TO_KNOW = N_("1 thing to know"), N_("{count} things to know")
_SHOW = N_("Show")
_SHOW_BLOCKING = N_("Show 1 of {count} that block")
_SHOW_TO_KNOW = N_("Show 1 of {count} things to know")


@dataclass(frozen=True)
class ProblemCounts:
    """How many problems there are, counted as every list shows them: what columns share once.

    Attributes:
        blocking: Number of those that block the release.
        to_know: Number of the others.
    """

    blocking: int
    to_know: int

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> ProblemCounts:
        """Counts problems."""
        listed = grouped(problems)
        blocking = len(errors_of(listed))
        return cls(blocking, len(listed) - blocking)

    @property
    def words(self) -> str:
        """How many block the release, else how many are to be known; "" without any."""
        count = self.blocking or self.to_know
        one, many = map(_tr, _BLOCKING if self.blocking else _TO_KNOW)
        return counted(count, one, many) if count else ""

    @property
    def link(self) -> str:
        """What the link beside the first of them says: the same count."""
        count = self.blocking or self.to_know
        if count < 2:
            return _tr(_SHOW)
        shown = _SHOW_BLOCKING if self.blocking else _SHOW_TO_KNOW
        return _tr(shown).format(count=f"{count:,}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("ProblemCounts", text)


class ProblemLine(QFrame):
    """One problem; a click, Enter or Space goes to its cause.

    Attributes:
        activated: Emitted with the path of the problem.
    """

    activated = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = ""
        self.setObjectName("problemLine")
        self._mark = SeverityMark(size=16, parent=self)
        self._message = PlainLabel(wrap=True, parent=self)
        self._remedy = PlainLabel("", "caption", wrap=True, parent=self)
        words = lay_column(self._message, self._remedy, spacing=1)
        lay_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop),
            (words, 1),
            spacing=8,
            margins=(6, 4, 6, 4),
            on=self,
        )

    def path(self) -> str:
        """The place of the problem; empty if it has none."""
        return self._path

    def set_problem(self, problem: Problem) -> None:
        """Shows a problem."""
        self._path = problem.path
        self._mark.set_severity(problem.severity)
        # A sign must not end a line that its number does not begin.
        self._message.setText(problem.message.replace("± ", "±\u00a0"))
        self.setAccessibleName(f"{self._mark.accessibleName()}: {problem.message}")
        searching = self.tr("Searching for a remedy…")
        self.set_remedy(problem.remedy if problem.is_advised else searching)
        clickable = bool(problem.path)
        self.setProperty("clickable", clickable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if clickable else Qt.FocusPolicy.NoFocus)
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor
        )

    def set_remedy(self, remedy: str) -> None:
        """Shows what to do about the problem; empty for nothing."""
        self._remedy.setText(remedy.replace("± ", "±\u00a0"))
        self._remedy.setVisible(bool(remedy))
        self.setAccessibleDescription(remedy)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self._activate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._activate()
        elif key == Qt.Key.Key_Down:
            self.focusNextChild()
        elif key == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def _activate(self) -> None:
        if self._path:
            self.activated.emit(self._path)


class ProblemList(QScrollArea):
    """Problems below each other, errors first; a list of many scrolls.

    Remedies that are searched for follow in the background.

    Attributes:
        searching: The watch of the search.
        activated: Emitted with the path of the problem that was chosen.
    """

    is_private = True
    """Its sentences count answers of the open data."""

    activated = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[ProblemLine] = []
        self._ranked: list[Problem] = []
        self.searching = JobWatch(self)
        self.searching.finished.connect(self._show_remedies)
        self.setObjectName("problemList")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The lines take the focus; a stop at the area itself would lead nowhere.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("Problems"))
        inside = QWidget()
        self._column = lay_column(spacing=2, on=inside)
        self._rest = PlainLabel("", "caption", parent=inside)
        self._column.addWidget(self._rest)
        self._column.addStretch(1)
        self.setWidget(inside)
        inside.installEventFilter(self)
        self.set_problems(())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._bound_height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._bound_height()
        return super().eventFilter(watched, event)

    def _bound_height(self) -> None:
        """Takes the height of its lines, up to what it scrolls beyond."""
        inside = self.widget()
        layout = None if inside is None else inside.layout()
        if layout is not None:
            width = max(self.viewport().width(), layout.minimumSize().width())
            # Without a line that is shown nothing breaks: there is no height for a width.
            height = max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
            self.setFixedHeight(min(height + 2, _LONG))

    def lines(self) -> list[ProblemLine]:
        """The lines that are shown, from top to bottom."""
        return list(self._lines)

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Shows these problems in place of the ones before."""
        ranked = sorted(problems, key=lambda problem: problem.severity != "error")
        if ranked and [*map(id, ranked)] == [*map(id, self._ranked)]:
            return
        self._ranked, shown = ranked, ranked[:_SHOWN_AT_MOST]
        # What was found meanwhile is no remedy of these.
        self.searching.shut_down(timeout=0.0)
        while len(self._lines) > len(shown):
            line = self._lines.pop()
            self._column.removeWidget(line)
            line.deleteLater()
        while len(self._lines) < len(shown):
            line = ProblemLine(parent=self.widget())
            line.activated.connect(self.activated)
            self._column.insertWidget(len(self._lines), line)
            self._lines.append(line)
        for line, problem in zip(self._lines, shown, strict=True):
            line.set_problem(problem)
        if not all(problem.is_advised for problem in shown):
            self.searching.start(Job("Remedies", partial(_find_remedies, shown)))
        rest = len(ranked) - len(shown)
        self._rest.setText(self.tr("… and {count} more").format(count=f"{rest:,}"))
        self._rest.setVisible(rest > 0)
        self._bound_height()

    def _show_remedies(self, remedies: Sequence[str]) -> None:
        for line, remedy in zip(self._lines, remedies, strict=True):
            line.set_remedy(remedy)


def _find_remedies(problems: Sequence[Problem], tracker: Tracker) -> list[str]:
    found = []
    for problem in problems:
        tracker.tick()
        found.append(problem.remedy)
    return found
