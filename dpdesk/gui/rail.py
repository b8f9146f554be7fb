"""The rail: the places of the window, and the pages that they import when they are first shown.

It is drawn from `PLACES` before any page is imported: a page imports the whole core and the plots,
and the first paint must not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.gui.pages.page import Page

_WIDTH, _BUTTON_HEIGHT = 84, 56


class Rail(QWidget):
    """Places as an icon above a word; Ctrl+1 to Ctrl+9 and the arrow keys move between them.

    Attributes:
        currentChanged: Emitted with the key of the place that was chosen.
    """

    currentChanged = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions: dict[str, QAction] = {}
        self._buttons: list[QToolButton] = []
        self._group = QActionGroup(self)
        self._group.triggered.connect(lambda action: self.currentChanged.emit(action.data()))
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        ScaledWidth(self, _WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Places"))
        self._column = lay_column(STRETCH, spacing=4, margins=(7, 12, 8, 12), on=self)

    def add_place(self, key: str, title: str, icon_name: str, purpose: str = "") -> QAction:
        """Adds a place below the others; `purpose` says in a sentence what it is for.

        Returns:
            The action that goes there, for the menu; it has the shortcut.
        """
        number = len(self._actions) + 1
        action = QAction(title, self)
        action.setCheckable(True)
        action.setWhatsThis(purpose)
        action.setData(key)
        action.setShortcut(QKeySequence(f"Ctrl+{number}"))
        action.setToolTip(self.tr("{title} (Ctrl+{number})").format(title=title, number=number))
        IconBond(action, icon_name, "muted")
        self._group.addAction(action)
        self._actions[key] = action
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(20, 20))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFixedHeight(_BUTTON_HEIGHT)
        button.setAccessibleName(title)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._buttons.append(button)
        self._column.insertWidget(number - 1, button)
        if number == 1:
            action.setChecked(True)
        return action

    def places(self) -> list[QAction]:
        """The actions of the places, from top to bottom."""
        return list(self._actions.values())

    def current(self) -> str:
        """The key of the chosen place; empty while there is none."""
        checked = self._group.checkedAction()
        return next((key for key, place in self._actions.items() if place is checked), "")

    def set_current(self, key: str) -> None:
        """Chooses a place.

        Raises:
            KeyError: There is no place of that key.
        """
        action = self._actions[key]
        if not action.isChecked():
            action.trigger()

    def step(self, by: int) -> None:
        """Goes so many places down, or up, as far as there are places."""
        places = self.places()
        here = next((i for i, place in enumerate(places) if place.isChecked()), 0)
        places[min(max(here + by, 0), len(places) - 1)].trigger()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = self.places()
        here = next((i for i, place in enumerate(places) if place.isChecked()), 0)
        steps = {
            Qt.Key.Key_Up: here - 1,
            Qt.Key.Key_Down: here + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(places) - 1,
        }
        target = steps.get(Qt.Key(event.key()))
        if target is None or not places:
            super().keyPressEvent(event)
            return
        target = min(max(target, 0), len(places) - 1)
        places[target].trigger()
        self._buttons[target].setFocus(Qt.FocusReason.TabFocusReason)


@dataclass(frozen=True)
class Place:
    """One place of the rail.

    Attributes:
        key: Short name, equal to the page's.
        title: The word in the rail, equal to the page's.
        icon_name: Name of its icon, equal to the page's.
        page_type: Imports the page's class.
        purpose: What it is for, as a sentence.
    """

    key: str
    title: str
    icon_name: str
    page_type: Callable[[], type[Page]]
    purpose: str = ""


def _data_page() -> type[Page]:
    from dpdesk.gui.pages.data import DataPage

    return DataPage


def _plan_page() -> type[Page]:
    from dpdesk.gui.pages.plan import PlanPage

    return PlanPage


def _simulate_page() -> type[Page]:
    from dpdesk.gui.pages.simulate import SimulatePage

    return SimulatePage


def _collected_page() -> type[Page]:
    from dpdesk.gui.pages.collected import CollectedPage

    return CollectedPage


def _release_page() -> type[Page]:
    from dpdesk.gui.pages.release import ReleasePage

    return ReleasePage


def _risk_page() -> type[Page]:
    from dpdesk.gui.pages.risk import RiskPage

    return RiskPage


def _learn_page() -> type[Page]:
    from dpdesk.gui.pages.learn import LearnPage

    return LearnPage


PLACES = (
    Place(
        "data",
        N_("Data"),
        "table",
        _data_page,
        N_("Opens answers or begins a questionnaire, and says what each column is."),
    ),
    Place(
        "plan",
        N_("Plan"),
        "tune-variant",
        _plan_page,
        N_("Chooses what protects each answer, and shows the error that it costs."),
    ),
    Place(
        "simulate",
        N_("Simulate"),
        "dice-multiple",
        _simulate_page,
        N_("Supposes a survey that is still to be held: question, device and sample."),
    ),
    Place(
        "collected",
        N_("Collected"),
        "file-import",
        _collected_page,
        N_("Estimates from answers that were collected through a device."),
    ),
    Place(
        "release",
        N_("Release"),
        "export-variant",
        _release_page,
        N_("Shows what will be written, writes it, and shows the results."),
    ),
    Place(
        "risk",
        N_("Risk"),
        "shield-search",
        _risk_page,
        N_("Measures how recognisable respondents are by what is not protected."),
    ),
    Place(
        "learn",
        N_("Learn"),
        "school",
        _learn_page,
        N_("Guided demonstrations for a room, and their handouts."),
    ),
)
