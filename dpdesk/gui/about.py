"""The About dialog: versions, known limits and licence."""

from __future__ import annotations

import platform
import ssl
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QStackedWidget,
    QWidget,
)

from dpdesk.gui.help import HelpPages
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.resources import third_party_licences
from dpdesk.version import __version__

_PACKAGES = ("numpy", "pyarrow", "pydantic", "pyqtgraph")


def versions() -> tuple[tuple[str, str], ...]:
    """Name and version of dpdesk and of the libraries that it uses."""
    listed = [("dpdesk", __version__), ("Python", platform.python_version())]
    listed.append(("Qt", qVersion()))
    listed += [(name, _version(name)) for name in _PACKAGES]
    listed.append(("OpenSSL", ssl.OPENSSL_VERSION.removeprefix("OpenSSL ")))
    listed.append(("System", f"{platform.system()} {platform.release()} {platform.machine()}"))
    return tuple(listed)


class AboutDialog(QDialog):
    """Versions, known limits and licence, each on a tab.

    In a bundle a button opens the file with the licences of all its parts.

    Args:
        parent: The window.
    """

    shows_nothing_private = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About dpdesk"))
        self.resize(620, 460)
        self._text = "\n".join(f"{name} {number}" for name, number in versions())
        tabs = UnderlineTabs(
            (self.tr("&Versions"), self.tr("Known &limits"), self.tr("Li&cence")), parent=self
        )
        tabs.setAccessibleName(self.tr("About dpdesk"))
        shown = QStackedWidget(self)
        tabs.currentChanged.connect(shown.setCurrentIndex)
        shown.addWidget(self._versions())
        for name, title in (("limits", self.tr("Known limits")), ("licence", self.tr("Licence"))):
            pages = HelpPages(shown)
            pages.setAccessibleName(title)
            pages.show_page(name)
            shown.addWidget(pages)
        card = Card(parent=self)
        card.body.addWidget(tabs)
        card.body.addWidget(shown, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        copy = buttons.addButton(self.tr("C&opy versions"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self.copy_versions)
        self._licences = third_party_licences()
        self._unopened = PlainLabel("", "warning", wrap=True)
        self._unopened.hide()
        if self._licences is not None:
            others = buttons.addButton(
                self.tr("Licences of &third parties"), QDialogButtonBox.ButtonRole.ActionRole
            )
            others.clicked.connect(self.open_licences)
        buttons.rejected.connect(self.close)
        lay_column(
            PlainLabel("dpdesk", "title"),
            PlainLabel(self.tr("Differential privacy for people who run surveys"), "muted"),
            (card, 1),
            self._unopened,
            buttons,
            spacing=10,
            on=self,
        )

    def _versions(self) -> QWidget:
        """Names and versions as two columns."""
        part = QWidget(self)
        grid = QGridLayout(part)
        grid.setContentsMargins(0, 8, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setColumnStretch(1, 1)
        for row, (name, number) in enumerate(versions()):
            grid.addWidget(PlainLabel(name, "muted", parent=part), row, 0)
            grid.addWidget(PlainLabel(number, wrap=True, parent=part), row, 1)
        grid.setRowStretch(len(versions()), 1)
        return part

    def copy_versions(self) -> None:
        """Puts the versions on the clipboard."""
        QGuiApplication.clipboard().setText(self._text)

    def open_licences(self) -> None:
        """Opens the file with the licences of third parties, or says where it is."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._licences))):
            lost = self.tr("{path} cannot be opened. Look for it with your file manager.")
            self._unopened.setText(lost.format(path=str(self._licences)))
            self._unopened.show()


def show_about(parent: QWidget) -> None:
    """Shows the dialog beside the window."""
    dialog = AboutDialog(parent)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        # A bundle contains the package but not always its metadata.
        return str(getattr(__import__(name), "__version__", "?"))
