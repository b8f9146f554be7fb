"""Everything about the chosen column, and the rows of the file beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from dpdesk.gui.pages.data.desk import ColumnDesk
from dpdesk.gui.pages.data.domain_section import DomainSection
from dpdesk.gui.pages.data.identity_section import IdentitySection
from dpdesk.gui.pages.data.missing_section import MissingSection
from dpdesk.gui.pages.data.role_section import RoleSection
from dpdesk.gui.pages.data.rows_view import RowsView
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs

DOMAIN, MISSING, ROWS = range(3)


class ColumnEditor(Card):
    """The right card: the chosen column above, its domain, missing answers and rows in tabs.

    Args:
        desk: The chosen column.
        theme: The switch that colours follow.
        parent: Qt's owner.
    """

    def __init__(
        self, desk: ColumnDesk, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._desk = desk
        self._title = ElidedLabel("", "heading", parent=self)
        self._empty = PlainLabel(
            self.tr("No question yet. Add one to say what its answers can be."),
            "muted",
            wrap=True,
            parent=self,
        )
        self.identity = IdentitySection(desk, parent=self)
        self.role = RoleSection(desk, theme, parent=self)
        self.tabs = UnderlineTabs(
            (self.tr("Domain"), self.tr("Missing answers"), self.tr("Rows")),
            parent=self,
        )
        self.tabs.setAccessibleName(self.tr("About the column"))
        self.domain = DomainSection(desk, theme, parent=self)
        self.missing = MissingSection(desk, theme, parent=self)
        self.rows = RowsView(theme, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.domain)
        self._stack.addWidget(_scrolled(self.missing))
        self._stack.addWidget(self.rows)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        self.body.addLayout(head)
        self.body.addWidget(self._empty)
        self.body.addWidget(self.identity)
        self.body.addWidget(self.role)
        self.body.addWidget(self.tabs)
        self.body.addWidget(self._stack, 1)
        desk.chosen.connect(self.show_column)
        self.setMinimumWidth(380)

    def show_column(self) -> None:
        """Shows the chosen column as it is now."""
        column = self._desk.column
        for widget in (self.identity, self.role, self.tabs, self._stack):
            widget.setVisible(column is not None)
        self._empty.setVisible(column is None)
        self.tabs.setTabVisible(ROWS, self._desk.table is not None)
        self._title.set_text(column.name if column is not None else self.tr("No question"))
        if column is None:
            return
        self.identity.show_column(column)
        self.role.show_column(column)
        self.domain.show_column(column)
        self.missing.show_column(column)
        self.rows.choose(column.name)

    def show_table(self) -> None:
        """Shows the rows of the data in force."""
        self.rows.set_table(self._desk.table)
        self.show_column()

    def commit(self) -> None:
        """Takes what is typed and not taken yet, before another column is shown."""
        line = self.focusWidget()
        if isinstance(line, CommitLine):
            line.commit()

    def focus_field(self, field: str) -> None:
        """Puts the focus on a field of the plan, such as "domain"."""
        if field in ("domain", "confirmed"):
            self.tabs.setCurrentIndex(DOMAIN)
            self.domain.focus_domain()
        elif field in ("missing", "other"):
            self.tabs.setCurrentIndex(MISSING)
            self.missing.focus_missing()
        elif field in ("role", "keep_confirmed"):
            self.role.focus_role()
        elif field == "kind":
            self.identity.kind.setFocus()
        else:
            self.identity.focus_label()


def _scrolled(section: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(section)
    # The card is the surface; Qt would paint the background of a window here.
    area.viewport().setAutoFillBackground(False)
    section.setAutoFillBackground(False)
    return area
