"""The domain of the chosen column: its editor, its provenance and its confirmation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QStackedWidget,
    QWidget,
)

from dpdesk.domains import (
    AnyDomain,
    AnyGrid,
    Categorical,
    Integer,
    ListedDomain,
    NumericDomain,
    OptionSet,
    domain_type,
)
from dpdesk.gui.pages.data.answers_picture import AnswersPicture
from dpdesk.gui.pages.data.asked_question import QuestionSection
from dpdesk.gui.pages.data.categories_editor import CategoriesEditor
from dpdesk.gui.pages.data.column_section import FieldProblems
from dpdesk.gui.pages.data.column_words import kind_help, source_words
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.column_changes import (
    set_confirmed_by,
    set_domain,
    set_marks,
    set_options,
)

_BETWEEN = 8
"""Pixels between two fields."""
_FIELDS = ("lower", "upper", "step", "unit")
"""What stands in the fields of a grid; of dates, how they are written stands for the unit."""


class BoundsEditor(QWidget):
    """Edits a grid of numbers or dates; fields that do not fit together yet are kept until they do.

    What its fields are called, and what they make, the kind of grid says.

    Args:
        replace: Tries another domain and returns why it was refused, or "".
    """

    def __init__(self, replace: Callable[[AnyGrid], str], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._replace = replace
        self._domain: AnyGrid | None = None
        self._kind: type[AnyGrid] = Integer
        self.fields: dict[str, CommitLine] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(_BETWEEN)
        grid.setVerticalSpacing(3)
        self._grid = grid
        self._labels: dict[str, PlainLabel] = {}
        for place, field in enumerate(_FIELDS):
            line = CommitLine("", parent=self)
            line.committed.connect(lambda _text, line=line: self._try(line))
            label = PlainLabel("", "muted", parent=self)
            label.setBuddy(line)
            row, across = divmod(place, 2)
            grid.addWidget(label, 2 * row, across)
            grid.addWidget(line, 2 * row + 1, across)
            self.fields[field], self._labels[field] = line, label
        self._name_fields()
        self._refusal = RefusalLabel(parent=self)
        for line in self.fields.values():
            line.refused.connect(self._refusal.show_sentence)
        self._size = PlainLabel("", "caption", wrap=True, parent=self)
        self.picture = AnswersPicture(parent=self)
        column = lay_column(
            grid, self._refusal, self._size, (self.picture, 2), STRETCH, spacing=6, on=self
        )
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setFocusProxy(self.fields["lower"])

    def refusal(self) -> str:
        """Why the input was refused; empty if it was not."""
        return self._refusal.text()

    def _name_fields(self) -> None:
        """Names the fields as the kind of grid does."""
        named = zip(_FIELDS, self._kind.field_names, self._kind.field_hints, strict=True)
        for field, name, hint in named:
            shown = QCoreApplication.translate("Domain", name)
            self._labels[field].setText(shown)
            self.fields[field].setAccessibleName(shown.replace("&", ""))
            placeholder = QCoreApplication.translate("Domain", hint) if hint else ""
            self.fields[field].setPlaceholderText(placeholder)

    def set_domain(self, domain: AnyGrid | None, kind: type[AnyGrid]) -> None:
        """Shows a domain, or empty fields for None.

        Args:
            domain: The domain.
            kind: What the fields make, if there is no domain yet.
        """
        if domain == self._domain and kind is self._kind and domain is not None:
            return
        self._domain, self._kind = domain, kind
        self._name_fields()
        texts = dict.fromkeys(_FIELDS, "")
        size = ""
        if domain is not None:
            texts = dict(zip(_FIELDS, domain.fields, strict=True))
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
                missing = self.tr("A bound is missing. Type {what}.")
                self._refuse(line, missing.format(what=self.tr(self._kind.read_as)))
            return
        self._refuse(line, self._refusal_of(texts))

    def _refusal_of(self, texts: dict[str, str]) -> str:
        lower, upper, step, last = (texts[field] for field in _FIELDS)
        try:
            domain = self._kind.from_fields(lower, upper, step, last, before=self._domain)
        except Refused as error:
            return refusal_of(error)
        return self._replace(domain)

    def _refuse(self, line: CommitLine, sentence: str) -> None:
        if sentence:
            line.refuse(sentence)
        else:
            self._refusal.show_sentence("")


class SetMarks(QWidget):
    """What a cell of several answers holds between options, and where none was ticked.

    Args:
        change: Tries another "separator" or "nothing" and returns why it was refused, or "".
    """

    def __init__(self, change: Callable[..., str], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change = change
        names = {
            "separator": self.tr("Bet&ween options"),
            "nothing": self.tr("&No option ticked"),
        }
        self.fields: dict[str, CommitLine] = {}
        row = lay_row(spacing=8)
        for field, name in names.items():
            line = CommitLine(name.replace("&", ""), parent=self)
            line.committed.connect(lambda text, field=field: self._try(field, text))
            label = PlainLabel(name, "muted", parent=self)
            label.setBuddy(line)
            row.addWidget(label)
            row.addWidget(line, 1)
            self.fields[field] = line
        self.fields["separator"].setMaximumWidth(60)
        self.fields["nothing"].setPlaceholderText(self.tr("an empty cell"))
        self._refusal = RefusalLabel(parent=self)
        for line in self.fields.values():
            line.refused.connect(self._refusal.show_sentence)
        self._columns = PlainLabel("", "caption", wrap=True, parent=self)
        lay_column(row, self._refusal, self._columns, spacing=4, on=self)

    def show_column(self, column: ColumnPlan, plan: Plan) -> None:
        """Shows how cells are read; nothing for a column that has one answer in a cell."""
        domain = column.domain
        question = None if plan.reading is None else plan.reading.question_of(column.name)
        self.setVisible(isinstance(domain, OptionSet))
        self._refusal.show_sentence("")
        if not isinstance(domain, OptionSet):
            return
        for field, line in self.fields.items():
            line.set_value(getattr(domain, field))
            line.setEnabled(question is None)
        self._columns.setVisible(question is not None)
        if question is not None:
            told = self.tr("{count} columns of the file: {names}.")
            if question.none_column:
                none = self.tr(
                    "A tick in {name} says that no option applies; who ticked nothing "
                    "gave no answer."
                )
                told += " " + none.format(name=question.none_column)
            elif question.needs_tick:
                told += " " + self.tr("Who ticked nothing gave no answer.")
            names = ", ".join(question.in_file)
            self._columns.setText(told.format(count=len(question.in_file), names=names))

    def _try(self, field: str, text: str) -> None:
        typed = text.strip() or text if field == "separator" else text.strip()
        sentence = self._change(**{field: typed})
        if sentence:
            self.fields[field].refuse(sentence)
        else:
            self._refusal.show_sentence("")


class DomainSection(QuestionSection):
    """Edits and confirms the domain of the chosen column."""

    place = "domain"

    def _fill(self) -> None:
        self._mark = SeverityMark(size=16, parent=self)
        self._origin = PlainLabel("", wrap=True, parent=self)
        self._reason = PlainLabel("", "caption", wrap=True, parent=self)
        self.categories = CategoriesEditor(self._replace, parent=self)
        self.bounds = BoundsEditor(self._replace, parent=self)
        self.marks = SetMarks(self._change_set, parent=self)
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
        self.person.setWhatsThis(
            self.tr("Who confirmed that the domains were known without looking at the answers.")
        )
        self.person.setPlaceholderText(self.tr("name, for the report"))
        self.person.committed.connect(self._name_person)
        self._refusal = RefusalLabel(parent=self)
        self._by = PlainLabel(self.tr("Confirmed &by"), parent=self)
        self._by.setBuddy(self.person)
        self._lay_out()
        # The reason alone: showing everything again would discard pending input.
        self._selection.reasons.found.connect(self._show_reason)
        self._selection.document.answers.found.connect(self._show_given)

    def _lay_out(self) -> None:
        origin = lay_row((self._mark, 0, Qt.AlignmentFlag.AlignTop), spacing=6)
        words = lay_column(self._origin, self._reason, spacing=1)
        origin.addLayout(words, 1)
        confirm = lay_row(self._by, (self.person, 1), spacing=8)
        lay_column(
            origin,
            self._make_question(),
            (self._editors, 1),
            self.marks,
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
        wanted = domain_type(column.kind)
        if wanted is None:
            self._nothing.setText(
                self.tr("{kind} It has no domain.").format(kind=kind_help(column.kind))
            )
            self._editors.setCurrentWidget(self._nothing)
        elif issubclass(wanted, NumericDomain):
            grid = domain if isinstance(domain, NumericDomain) else None
            self.bounds.set_domain(grid, wanted)
            self._editors.setCurrentWidget(self.bounds)
        else:
            # The editor lists texts; what else a set declares stands below it.
            listed = (
                Categorical(values=domain.values, labels=domain.labels)
                if isinstance(domain, ListedDomain)
                else None
            )
            self.categories.set_domain(listed)
            self._editors.setCurrentWidget(self.categories)
        self._show_question(column)
        self.marks.show_column(column, self._selection.document.plan)
        self._show_origin(column)
        self._show_reason()
        self._show_given()
        self._show_confirmation(column)
        unseen = ("domain_unconfirmed", "no_domain", "no_bounds", "writing_undecided")
        problems = self._selection.problems("domain", "confirmed")
        self._problems.set_problems([p for p in problems if p.code not in unseen])

    def _tell_refusal(self, sentence: str) -> None:
        self._refusal.show_sentence(sentence)

    def focus_domain(self) -> None:
        """Sets the focus on the domain, or on its confirmation if only that is missing."""
        column = self._selection.column
        waits = column is not None and column.waits
        target = self.public if waits else self._editors.currentWidget()
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_origin(self, column: ColumnPlan) -> None:
        if column.domain is None:
            wanted = domain_type(column.kind)
            text = (
                ""
                if wanted is None
                else self.tr("No domain yet: decide on how the answers are read.")
                if self._question is not None
                else self.tr("No domain yet: type its bounds.")
                if wanted.holds_numbers
                else self.tr("No domain yet: list the answers.")
            )
            severity = "warning"
        elif column.confirmed:
            text, severity = self.tr("Confirmed as public knowledge."), "success"
        elif not column.waits:
            text, severity = "", "success"
        else:
            severity = "warning"
            text = self.tr("{source}: confirm that it is public knowledge.")
            source = source_words(column)
            text = text.format(source=source[:1].upper() + source[1:])
        self._mark.set_severity(severity)
        self._mark.setVisible(bool(text))
        self._origin.setText(text)
        self._origin.setVisible(bool(text))

    def _show_given(self) -> None:
        """Shows the counts that are known; while others are being found, none."""
        column = self._selection.column
        given = None if column is None else self._selection.document.answers.of(column)
        numbers = column is not None and column.domain is not None and column.domain.holds_numbers
        self.bounds.picture.show_answers(given if numbers else None)
        counts = given is not None and not numbers and column is not None
        self.categories.show_given(given if counts and given and given.labels else None)

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

    def _replace(self, domain: AnyDomain) -> str:
        name, column = self._selection.name, self._selection.column
        if column is not None and column.kind == "several" and isinstance(domain, Categorical):
            listed = domain
            return self._selection.edit(
                self.tr("Change the options of {name}").format(name=name),
                lambda plan, column: set_options(plan, column, listed),
            )
        text = self.tr("Change the domain of {name}").format(name=name)
        return self._selection.edit(text, lambda plan, column: set_domain(plan, column, domain))

    def _change_set(self, **changes: str) -> str:
        text = self.tr("Change how cells of {name} are read").format(name=self._selection.name)
        return self._selection.edit(text, lambda plan, column: set_marks(plan, column, **changes))

    def _confirm(self, confirmed: bool) -> None:
        wanted = (
            self.tr("Confirm the domain of {name}")
            if confirmed
            else self.tr("Withdraw the confirmation of {name}")
        )
        text = wanted.format(name=self._selection.name)
        self._selection.edit(text, lambda plan, name: plan.with_column(name, confirmed=confirmed))

    def _name_person(self, person: str) -> None:
        sentence = self._selection.edit(
            self.tr("Change who confirms"), lambda plan, _: set_confirmed_by(plan, person.strip())
        )
        if sentence:
            self.person.refuse(sentence)
        self._refusal.show_sentence(sentence)
