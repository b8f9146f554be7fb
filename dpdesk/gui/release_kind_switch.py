"""Two words at the head of a page: records or statistics."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.plan_problems import ReleaseKind
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs

KINDS: tuple[ReleaseKind, ReleaseKind] = ("records", "statistics")


class ReleaseKindSwitch(UnderlineTabs):
    """Chooses which kind of release the window is about; all its switches show the same.

    Args:
        document: What remembers the choice.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._document = document
        self.addTab(self.tr("Records"))
        self.addTab(self.tr("Statistics"))
        self.setTabToolTip(
            0, self.tr("Release every answer with noise of its own: local differential privacy")
        )
        self.setTabToolTip(
            1,
            self.tr("Release statistics of the trusted file with noise: central model"),
        )
        self.setAccessibleName(self.tr("Kind of release: records or statistics"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setUsesScrollButtons(False)
        self._follow(document.release_kind)
        self.currentChanged.connect(lambda at: document.set_release_kind(KINDS[at]))
        document.releaseKindChanged.connect(self._follow)

    def _follow(self, kind: str) -> None:
        at = 1 if kind == "statistics" else 0
        if at != self.currentIndex():
            self.setCurrentIndex(at)
