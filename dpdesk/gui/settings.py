"""The stored settings of the window: recent files, theme, geometry."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from dpdesk.data.regular_file import is_file
from dpdesk.gui.theme import ThemeChoice, theme_choice

_RECENT = "recent/paths"
_THEME = "window/theme"
_GEOMETRY = "window/geometry"
_KIND = "window/release_kind"

RECENT_MAX = 10


class Settings:
    """Settings in a store of Qt. They hold paths of files, never their content.

    Args:
        store: The store; the user's own if None.
    """

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store if store is not None else QSettings("dpdesk", "dpdesk")

    def recent_files(self) -> tuple[Path, ...]:
        """Recently opened or saved files that still exist, the latest first."""
        return tuple(path for path in self._recent() if is_file(path))

    def add_recent(self, path: Path) -> None:
        """Puts a file first among the recent ones."""
        latest = path.resolve()
        others = [other for other in self._recent() if other != latest]
        texts = [str(file) for file in (latest, *others)][:RECENT_MAX]
        self._store.setValue(_RECENT, texts)

    def clear_recent(self) -> None:
        """Clears the recent files."""
        self._store.remove(_RECENT)

    def theme(self) -> ThemeChoice:
        """The chosen theme; "system" by default."""
        return theme_choice(str(self._store.value(_THEME, "system")))

    def set_theme(self, choice: ThemeChoice) -> None:
        """Stores the chosen theme."""
        self._store.setValue(_THEME, choice)

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

    def _recent(self) -> list[Path]:
        value = self._store.value(_RECENT, [])
        # A list of one entry comes back from an INI file as a text.
        texts = value if isinstance(value, list) else [value]
        return [Path(str(text)) for text in texts if text]
