"""The places of the rail, in the order of the work.

The rail is drawn from this list before any page is imported: a page brings the whole core and
the plots with it, and the first paint does not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.gui.pages.page import Page


@dataclass(frozen=True)
class Place:
    """One place of the rail.

    Attributes:
        key: Short name, equal to the page's.
        title: The word in the rail, equal to the page's.
        icon_name: Name of its icon, equal to the page's.
        page_type: Imports the page's class.
    """

    key: str
    title: str
    icon_name: str
    page_type: Callable[[], type[Page]]


def _data_page() -> type[Page]:
    from dpdesk.gui.pages.data import DataPage

    return DataPage


def _plan_page() -> type[Page]:
    from dpdesk.gui.pages.plan import PlanPage

    return PlanPage


def _simulate_page() -> type[Page]:
    from dpdesk.gui.pages.simulate import SimulatePage

    return SimulatePage


def _release_page() -> type[Page]:
    from dpdesk.gui.pages.release import ReleasePage

    return ReleasePage


def _risk_page() -> type[Page]:
    from dpdesk.gui.pages.risk import RiskPage

    return RiskPage


PLACES = (
    Place("data", N_("Data"), "table", _data_page),
    Place("plan", N_("Plan"), "tune-variant", _plan_page),
    Place("simulate", N_("Simulate"), "dice-multiple", _simulate_page),
    Place("release", N_("Release"), "export-variant", _release_page),
    Place("risk", N_("Risk"), "shield-search", _risk_page),
)
