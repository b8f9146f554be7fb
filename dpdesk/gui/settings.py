"""What the window remembers from one day to the next: paths, the theme, its own place."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from dpdesk.data.regular_file import is_file
from dpdesk.gui.theme import ThemeChoice
from dpdesk.gui.theme.switch import theme_choice

_RECENT = "recent/paths"
_THEME = "window/theme"
_GEOMETRY = "window/geometry"
_KIND = "window/release_kind"

RECENT_MAX = 10


class Settings:
    """Settings in a store of Qt. Paths only: nothing of what is in a file is ever kept.

    Args:
        store: Where they are kept; the user's own store if not given.
    """

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store if store is not None else QSettings("dpdesk", "dpdesk")

    def recent_files(self) -> tuple[Path, ...]:
        """Files opened or saved lately, the latest first; those that are gone are left out."""
        return tuple(path for path in self._recent() if is_file(path))

    def add_recent(self, path: Path) -> None:
        """Puts a file at the head of the recent ones."""
        latest = path.resolve()
        others = [other for other in self._recent() if other != latest]
        texts = [str(file) for file in (latest, *others)][:RECENT_MAX]
        self._store.setValue(_RECENT, texts)

    def clear_recent(self) -> None:
        """Forgets the recent files."""
        self._store.remove(_RECENT)

    def theme(self) -> ThemeChoice:
        """The chosen theme; "system" at first."""
        return theme_choice(str(self._store.value(_THEME, "system")))

    def set_theme(self, choice: ThemeChoice) -> None:
        """Notes the chosen theme."""
        self._store.setValue(_THEME, choice)

    def geometry(self) -> QByteArray | None:
        """Place and size of the window when it was last closed."""
        value = self._store.value(_GEOMETRY)
        return value if isinstance(value, QByteArray) else None

    def set_geometry(self, geometry: QByteArray) -> None:
        """Notes place and size of the window."""
        self._store.setValue(_GEOMETRY, geometry)

    def release_kind(self) -> str:
        """The name of the kind of release that was planned last; "records" at first."""
        return str(self._store.value(_KIND, "records"))

    def set_release_kind(self, kind: str) -> None:
        """Notes the name of the kind of release that is planned."""
        self._store.setValue(_KIND, kind)

    def _recent(self) -> list[Path]:
        value = self._store.value(_RECENT, [])
        # A list of one entry comes back from an INI file as a text.
        texts = value if isinstance(value, list) else [value]
        return [Path(str(text)) for text in texts if text]
