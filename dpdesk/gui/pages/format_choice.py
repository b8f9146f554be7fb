"""The choice of formats that records are written in besides CSV and Parquet; the plan holds it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QCheckBox, QWidget

from dpdesk.data.record_files import RECORD_FILES
from dpdesk.gui.document import Document
from dpdesk.gui.widgets.boxes import STRETCH, lay_row
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.plan import Plan


class FormatChoice(QWidget):
    """A check box for each format; each change is a step of undo.

    Args:
        document: The document.

    Attributes:
        boxes: The check boxes by the word of their format.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.boxes: dict[str, QCheckBox] = {}
        for kind in RECORD_FILES:
            if not kind.is_asked:
                continue
            box = QCheckBox(f".{kind.word()}", self)
            meaning = QCoreApplication.translate("ReleaseKind", kind.meaning)
            box.setToolTip(plain_tooltip(meaning))
            box.setAccessibleName(self.tr("Also write {name}").format(name=kind.name))
            box.setAccessibleDescription(meaning)
            box.clicked.connect(partial(self._choose, kind.word()))
            self.boxes[kind.word()] = box
        lay_row(*self.boxes.values(), STRETCH, spacing=12, on=self)
        self._following = WhenShown(self, lambda: self._show(document.plan))
        document.planChanged.connect(self._following.request)
        self._show(document.plan)

    def focus_first_chosen(self) -> None:
        """Sets the focus on the first format that is chosen, else on the first."""
        boxes = list(self.boxes.values())
        chosen = (box for box in boxes if box.isChecked())
        next(chosen, boxes[0]).setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, word: str) -> None:
        plan, is_on = self._document.plan, self.boxes[word].isChecked()
        chosen = {*plan.formats, word} if is_on else set(plan.formats) - {word}
        formats = tuple(known for known in self.boxes if known in chosen)
        self._document.edit(self.tr("Choose formats"), plan.with_fields(formats=formats))

    def _show(self, plan: Plan) -> None:
        for word, box in self.boxes.items():
            box.setChecked(word in plan.formats)
