"""A view beside a plan, and the tabs that show several of them; only the one looked at is drawn."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesk.gui.icons import IconButton
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow, Sign
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import NumbersButton, PlotTable, TableWindow
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs


class PlanView(QWidget):
    """One view: of an attribute in `ATTRIBUTE_VIEWS`, of a statistic in `QUERY_VIEWS`.

    Attributes:
        answersAsked: The user wants other true answers to be compared.
        expectedAsked: The user wants to say which answers are expected.
        mechanismChosen: Emitted with the `Mechanism` that was chosen.
    """

    answersAsked = Signal()
    expectedAsked = Signal()
    mechanismChosen = Signal(object)

    title: ClassVar[str]
    """The word on its tab."""
    meaning: ClassVar[str] = ""
    """What it shows, where the word does not say it."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table_window = TableWindow(self)
        self.compose()

    def compose(self) -> None:
        """Makes the widgets of the view and lays them out."""
        raise NotImplementedError

    def show_request(self, *asked: Any, **options: Any) -> None:
        """Shows a `PreviewRequest` of an attribute, or a `QueryRequest` and its plan.

        A view draws nothing that it shows already: it is called at every step of a slider.
        """
        raise NotImplementedError

    def table_title(self) -> str:
        """What the window of `table_data` is called."""
        return _translated(self.title)

    def table_data(self) -> PlotTable:
        """The numbers of the view as texts."""
        raise NotImplementedError

    def show_table(self) -> None:
        """Shows its numbers as a table in a window of its own, from where they can be copied."""
        self.table_window.show(self.table_title(), self.table_data())


class PlotView(PlanView):
    """A view that is a plot with a legend above it.

    Attributes:
        legend: What its signs stand for.
        plot: The plot, which shows its own numbers as a table.
    """

    plot: PlotCanvas

    def show_table(self) -> None:
        self.plot.show_table()

    def _make_legend(self) -> None:
        self.legend = LegendRow(parent=self)


class ComparedView(PlotView):
    """A view that compares two true answers, with the legend and the way to choose others."""

    def _make_legend(self) -> None:
        super()._make_legend()
        self.answers = IconButton(
            "tune-variant",
            self.tr("Choose the answers to compare"),
            tip=self.tr("Choose the two true answers to compare (Ctrl+Shift+C)"),
            parent=self,
        )
        self.answers.clicked.connect(self.answersAsked)

    def _lay_out(self, below: QWidget) -> None:
        head = lay_row(self.answers, (self.legend, 1), spacing=6)
        lay_column(head, (below, 1), spacing=6, on=self)

    def _entry(
        self, answer: str, series: int, sign: Sign, *, longest: int, short: int = 0
    ) -> LegendEntry:
        """The sign of a true answer; a long answer is cut: the table of the plot has it in full."""
        true, quoted = self.tr("true answer “{answer}”"), self.tr("“{answer}”")
        return LegendEntry(
            true.format(answer=cut(answer, longest)),
            series,
            sign,
            quoted.format(answer=cut(answer, short or longest)),
        )


def _translated(text: str) -> str:
    return QCoreApplication.translate("PlanView", text)


def cut(text: str, characters: int) -> str:
    """A text on one line of so many characters at the most."""
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= characters else f"{one_line[: characters - 1].rstrip()}…"


View = TypeVar("View", bound=PlanView)


class ViewTabs(QWidget):
    """Views as tabs, and a button for the numbers of the one that is looked at.

    A view is made when it is first looked at: all of them are three quarters of a page's making.

    Args:
        kinds: The views, in the order of their tabs.
        name: Accessible name of the tabs.

    Attributes:
        viewMade: A view was made; what it emits can be connected.
    """

    viewMade = Signal(PlanView)

    def __init__(
        self, kinds: tuple[type[PlanView], ...], name: str, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kinds = kinds
        self._views: dict[int, PlanView] = {}
        self._asked: tuple[object, ...] = ()
        titles = tuple(_translated(kind.title) for kind in kinds)
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(name)
        self.tabs.setWhatsThis(self.tr("The same choice by outcome, noise, error and attackers."))
        for number, kind in enumerate(kinds):
            self.tabs.setTabToolTip(number, _translated(kind.meaning) if kind.meaning else "")
        self.numbers = NumbersButton(self.tr("Numbers of the plot as a table"), parent=self)
        self.numbers.setWhatsThis(self.tr("Every number that the plot draws, to read or to copy."))
        self._stack = QStackedWidget(self)
        row = lay_row((self.tabs, 1), self.numbers, spacing=0)
        lay_column(row, (self._stack, 1), spacing=2, on=self)
        self.tabs.currentChanged.connect(self._choose)
        self.numbers.clicked.connect(self.show_table)

    def view(self, kind: type[View]) -> View:
        """Returns the view of a kind."""
        view = self._view(self.position(kind))
        assert isinstance(view, kind)  # noqa: S101 - made of that kind
        return view

    def position(self, kind: type[PlanView]) -> int:
        """Returns the number of the tab of a kind."""
        return next(i for i, listed in enumerate(self._kinds) if issubclass(listed, kind))

    def current(self) -> PlanView:
        """Returns the view that is looked at."""
        return self._view(self.tabs.currentIndex())

    def go_to(self, kind: type[PlanView]) -> None:
        """Goes to the view of a kind and gives it the focus."""
        self.tabs.setCurrentIndex(self.position(kind))
        self.current().setFocus(Qt.FocusReason.OtherFocusReason)

    def show_request(self, *asked: object) -> None:
        """Shows a request in the current view; the others follow when they are looked at."""
        self._asked = asked
        self.current().show_request(*asked)

    def show_table(self) -> None:
        """Shows the numbers of the current view as a table."""
        self.current().show_table()

    def _view(self, number: int) -> PlanView:
        """Returns the view of a tab, made where it is not yet."""
        if number not in self._views:
            view = self._views[number] = self._kinds[number](parent=self)
            self._stack.addWidget(view)
            self.viewMade.emit(view)
        return self._views[number]

    def _choose(self, number: int) -> None:
        view = self._view(number)
        if self._asked:
            view.show_request(*self._asked)
        self._stack.setCurrentWidget(view)
