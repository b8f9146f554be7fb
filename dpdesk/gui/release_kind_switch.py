"""The switch between the kinds of release at the head of a page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.kinds import KINDS


class ReleaseKindSwitch(UnderlineTabs):
    """Chooses the kind of release of the window; all switches show the same.

    Args:
        document: The document, which stores the choice.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._document = document
        for at, kind in enumerate(KINDS):
            self.addTab(QCoreApplication.translate("ReleaseKind", kind.title))
            self.setTabToolTip(at, QCoreApplication.translate("ReleaseKind", kind.meaning))
        self.setAccessibleName(self.tr("Kind of release: records, statistics or synthetic rows"))
        self.setWhatsThis(
            self.tr(
                "Records give a file of reports; statistics and synthetic rows need a trusted "
                "curator."
            )
        )
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setUsesScrollButtons(False)
        self._follow(document.release_kind)
        self.currentChanged.connect(lambda at: document.set_release_kind(KINDS[at]))
        document.releaseKindChanged.connect(self._follow)

    def _follow(self, kind: ReleaseKind[Any, Any]) -> None:
        at = KINDS.index(kind)
        if at != self.currentIndex():
            self.setCurrentIndex(at)
