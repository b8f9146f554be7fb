"""The tabs of the page: the kinds of answer, and the views, of which only one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from dpdesk.errors import DpdeskError
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs

if TYPE_CHECKING:
    from dpdesk.gui.widgets.plot_canvas import PlotCanvas

BINARY, SEVERAL, NUMBER = "binary", "several", "number"
ANSWER_KINDS = (BINARY, SEVERAL, NUMBER)


@runtime_checkable
class SurveyView(Protocol):
    """What a view can do; it is a widget as well."""

    def show_scenario(self, scenario: Any) -> None:
        """Shows a scenario of the view's kind of answer.

        Called at every step of a slider while the view is looked at.
        """

    def show_table(self) -> None:
        """Shows the numbers of the view as a table."""


class PlottedView(QWidget):
    """A view whose numbers are those of its plot."""

    plot: PlotCanvas

    def show_table(self) -> None:
        """Shows the numbers of the plot as a table."""
        self.plot.show_table()


class FitButton(QPushButton):
    """Says what of a picture is outside of its axes; a click moves them."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "link")
        self.setToolTip(
            self.tr(
                "The axes stay where they are, so that surveys can be compared. Click to fit them "
                "to this one (F in the picture)."
            )
        )
        # Where it comes and goes, nothing moves.
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    def tell(self, words: str) -> None:
        """Says what is outside; hides where nothing is."""
        if words and words != self.text():
            self.setText(words)
        self.setVisible(bool(words))


class SurveyTabs(QWidget):
    """Words with a line under the chosen one, the view below, and a row of tools at the right.

    Attributes:
        viewChosen: Emitted with the view that is looked at from now on.
    """

    viewChosen = Signal(object)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: object | None = None
        self._views: list[SurveyView] = []
        self.tabs = UnderlineTabs(parent=self)
        self.tabs.setAccessibleName(self.tr("Views of the survey"))
        self.tabs.setWhatsThis(
            self.tr("The same survey by its error, one by one, and what it discloses.")
        )
        self.options = QToolButton(self)
        self.options.setText(self.tr("Options"))
        self.options.setAccessibleName(self.tr("Options of the view"))
        self.options.setToolTip(self.tr("Numbers, axes, seed; save the picture or the results"))
        self.options.setProperty("look", "menu")
        self.options.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.options)
        self.numbers = self._menu.addAction(self.tr("Numbers as a table"))
        self.options.setMenu(self._menu)
        self._stack = QStackedWidget(self)
        self.reason = PlainLabel("", "muted", wrap=True, parent=self)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self.reason)
        row = lay_row((self.tabs, 1), self.options, spacing=4)
        lay_column(row, (self._stack, 1), spacing=8, on=self)
        self.tabs.currentChanged.connect(self._choose)
        self.numbers.triggered.connect(self.show_table)

    def add(self, title: str, view: QWidget) -> None:
        """Adds a view at the right end.

        Args:
            title: The word of its tab.
            view: A widget that is a `SurveyView`.

        Raises:
            TypeError: It cannot show a scenario.
        """
        if not isinstance(view, SurveyView):
            raise TypeError(f"{type(view).__name__} cannot show a scenario.")
        self._views.append(view)
        self._stack.addWidget(view)
        self.tabs.addTab(title)

    def offer(self, actions: Sequence[QAction]) -> None:
        """Offers what can be done with what is shown, at the end of the options."""
        self._menu.addSeparator()
        self._menu.addActions(list(actions))

    def views(self) -> tuple[SurveyView, ...]:
        """All views, from left to right."""
        return tuple(self._views)

    def current(self) -> SurveyView:
        """The view that is looked at."""
        return self._views[self.tabs.currentIndex()]

    def show_scenario(self, scenario: object) -> None:
        """Shows a scenario in the current view; the others follow when they are looked at."""
        self._scenario = scenario
        self._show(self.tabs.currentIndex())

    def show_table(self) -> None:
        """Shows the numbers of the current view as a table."""
        self.current().show_table()

    def _choose(self, number: int) -> None:
        # The first tab is chosen while its view is being added.
        if not 0 <= number < len(self._views):
            return
        self._show(number)
        self.viewChosen.emit(self._views[number])

    def _show(self, number: int) -> None:
        """Shows a view, or in its place why it cannot show this scenario."""
        # The reason stands before the views.
        place = number + 1
        if self._scenario is not None:
            try:
                self._views[number].show_scenario(self._scenario)
            except DpdeskError as error:
                self.reason.setText(str(error))
                place = 0
        self._stack.setCurrentIndex(place)


class AnswerKindTabs(UnderlineTabs):
    """Yes or no, one of several, a number; each card has its own, which always shows its kind.

    Args:
        kind: The kind of the card.

    Attributes:
        kindChosen: Emitted with another kind that was chosen.
        row: The layout to add to a card.
    """

    kindChosen = Signal(str)

    def __init__(self, kind: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        for title in (self.tr("Yes or no"), self.tr("One of several"), self.tr("A number")):
            self.addTab(title)
        self._own = ANSWER_KINDS.index(kind)
        self.setCurrentIndex(self._own)
        self.setAccessibleName(self.tr("Kind of answer"))
        self.setToolTip(self.tr("What kind of answer the question has"))
        self.row = lay_row((self, 1), margins=(8, 4, 8, 0))
        self.currentChanged.connect(self._choose)

    def _choose(self, index: int) -> None:
        if index == self._own:
            return
        blocker = QSignalBlocker(self)
        self.setCurrentIndex(self._own)
        blocker.unblock()
        self.kindChosen.emit(ANSWER_KINDS[index])
