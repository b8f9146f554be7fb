"""The domain of the chosen column: its editor, its provenance and its confirmation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QStackedWidget,
    QWidget,
)

from dpdesk.domains import Categorical, Integer, NumericDomain, Real
from dpdesk.gui.pages.data.categories_editor import CategoriesEditor
from dpdesk.gui.pages.data.column_section import ColumnSection, FieldProblems
from dpdesk.gui.pages.data.column_words import kind_help
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import ColumnPlan
from dpdesk.plan.column_changes import set_confirmed, set_confirmed_by, set_domain

_FIELDS = ("lower", "upper", "step", "unit")


class BoundsEditor(QWidget):
    """Edits a numeric domain; fields that do not fit together yet are kept until they do.

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
        column = lay_column(grid, self._refusal, self._size, STRETCH, spacing=6, on=self)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setFocusProxy(self.fields["lower"])

    def refusal(self) -> str:
        """Why the input was refused; empty if it was not."""
        return self._refusal.text()

    def set_domain(self, domain: Integer | Real | None, *, real: bool) -> None:
        """Shows a domain, or empty fields for None.

        Args:
            domain: The domain.
            real: Whether the numbers are reals, if there is no domain yet.
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
            # The model reads the text itself, so that a bound is exactly the typed number.
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


class DomainSection(ColumnSection):
    """Edits and confirms the domain of the chosen column."""

    def _fill(self) -> None:
        self._mark = SeverityMark(size=16, parent=self)
        self._origin = PlainLabel("", wrap=True, parent=self)
        self._reason = PlainLabel("", "caption", wrap=True, parent=self)
        self.categories = CategoriesEditor(self._replace, parent=self)
        self.bounds = BoundsEditor(self._replace, parent=self)
        self._nothing = PlainLabel("", "muted", wrap=True, parent=self)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._editors = QStackedWidget(self)
        for editor in (self._nothing, self.categories, self.bounds):
            self._editors.addWidget(editor)
        self._problems = FieldProblems(parent=self)
        self.public = QCheckBox(self.tr("This domain is public knowled&ge"), self)
        self.public.setToolTip(
            self.tr("Everybody may learn which answers are possible, without seeing the data.")
        )
        self.public.clicked.connect(self._confirm)
        self.person = CommitLine(self.tr("Confirmed by"), parent=self)
        self.person.setPlaceholderText(self.tr("name, for the report"))
        self.person.committed.connect(self._name_person)
        self._refusal = RefusalLabel(parent=self)
        self._by = PlainLabel(self.tr("Confirmed &by"), parent=self)
        self._by.setBuddy(self.person)
        self._lay_out()
        # The reason alone: showing everything again would discard pending input.
        self._selection.reasons.found.connect(self._show_reason)

    def _lay_out(self) -> None:
        origin = lay_row((self._mark, 0, Qt.AlignmentFlag.AlignTop), spacing=6)
        words = lay_column(self._origin, self._reason, spacing=1)
        origin.addLayout(words, 1)
        confirm = lay_row(self._by, (self.person, 1), spacing=8)
        lay_column(
            origin,
            (self._editors, 1),
            self._problems,
            self.public,
            confirm,
            self._refusal,
            spacing=8,
            margins=(0, 4, 0, 0),
            on=self,
        )

    def show_column(self, column: ColumnPlan) -> None:
        """Shows the domain of a column."""
        domain = column.domain
        if column.kind in ("identifier", "weight"):
            self._nothing.setText(
                self.tr("{kind} It has no domain.").format(kind=kind_help(column.kind))
            )
            self._editors.setCurrentWidget(self._nothing)
        elif column.kind in ("integer", "real"):
            numeric = domain if isinstance(domain, Integer | Real) else None
            self.bounds.set_domain(numeric, real=column.kind == "real")
            self._editors.setCurrentWidget(self.bounds)
        else:
            self.categories.set_domain(domain if isinstance(domain, Categorical) else None)
            self._editors.setCurrentWidget(self.categories)
        self._show_origin(column)
        self._show_reason()
        self._show_confirmation(column)
        unseen = ("domain_unconfirmed", "no_domain")
        problems = self._selection.problems("domain", "confirmed")
        self._problems.set_problems([p for p in problems if p.code not in unseen])

    def focus_domain(self) -> None:
        """Sets the focus on the domain, or on its confirmation if only that is missing."""
        column = self._selection.column
        waits = column is not None and column.domain is not None and not column.confirmed
        target = self.public if waits else self._editors.currentWidget()
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_origin(self, column: ColumnPlan) -> None:
        if column.domain is None:
            waits = column.kind not in ("identifier", "weight")
            text = (
                self.tr("No domain yet: list the answers.")
                if waits and column.kind not in ("integer", "real")
                else self.tr("No domain yet: type its bounds.")
                if waits
                else ""
            )
            severity = "warning"
        elif column.confirmed:
            text, severity = self.tr("Confirmed as public knowledge."), "success"
        else:
            severity = "warning"
            text = {
                "suggested": self.tr("Read off the data: confirm that it is public knowledge."),
                "codebook": self.tr("From the codebook: confirm that it is public knowledge."),
                "declared": self.tr("Typed here: confirm that it is public knowledge."),
            }[column.provenance]
        self._mark.set_severity(severity)
        self._mark.setVisible(bool(text))
        self._origin.setText(text)
        self._origin.setVisible(bool(text))

    def _show_reason(self) -> None:
        column = self._selection.column
        reason = self._selection.reasons.reason_of(column) if column is not None else ""
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))

    def _show_confirmation(self, column: ColumnPlan) -> None:
        has_domain = column.domain is not None
        self.public.setChecked(column.confirmed and has_domain)
        for widget in (self.public, self._by, self.person):
            widget.setVisible(has_domain)
        self.person.set_value(self._selection.document.plan.details.confirmed_by)
        self._refusal.show_sentence("")

    def _replace(self, domain: Categorical | NumericDomain) -> str:
        assert isinstance(domain, Categorical | Integer | Real)  # noqa: S101 - the editors' types
        name = self._selection.name
        text = self.tr("Change the domain of {name}").format(name=name)
        return self._selection.edit(text, lambda plan, column: set_domain(plan, column, domain))

    def _confirm(self, confirmed: bool) -> None:
        wanted = (
            self.tr("Confirm the domain of {name}")
            if confirmed
            else self.tr("Withdraw the confirmation of {name}")
        )
        text = wanted.format(name=self._selection.name)
        self._selection.edit(text, lambda plan, name: set_confirmed(plan, name, confirmed))

    def _name_person(self, person: str) -> None:
        sentence = self._selection.edit(
            self.tr("Change who confirms"), lambda plan, _: set_confirmed_by(plan, person.strip())
        )
        if sentence:
            self.person.refuse(sentence)
        self._refusal.show_sentence(sentence)
