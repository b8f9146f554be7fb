"""The head of the privacy report: who releases what for which use."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan, PlanDetails

_SHORT = 1000
_LONG = 20_000


class DetailsCard(Card):
    """One field per detail; typing in a field is one step of undo until the focus leaves it.

    Args:
        document: What is edited.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Report details"))
        self._document = document
        self._showing = False
        self.lines: dict[str, QLineEdit] = {}
        self.texts: dict[str, QPlainTextEdit] = {}
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(7)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._add_line(form, "title", self.tr("&Title"), "")
        self._add_line(form, "curator", self.tr("C&urator"), self.tr("who holds the answers"))
        use = self.tr("what the release is meant for")
        self._add_text(form, "intended_use", self.tr("&Intended use"), use, 50)
        self._add_line(form, "region", self.tr("Re&gion"), self.tr("country or place"))
        self._add_line(form, "sector", self.tr("&Sector"), self.tr("health, education, …"))
        confirmed = self.tr("who confirmed domains as public")
        self._add_line(form, "confirmed_by", self.tr("&Confirmed by"), confirmed)
        why = self.tr("why this epsilon; which others were tried; whether tuning saw the data")
        self._add_text(form, "justification", self.tr("&Justification"), why, 62, grows=True)
        self.body.addWidget(PlainLabel(self.tr("Report details"), "heading", parent=self))
        self.body.addLayout(form, 1)
        document.planChanged.connect(lambda _old, new: self._show(new))
        self._show(document.plan)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leaving a field of several lines ends the step of undo."""
        if event.type() == QEvent.Type.FocusOut:
            self._document.end_gesture()
        return super().eventFilter(watched, event)

    def focus_field(self, field: str) -> None:
        """Puts the cursor into the field of a detail."""
        target = self.lines.get(field) or self.texts.get(field)
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _add_line(self, form: QFormLayout, field: str, label: str, hint: str) -> None:
        line = QLineEdit(self)
        line.setMaxLength(_SHORT)
        line.setPlaceholderText(hint)
        line.setAccessibleName(label.replace("&", ""))
        line.textEdited.connect(partial(self._edit, field))
        line.editingFinished.connect(self._document.end_gesture)
        self.lines[field] = line
        form.addRow(label, line)

    def _add_text(
        self, form: QFormLayout, field: str, label: str, hint: str, height: int, grows: bool = False
    ) -> None:
        text = _Paragraph(height, grows, self)
        # Tab goes on to the next field; nobody indents a justification.
        text.setTabChangesFocus(True)
        text.setPlaceholderText(hint)
        text.setAccessibleName(label.replace("&", ""))
        # The history of the plan is the one history: a field's own would run beside it.
        text.setUndoRedoEnabled(False)
        text.textChanged.connect(lambda: self._take_text(field))
        text.installEventFilter(self)
        self.texts[field] = text
        form.addRow(label, text)

    def _take_text(self, field: str) -> None:
        if not self._showing:
            self._edit(field, self.texts[field].toPlainText()[:_LONG])

    def _edit(self, field: str, value: str) -> None:
        plan = self._document.plan
        fields = {key: getattr(plan.details, key) for key in PlanDetails.model_fields}
        changed = plan.with_fields(details=PlanDetails(**(fields | {field: value})))
        text = self.tr("Change the report details")
        self._document.edit(text, changed, merge_key=f"details:{field}")

    def _show(self, plan: Plan) -> None:
        self._showing = True
        for field, line in self.lines.items():
            value = getattr(plan.details, field)
            if line.text() != value:
                line.setText(value)
                line.setCursorPosition(0 if not line.hasFocus() else len(value))
        for field, text in self.texts.items():
            value = getattr(plan.details, field)
            if text.toPlainText() != value:
                text.setPlainText(value)
        self._showing = False


class _Paragraph(QPlainTextEdit):
    """A field of several lines that asks for a given height, and may take more."""

    def __init__(self, height: int, grows: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._height = height
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Expanding, policy.MinimumExpanding if grows else policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._height)
