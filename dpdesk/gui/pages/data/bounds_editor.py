"""The bounds of a domain of numbers: lower, upper, step or resolution, unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpdesk.domains import Integer, Real
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel

_FIELDS = ("lower", "upper", "step", "unit")


class BoundsEditor(QWidget):
    """Edits a numeric domain; fields that do not agree yet wait until they do.

    Args:
        replace: Tries another domain and returns why it was refused, or "".
        parent: Qt's owner.
    """

    def __init__(
        self, replace: Callable[[Integer | Real], str], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self._domain: Integer | Real | None = None
        self._real = False
        names = (
            self.tr("Lo&wer bound"),
            self.tr("&Upper bound"),
            self.tr("&Step"),
            self.tr("U&nit"),
        )
        self.fields: dict[str, CommitLine] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        self._labels: dict[str, PlainLabel] = {}
        for place, (field, name) in enumerate(zip(_FIELDS, names, strict=True)):
            line = CommitLine(name.replace("&", ""), parent=self)
            line.committed.connect(lambda _text, line=line: self._try(line))
            label = PlainLabel(name, "muted", parent=self)
            label.setBuddy(line)
            grid.addWidget(label, 0, place)
            grid.addWidget(line, 1, place)
            self.fields[field], self._labels[field] = line, label
        self.fields["unit"].setPlaceholderText(self.tr("such as years"))
        self._refusal = RefusalLabel(parent=self)
        self._size = PlainLabel("", "caption", wrap=True, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(grid)
        column.addWidget(self._refusal)
        column.addWidget(self._size)
        column.addStretch(1)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setFocusProxy(self.fields["lower"])

    def refusal(self) -> str:
        """Why what is typed was refused; empty while it was not."""
        return self._refusal.text()

    def set_domain(self, domain: Integer | Real | None, *, real: bool) -> None:
        """Shows a domain, or empty fields for a domain that is still to be typed.

        Args:
            domain: The domain.
            real: Whether the numbers are reals, where there is no domain yet.
        """
        if domain == self._domain and real == self._real and domain is not None:
            return
        self._domain, self._real = domain, real
        self._labels["step"].setText(self.tr("Re&solution") if real else self.tr("&Step"))
        self.fields["step"].setAccessibleName(self.tr("Resolution") if real else self.tr("Step"))
        texts = dict.fromkeys(_FIELDS, "")
        size = ""
        if domain is not None:
            step = domain.resolution if isinstance(domain, Real) else domain.step
            shown: tuple[Any, ...] = (domain.lower, domain.upper, step)
            texts = dict(
                zip(
                    _FIELDS,
                    [
                        *(format(number, "f") if real else str(number) for number in shown),
                        domain.unit,
                    ],
                    strict=True,
                )
            )
            size = self.tr(
                "{count} different values. Answers beyond a bound are moved to the bound."
            ).format(count=f"{domain.size:,}")
        for field, text in texts.items():
            self.fields[field].set_value(text)
        self._refusal.show_sentence("")
        self._size.setText(size)

    def _try(self, line: CommitLine) -> None:
        texts = {field: line.text().strip() for field, line in self.fields.items()}
        if not all(texts[field] for field in ("lower", "upper", "step")):
            if self._domain is not None:
                self._refuse(line, self.tr("A bound is missing. Type a number."))
            return
        self._refuse(line, self._refusal_of(texts))

    def _refusal_of(self, texts: dict[str, str]) -> str:
        lower, upper, step, unit = (texts[field] for field in _FIELDS)
        typed: dict[str, Any] = {"lower": lower, "upper": upper, "unit": unit}
        try:
            # Each model reads the text itself, so that a bound is exactly what was typed.
            if self._real:
                domain: Integer | Real = Real(**typed, resolution=step)  # type: ignore[arg-type]
            else:
                domain = Integer(**typed, step=step)  # type: ignore[arg-type]
        except Refused as error:
            return refusal_of(error)
        return self._replace(domain)

    def _refuse(self, line: CommitLine, sentence: str) -> None:
        if sentence:
            line.refuse(sentence)
        self._refusal.show_sentence(sentence)
