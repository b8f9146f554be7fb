"""The stored settings of the window: recent files, theme, geometry."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

from dpdesk.data.regular_file import is_file, is_folder
from dpdesk.gui.theme import TEXT_SIZES, ThemeChoice, theme_choice

if TYPE_CHECKING:
    from dpdesk.gui.open_table import PlanDefaults

_RECENT = "recent/paths"
_PAIRS = "recent/pairs"
_THEME = "window/theme"
_GEOMETRY = "window/geometry"
_KIND = "window/release_kind"
_TEXT_SIZE = "window/text_percent"
_STAGE_SIZE = "stage/text_percent"
_PRESENTED_SIZE = "stage/page_percent"
_STEP = "learn/step"
_TOURED = "start/toured"
_DROPPED = "plan/shows_dropped"
_FOLDS = "folds"
_BUDGET = "plan/budget"
_CONFIDENCE = "plan/confidence"
_PARENT = "release/parent"

RECENT_MAX = 10
PAIRS_MAX = 50
"""So many plans are remembered with their data."""


class Settings:
    """Settings in a store of Qt. They hold paths of files, never their content.

    Args:
        store: The store; the user's own if None.
    """

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store if store is not None else QSettings("dpdesk", "dpdesk")

    def recent_files(self) -> tuple[Path, ...]:
        """Recently opened or saved files and releases that still exist, the latest first."""
        return tuple(path for path in self._recent() if is_file(path) or is_folder(path))

    def add_recent(self, path: Path) -> None:
        """Puts a file first among the recent ones."""
        latest = path.resolve()
        others = [other for other in self._recent() if other != latest]
        texts = [str(file) for file in (latest, *others)][:RECENT_MAX]
        self._store.setValue(_RECENT, texts)

    def clear_recent(self) -> None:
        """Clears the recent files, and which data plans were used with."""
        self._store.remove(_RECENT)
        self._store.remove(_PAIRS)

    def add_pair(self, plan: Path, data: Path) -> None:
        """Remembers which data a plan was used with; the plan itself says nothing of it."""
        pair = [str(plan.resolve()), str(data.resolve())]
        others = [other for other in self._pairs() if pair[0] != other[0]]
        texts = [text for one in ([pair, *others])[:PAIRS_MAX] for text in one]
        self._store.setValue(_PAIRS, texts)

    def data_of(self, plan: Path) -> Path | None:
        """The data that a plan was last used with, if they still exist."""
        wanted = str(plan.resolve())
        found = (Path(data) for known, data in self._pairs() if known == wanted)
        return next((path for path in found if is_file(path)), None)

    def plan_of(self, data: Path) -> Path | None:
        """The plan that data were last used with, if it still exists."""
        wanted = str(data.resolve())
        found = (Path(plan) for plan, known in self._pairs() if known == wanted)
        return next((path for path in found if is_file(path)), None)

    def _pairs(self) -> list[list[str]]:
        value = self._store.value(_PAIRS, [])
        texts = [str(text) for text in value] if isinstance(value, list) else []
        return [texts[i : i + 2] for i in range(0, len(texts) - 1, 2)]

    def theme(self) -> ThemeChoice:
        """The chosen theme; "system" by default."""
        return theme_choice(str(self._store.value(_THEME, "system")))

    def set_theme(self, choice: ThemeChoice) -> None:
        """Stores the chosen theme."""
        self._store.setValue(_THEME, choice)

    def shows_dropped(self) -> bool:
        """Whether the Plan page lists dropped columns, however many there are; no by default."""
        return str(self._store.value(_DROPPED, "")) == "yes"

    def set_shows_dropped(self, shown: bool) -> None:
        """Stores whether the Plan page lists dropped columns."""
        self._store.setValue(_DROPPED, "yes" if shown else "no")

    def is_unfolded(self, name: str) -> bool:
        """Whether what a fold of a page hides at first is shown; no by default."""
        return str(self._store.value(f"{_FOLDS}/{name}", "")) == "yes"

    def set_unfolded(self, name: str, shown: bool) -> None:
        """Stores whether what a fold hides at first is shown."""
        self._store.setValue(f"{_FOLDS}/{name}", "yes" if shown else "no")

    def text_percent(self) -> int:
        """The size of all text in per cent of the system's; 100 by default."""
        return self._size(_TEXT_SIZE, 100)

    def stage_percent(self) -> int:
        """The size of letters of a demonstration on the stage, in per cent; 100 by default."""
        return self._size(_STAGE_SIZE, 100)

    def set_stage_percent(self, percent: int) -> None:
        """Stores the size of letters on the stage."""
        self._store.setValue(_STAGE_SIZE, percent)

    def presented_percent(self) -> int:
        """The size of all text while a page is presented, in per cent; 125 by default."""
        return self._size(_PRESENTED_SIZE, 125)

    def set_presented_percent(self, percent: int) -> None:
        """Stores the size of all text while a page is presented."""
        self._store.setValue(_PRESENTED_SIZE, percent)

    def stopped_at(self, demonstration: str) -> int:
        """The number of the step at which a demonstration was left, from 0; 0 by default."""
        # Imported late: the frame of the window needs none of it.
        from dpdesk.numbers import whole_number

        return whole_number(str(self._store.value(f"{_STEP}/{demonstration}", "0"))) or 0

    def set_stopped_at(self, demonstration: str, step: int) -> None:
        """Stores the step at which a demonstration was left."""
        self._store.setValue(f"{_STEP}/{demonstration}", str(step))

    def was_toured(self) -> bool:
        """Whether the tour was taken or skipped."""
        return str(self._store.value(_TOURED, "")) == "yes"

    def set_toured(self) -> None:
        """Stores that the tour was taken or skipped."""
        self._store.setValue(_TOURED, "yes")

    def _size(self, key: str, usual: int) -> int:
        stored = str(self._store.value(key, usual))
        return next((size for size in TEXT_SIZES if str(size) == stored), usual)

    def set_text_percent(self, percent: int) -> None:
        """Stores the size of all text."""
        self._store.setValue(_TEXT_SIZE, percent)

    def plan_defaults(self) -> PlanDefaults:
        """What a new plan begins with."""
        from dpdesk.gui.open_table import PlanDefaults

        stored = (self._store.value(_BUDGET, ""), self._store.value(_CONFIDENCE, ""))
        return PlanDefaults.stored(*(str(text) for text in stored))

    def set_plan_defaults(self, defaults: PlanDefaults) -> None:
        """Stores what a new plan begins with."""
        self._store.setValue(_BUDGET, f"{defaults.budget:f}")
        self._store.setValue(_CONFIDENCE, f"{defaults.confidence:f}")

    def geometry(self) -> QByteArray | None:
        """Position and size of the window when it was last closed."""
        value = self._store.value(_GEOMETRY)
        return value if isinstance(value, QByteArray) else None

    def set_geometry(self, geometry: QByteArray) -> None:
        """Stores position and size of the window."""
        self._store.setValue(_GEOMETRY, geometry)

    def release_kind(self) -> str:
        """The name of the kind of release that was planned last; "records" by default."""
        return str(self._store.value(_KIND, "records"))

    def set_release_kind(self, kind: str) -> None:
        """Stores the name of the planned kind of release."""
        self._store.setValue(_KIND, kind)

    def release_parent(self) -> Path | None:
        """The folder that the last release was put in, if it still exists."""
        stored = str(self._store.value(_PARENT, ""))
        return Path(stored) if stored and is_folder(stored) else None

    def set_release_parent(self, folder: Path) -> None:
        """Stores the folder that releases are put in."""
        self._store.setValue(_PARENT, str(folder))

    def _recent(self) -> list[Path]:
        value = self._store.value(_RECENT, [])
        # A list of one entry comes back from an INI file as a text.
        texts = value if isinstance(value, list) else [value]
        return [Path(str(text)) for text in texts if text]
