"""The head of a page: what one looks at, and what one can do with all of it."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel


class PageHeader(QWidget):
    """Title and subtitle on the left, a slot for widgets on the right.

    The title usually is the name of the survey's file, the subtitle one muted line of facts.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._title = ElidedLabel("", "title", parent=self)
        self._subtitle = ElidedLabel("", "muted", parent=self)
        words = lay_column(self._title, self._subtitle, spacing=1)
        self._row = lay_row(words, spacing=12, on=self)

    def set_title(self, title: str) -> None:
        """Changes the title."""
        self._title.set_text(title)

    def set_subtitle(self, subtitle: str) -> None:
        """Changes the line of facts below the title."""
        self._subtitle.set_text(subtitle)

    def add_widget(self, widget: QWidget) -> None:
        """Puts a widget at the right end of the slot; where room is short, the words give way."""
        self._row.addWidget(widget)
