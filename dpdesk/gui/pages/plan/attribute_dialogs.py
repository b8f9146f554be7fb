"""What is asked of attributes in dialogs: answers expected, errors wanted, answers to compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QFormLayout, QLabel, QWidget

from dpdesk.domains import Categorical, parse_number
from dpdesk.gui.pages.plan.parameter_form import parameter_text
from dpdesk.gui.pages.plan.plan_dialog import Button, PlanDialog
from dpdesk.gui.widgets.boxes import STRETCH
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.typed_table import TypedModel, TypedTable
from dpdesk.mechanisms import AnyDomain
from dpdesk.plan import Plan
from dpdesk.preview import RESPONDENTS_ASSUMED, error_text, figures, request_for


class ExpectedDialog(PlanDialog):
    """Declares an expected distribution; wrong weights stay in the dialog to be mended.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        weights: The weights in force; none where nothing is expected.
        replace: Tries other weights, as typed, and returns why they were refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        domain: Categorical,
        weights: Sequence[Decimal],
        replace: Callable[[tuple[str, ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Expected answers"), (460, 480), parent)
        self._replace = replace
        known = len(weights) == domain.size
        self.model = TypedModel.last_typed(
            (self.tr("Answer"), self.tr("Weight")),
            [(domain.label(code),) for code in range(domain.size)],
            [parameter_text(w) for w in weights] if known else [""] * domain.size,
            self,
        )
        self.table = TypedTable(self.tr("Weights of the answers"), self.model, parent=self)
        meaning = self.tr(
            "How often do you expect each answer? Any weights will do, such as 60, 30 and 10. "
            "Declare what is known beforehand, never what the data say: the choice of a "
            "mechanism, and realistic fakes, depend on it."
        )
        self._lay_out(title, meaning, (self.table, 1))
        self.none = self.buttons.addButton(
            self.tr("Expect &nothing"), QDialogButtonBox.ButtonRole.ResetRole
        )
        self.none.clicked.connect(self.model.clear)
        self.model.dataChanged.connect(lambda *_: self._withdraw_refusal())

    def attempt(self) -> str:
        """Declares the weights; without any, nothing is expected."""
        texts = tuple(text.replace(",", ".") for text in self.model.typed())
        return self._replace(tuple(text or "0" for text in texts) if any(texts) else ())


class TargetsDialog(PlanDialog):
    """Takes an error for each attribute that has one; the others keep their epsilon.

    Args:
        plan: The plan in force.
        solve: Tries errors by the names of columns, and returns why they cannot be met, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self, plan: Plan, solve: Callable[[Mapping[str, float]], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(self.tr("Epsilon for errors"), (520, 480), parent)
        self._solve = solve
        self._names = [column.name for column in plan.protected]
        self.model = TypedModel.last_typed(
            (self.tr("Attribute"), self.tr("95 % error now"), self.tr("Wanted")),
            [(column.title, _error_now(plan, column.name)) for column in plan.protected],
            [""] * len(self._names),
            self,
        )
        name = self.tr("Errors that are wanted")
        self.table = TypedTable(name, self.model, parent=self)
        self.table.setColumnWidth(1, 130)
        self._lay_out("", self._meaning(plan), (self.table, 1))
        self.buttons.button(Button.Ok).setText(self.tr("&Set the least epsilons"))
        self.model.dataChanged.connect(lambda *_: self._withdraw_refusal())

    def attempt(self) -> str:
        """Sets the least epsilons, if every error is a number and can be met."""
        wanted: dict[str, float] = {}
        for name, text in zip(self._names, self.model.typed(), strict=True):
            if not text:
                continue
            number = parse_number(text)
            number = parse_number(text, ",") if number is None else number
            if number is None:
                return self.tr("{name}: type the error as a number, such as 2.5.").format(name=name)
            wanted[name] = number
        return self._solve(wanted) if wanted else self.tr("Type an error for an attribute.")

    def _meaning(self, plan: Plan) -> str:
        count = plan.respondents
        people = (
            self.tr("{count} respondents, assumed since the plan states none")
            if count is None
            else self.tr("{count} respondents")
        ).format(count=f"{count or RESPONDENTS_ASSUMED:,}")
        return self.tr(
            "Type the 95 % error that you can live with, in pp or in the attribute's unit, with "
            "{people}. The least total ε that meets them is set, with the best mechanism for "
            "each. Attributes without an error stay as they are."
        ).format(people=people)


def _error_now(plan: Plan, name: str) -> str:
    request = request_for(plan.column(name), plan.respondents, sampling=plan.sampling)
    if request is None:
        return "—"
    found = figures(request)
    return error_text(found.error, found.unit)


LISTED_MAX = 2_000
"""Categories that a box lists; an answer out of more of them, and a number, is typed."""


class AnswersDialog(PlanDialog):
    """Two answers, chosen or typed; the plots follow at once.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        answers: The codes that are compared now.
        parent: The window it belongs to.

    Attributes:
        answersChosen: Emitted with two codes that differ.
    """

    answersChosen = Signal(int, int)

    def __init__(
        self,
        title: str,
        domain: AnyDomain,
        answers: tuple[int, int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Answers to compare"), (380, 180), parent)
        self._domain = domain
        self._answers = answers
        form = QFormLayout()
        words = (self.tr("&First true answer"), self.tr("&Second true answer"))
        self.fields = []
        for place, text in enumerate(words):
            field = self._field(place, text.replace("&", ""))
            label = QLabel(text, self)
            label.setBuddy(field)
            form.addRow(label, field)
            self.fields.append(field)
        self._lay_out(title, "", form, STRETCH, buttons=Button.Close)

    def _field(self, place: int, name: str) -> QWidget:
        domain, code = self._domain, self._answers[place]
        if isinstance(domain, Categorical) and domain.size <= LISTED_MAX:
            box = ChoiceBox(name, parent=self)
            box.addItems([domain.label(i) for i in range(domain.size)])
            box.setCurrentIndex(code)
            box.activated.connect(lambda chosen: self._take(place, chosen))
            return box
        line = CommitLine(name, parent=self)
        line.set_value(domain.texts[code])
        line.committed.connect(lambda text: self._take_text(place, line, text))
        line.refused.connect(self._refusal.show_sentence)
        return line

    def _take_text(self, place: int, line: CommitLine, text: str) -> None:
        code = int(self._domain.encode([text.strip()])[0])
        if code < 0:
            line.refuse(self.tr("This is no answer of the domain. Type one that is."))
            return
        line.set_value(self._domain.texts[code])
        self._take(place, code)

    def _take(self, place: int, code: int) -> None:
        first, second = self._answers
        chosen = (code, second) if place == 0 else (first, code)
        if chosen[0] == chosen[1]:
            self._refusal.show_sentence(self.tr("Choose two answers that differ."))
            return
        self._withdraw_refusal()
        self._answers = chosen
        self.answersChosen.emit(*chosen)
