"""One attack on the whole page: its parameters, its picture, and what it found in sentences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QScrollArea, QWidget

from dpdesk.attacks import Attack, Findings, Target, effect
from dpdesk.data.read_file import load
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.risk.attack_picture import AttackPicture, words_of
from dpdesk.gui.pages.risk.pane import Room
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.declared_form import DeclaredForm, FormField
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.progress_line import ProgressLine
from dpdesk.numbers import grouped_number, real_number
from dpdesk.numbers.digits import share_text
from dpdesk.plan import Plan

_FORM_WIDTH = 300
_FIELD_WIDTH = 110
_TOLD_HEIGHT = 150


def attack_task(
    attack: Attack, target: Target | None, register: Path | None, tracker: Tracker
) -> Findings:
    """Attacks the open data, or the example where there are none.

    Args:
        attack: The attack with its parameters.
        target: The open data and their plan, which are frozen; None for the example.
        register: The user's list with names.
        tracker: Progress and cancel.
    """
    if target is None:
        return attack.run(attack.example(), tracker)
    if register is not None:
        target = Target(target.table, target.plan, load(register))
    return attack.run(target, tracker)


def tr_attack(text: str) -> str:
    """Translates what an attack says of itself."""
    return QCoreApplication.translate("Attack", text) if text else ""


class AttackPage(Room):
    """What every attack has on the page: a head with its buttons, messages, and two cards.

    Args:
        document: The open document.
        title: The name of the attack.
        help_page: The key of its help page.
        help_words: What the help is on.

    Attributes:
        found: Emitted with the `Findings` of every attack that ends.
    """

    found = Signal(object)

    def __init__(
        self,
        document: Document,
        title: str,
        help_page: str,
        help_words: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.header = PageHeader(parent=self)
        self.header.set_title(title)
        self.help = HelpButton(help_page, help_words, parent=self)
        self.back = QPushButton(self.tr("&Back to Risk"), self)
        self.run = QPushButton(self.tr("&Run the attack"), self)
        self.run.setProperty("look", "primary")
        IconBond(self.run, "play", "accent_text")
        for widget in (self.help, self.back, self.run):
            self.header.add_widget(widget)
        self.setFocusProxy(self.run)
        self.notice = NoticeBar(parent=self)
        self.back.clicked.connect(self.closed)

    def lay_out(self, left: Card, right: Card) -> None:
        """Puts the form and what was found below the head."""
        left.setFixedWidth(_FORM_WIDTH)
        row = lay_row(left, (right, 1), spacing=12)
        lay_column(self.header, self.notice, (row, 1), spacing=10, on=self)

    def set_attack(self, attack: Attack) -> None:
        """Takes other parameters: other columns are chosen on the page."""

    def take_findings(self, found: Findings) -> None:
        """Shows what the attack found when the whole list was run."""

    def begin(self, found: Findings | None) -> None:
        """Shows what the list knows; where it knows nothing, an attack may start here."""


class AttackRoom(AttackPage):
    """The form on the left, what was found on the right.

    Args:
        attack: The attack with the parameters to begin with.
        document: The open document.
    """

    def __init__(self, attack: Attack, document: Document, parent: QWidget | None = None) -> None:
        kind = type(attack)
        words = QCoreApplication.translate("AttackRoom", "Help on the attacks")
        super().__init__(document, tr_attack(kind.title), "attacks", words, parent)
        self.header.set_subtitle(tr_attack(kind.question))
        self.attack = attack
        self.findings: Findings | None = None
        self._register: Path | None = None
        self._is_example = False
        self._is_other = False
        self._make_form()
        self._make_results()
        self.lay_out(self._left, self._right)
        self._connect()
        self._show_form()

    def set_attack(self, attack: Attack) -> None:
        # It may have ended before it could be stopped.
        self._is_other = self.cancel()
        self.attack, self.findings = attack, None
        self._show_form()
        if self._is_example:
            return
        for label in (self._headline, self._rates, self._sentences, self._stops):
            label.setText("")
        self._stops_title.hide()
        self.picture.hide()

    def take_findings(self, found: Findings) -> None:
        self.show_findings(found)

    def begin(self, found: Findings | None) -> None:
        if self.findings is not None:
            return
        if found is None:
            self.start()
        else:
            self.show_findings(found)

    def show_findings(self, found: Findings, *, is_example: bool = False) -> None:
        """Shows what was found with the parameters in force.

        Args:
            found: What was found.
            is_example: Whether in the bundled example.
        """
        self.findings = None if is_example else found
        if not (is_example or self.form.isEnabled()):
            self._show_form()
        self._headline.setText(words_of(found.headline))
        self._headline.set_tone(found.severity)
        rates = tr_attack(found.rates or type(self.attack).rates).format(
            success=share_text(found.success), baseline=share_text(found.baseline)
        )
        attacked = (
            self.tr("Attacked: the bundled example, {subject}.")
            if is_example
            else self.tr("Attacked: {subject}.")
        ).format(subject=words_of(found.subject))
        self._rates.setText(f"{rates} {attacked}")
        self.picture.show_findings(found)
        self.picture.show()
        told = "\n".join(f"• {words_of(sentence)}" for sentence in found.sentences)
        self._sentences.setText(told)
        stops = []
        for remedy in found.remedies:
            words = words_of(remedy.words)
            after = effect(found, remedy)
            if after is not None:
                words = f"{words}: {words_of(after)}"
            stops.append(f"• {words}")
        self._stops.setText("\n".join(stops))
        self._stops_title.show()

    def sentences(self) -> str:
        """What is said about the findings."""
        return self._sentences.text()

    def start(self) -> None:
        """Attacks with the parameters in force."""
        if self.watch.is_running:
            return
        self.notice.clear()
        if not self.form.isEnabled():
            self._show_form()
        table = self.document.table
        target = None if table is None else Target(table, self._plan())
        self._run_task(self.attack, target, is_example=False)

    def start_example(self) -> None:
        """Attacks the bundled example with the usual parameters; the list does not change."""
        if not self.watch.is_running:
            self.notice.clear()
            usual = type(self.attack).suited((), ())
            # Columns of the open file would stand beside results about the example.
            self._show_form(usual)
            self.form.setEnabled(self.document.table is None)
            self._run_task(usual, None, is_example=True)

    def _run_task(self, attack: Attack, target: Target | None, *, is_example: bool) -> None:
        self._is_example, self._is_other = is_example, False
        register = None if is_example else self._register
        task = partial(attack_task, attack, target, register)
        self.watch.start(Job(self.tr("Attacking"), task))
        self._set_ready(False)
        self.progress.stop.setFocus()

    def take_register(self, path: Path | None) -> None:
        """Compares the data with a list of the user from now on."""
        self._register = path
        unused = type(self.attack).only_without_file if path is not None else frozenset()
        for name, field in self.form.fields.items():
            field.setEnabled(name not in unused)
        self._list_name.setText("" if path is None else path.name)
        self._list_name.setVisible(path is not None)
        self.start()

    def _plan(self) -> Plan | None:
        return self.document.plan if self.document.plan.columns else None

    def _make_form(self) -> None:
        kind = type(self.attack)
        self._left = Card(parent=self)
        self.form = DeclaredForm(self._replace, beside=True, tone="muted", parent=self._left)
        self.form.follow(self.run)
        self.list_button = QPushButton(self.tr("Compare with my &list…"), self._left)
        self.list_button.setToolTip(tr_attack(kind.outside_file))
        self.list_button.setVisible(bool(kind.outside_file))
        self._list_name = PlainLabel("", "caption", wrap=True, parent=self._left)
        self._list_name.hide()
        self.example_button = QPushButton(self.tr("Attack the &example"), self._left)
        self.example_button.setVisible(kind.reads_data)
        self._left.body.addWidget(PlainLabel(self.tr("The attack"), "heading", parent=self._left))
        for text, tone in ((kind.method, ""), (kind.reference, "caption")):
            self._left.body.addWidget(PlainLabel(tr_attack(text), tone, wrap=True, parent=self))
        self._left.body.addWidget(self.form)
        self._left.body.addWidget(self.list_button)
        self._left.body.addWidget(self._list_name)
        self._left.body.addWidget(self.example_button)
        self._left.body.addStretch(1)

    def _make_results(self) -> None:
        self._right = Card(parent=self)
        self._headline = PlainLabel("", "", wrap=True, parent=self._right)
        bold = self._headline.font()
        bold.setBold(True)
        self._headline.setFont(bold)
        self._rates = PlainLabel("", "muted", wrap=True, parent=self._right)
        words = self.tr("Progress of the attack")
        self.progress = ProgressLine(words, self.watch, parent=self._right)
        self.picture = AttackPicture(parent=self._right)
        self.picture.hide()
        inner = QWidget()
        self._sentences = PlainLabel("", "", wrap=True, parent=inner)
        self._stops_title = PlainLabel(self.tr("What would change it"), "strong", parent=inner)
        self._stops_title.hide()
        self._stops = PlainLabel("", "", wrap=True, parent=inner)
        lay_column(self._sentences, self._stops_title, self._stops, STRETCH, spacing=8, on=inner)
        self._told = QScrollArea(self._right)
        self._told.setObjectName("findings")
        self._told.setWidgetResizable(True)
        self._told.setFrameShape(QScrollArea.Shape.NoFrame)
        self._told.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._told.setAccessibleName(self.tr("What was found"))
        self._told.setWidget(inner)
        self._told.setMinimumHeight(_TOLD_HEIGHT)
        body = self._right.body
        body.addWidget(self._headline)
        body.addWidget(self._rates)
        body.addWidget(self.progress)
        body.addWidget(self.picture, 3)
        body.addWidget(self._told, 2)

    def _connect(self) -> None:
        self.run.clicked.connect(self.start)
        self.list_button.clicked.connect(self._choose_list)
        self.example_button.clicked.connect(self.start_example)
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(lambda error: self.notice.show_notice("error", str(error)))

    def _take(self, found: Findings) -> None:
        if self._is_other and not self._is_example:
            return
        self.show_findings(found, is_example=self._is_example)
        if not self._is_example:
            self.found.emit(found)

    def settle(self) -> None:
        had = self.progress.stop.hasFocus()
        self._set_ready(True)
        if had:
            self.run.setFocus()

    def _set_ready(self, ready: bool) -> None:
        for button in (self.run, self.list_button, self.example_button):
            button.setEnabled(ready)

    def _show_form(self, attack: Attack | None = None) -> None:
        """Shows the parameters in force, or those of an attack on the example."""
        shown, kind = attack or self.attack, type(self.attack)
        self.form.setEnabled(True)
        fields = tuple(self._field(kind, name) for name in kind.parameters())
        values = {field.name: self._shown(shown, field) for field in fields}
        self.form.show_fields(kind, fields, values)

    @staticmethod
    def _shown(attack: Attack, field: FormField) -> object:
        value = getattr(attack, field.name)
        if field.form == "list":
            return value
        if isinstance(value, tuple):
            return ", ".join(value)
        return f"{value:,g}" if isinstance(value, float) else str(value)

    def _field(self, kind: type[Attack], name: str) -> FormField:
        declared = kind.model_fields[name]
        title, meaning = tr_attack(declared.title or name), tr_attack(declared.description or "")
        use = kind.column_use(name)
        bare = declared.annotation
        form: Literal["line", "list"] = "line"
        choices: tuple[tuple[str, object], ...] = ()
        read: Callable[[str], object] = str.strip
        width, hint = _FIELD_WIDTH, tr_attack(kind.if_empty(name))
        if use is not None:
            width = 0
            if get_origin(bare) is tuple:
                read = _names
            else:
                form = "list"
                table = self.document.table
                names = () if table is None else table.names
                choices = ((hint, ""), *((one, one) for one in names))
        elif get_origin(bare) is Literal:
            form, choices = "list", tuple((tr_attack(one), one) for one in get_args(bare))
        elif bare is int:
            read = grouped_number
        elif bare is float:
            read = _number
        else:
            width = 0
        return FormField(
            name, title, meaning, form, hint=hint, choices=choices, read=read, width=width
        )

    def _replace(self, name: str, value: object) -> str:
        """Tries another value of a parameter; returns why it was refused, or ""."""
        kind = type(self.attack)
        if value is None:
            is_whole = kind.model_fields[name].annotation is int
            return (
                self.tr("This is not a whole number. Type digits, as in 18.")
                if is_whole
                else self.tr("This is not a number. Type digits, with a point before the fraction.")
            )
        values: dict[str, Any] = self.attack.model_dump(exclude={"kind"}) | {name: value}
        try:
            self.attack = kind.made(values)
        except DpdeskError as error:
            return str(error)
        self._show_form()
        return ""

    def _choose_list(self) -> None:
        kinds = self.tr("Tables (*.csv *.tsv *.txt);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open a list with names"), "", kinds)
        if name:
            self.take_register(Path(name))


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _number(text: str) -> float | None:
    return real_number(text.strip())
