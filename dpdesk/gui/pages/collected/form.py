"""Which columns of the open data hold the answers, the groups and the sample's design."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QWidget

from dpdesk.data.table import SurveyTable
from dpdesk.designs import YesNoDesign
from dpdesk.designs.sample_design import LONELY
from dpdesk.domains import NO_WORDS, YES_WORDS
from dpdesk.engine.collected import CollectedRequest
from dpdesk.errors import DpdeskError, InputError, ParameterError
from dpdesk.estimation.answer_sample import distinct_answers, trimmed_answers
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import RefusalLabel, limit_length

_MOST_TEXTS = 200
_ABREAST = 2
"""Room that a field needs beside its neighbours, so that its name can be read."""
_ANSWERS = 2
"""Yes and no; every other text must stand for no answer."""
_ANSWERS_AND_CODES = 6
"""Most texts of a column of answers, with those that stand for no answer."""
_COLUMNS = (
    "answer",
    "group",
    "anchor",
    "weights",
    "strata",
    "clusters",
    "direct",
    "by",
    "a",
    "b",
)


class CollectedForm(QWidget):
    """Choices of columns with the reason of a refusal below each.

    Attributes:
        more: Whether columns that few surveys have are offered too; those that are chosen are.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: SurveyTable | None = None
        self._design: YesNoDesign | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._cells: dict[str, QWidget] = {}
        self._refusals: dict[str, RefusalLabel] = {}
        self.answer = self._choice("answer", self.tr("Column of the &answers"))
        self.yes = self._choice("yes", self.tr("What means &yes"))
        self.group = self._choice("group", self.tr("&Column of the device"))
        self.first = self._choice("first", self.tr("&Text of the first group"))
        self.by = self._choice("by", self.tr("Estimates for &groups of"))
        self.weights = self._choice("weights", self.tr("&Weights"))
        self.strata = self._choice("strata", self.tr("St&rata"))
        self.clusters = self._choice("clusters", self.tr("C&lusters"))
        self.lonely = self._choice("lonely", self.tr("Strata with one cluster"))
        for text, way in zip(
            (
                self.tr("refuse"),
                self.tr("drawn for certain: no error"),
                self.tr("distance from all clusters' mean"),
                self.tr("as much as other strata"),
            ),
            LONELY,
            strict=True,
        ):
            self.lonely.addItem(text, way)
        self.anchor = self._choice("anchor", self.tr("Column of the anc&hor's answers"))
        self.direct = self._choice("direct", self.tr("Who was asked &directly"))
        self.direct_text = self._choice("direct_text", self.tr("Its text for those who were"))
        self.a = self._choice("a", self.tr("Own chance of yes, carriers"))
        self.b = self._choice("b", self.tr("Own chance of yes, others"))
        self.missing = QLineEdit(self)
        self.missing.setPlaceholderText(self.tr("codes such as -9, refused"))
        limit_length(self.missing, 500)
        self._cell("missing", self.tr("What is &no answer"), self.missing)
        self.population = QLineEdit(self)
        limit_length(self.population, 1000)
        self._cell("population", self.tr("&Population"), self.population)
        for box, what in (
            (self.answer, self.tr("The column of the file that holds what respondents answered.")),
            (self.yes, self.tr("Which of its answers counts as yes; the other one is no.")),
            (self.by, self.tr("A column by whose answers people are told apart.")),
            (self.weights, self.tr("How many people each respondent stands for.")),
        ):
            box.setWhatsThis(what)
        self.more = QCheckBox(self.tr("Strata, clusters and devices too"), self)
        self.more.setWhatsThis(self.tr("Asks for the columns that describe the sample."))
        self.formula = QLineEdit(self)
        self.formula.setWhatsThis(
            self.tr("Columns whose influence on the true answer is estimated.")
        )
        self.formula.setPlaceholderText(self.tr("terms such as age + C(region) + age:woman"))
        limit_length(self.formula, 500)
        self._cell("formula", self.tr("L&ogistic regression on"), self.formula)
        self.answer.currentIndexChanged.connect(lambda _: self._offer_yes())
        self.group.currentIndexChanged.connect(lambda _: self._offer(self.group, self.first))
        self.direct.currentIndexChanged.connect(lambda _: self._offer_direct())
        self.strata.currentIndexChanged.connect(lambda _: self._arrange())
        self.more.toggled.connect(lambda _: self._arrange())
        self._arrange()

    def set_table(self, table: SurveyTable | None) -> None:
        """Offers the columns of other data; choices that they have as well stay."""
        self._table = table
        names = () if table is None else table.names
        for box in (
            self.answer,
            self.group,
            self.by,
            self.weights,
            self.strata,
            self.clusters,
            self.anchor,
            self.direct,
            self.a,
            self.b,
        ):
            before = box.currentData()
            box.blockSignals(True)
            box.clear()
            box.addItem(self.tr("choose one") if box is self.answer else self.tr("none"), "")
            for name in names:
                box.addItem(name, name)
            box.setCurrentIndex(max(box.findData(before), 0))
            box.blockSignals(False)
        self._propose_answer()
        self._offer_yes()
        self._offer(self.group, self.first)
        self._offer_direct()

    def set_design(self, design: YesNoDesign) -> None:
        """Shows the fields that a design needs."""
        before = self._allowed()
        self._design = design
        # Steps of a slider change the design and not what is answered; the columns can be many.
        if self._allowed() != before:
            self._propose_answer()
        self._arrange()

    def request(self) -> CollectedRequest:
        """Returns what is asked for.

        Raises:
            ParameterError: The population is neither a number nor sizes of strata.
        """
        group = self._chosen("group")
        first = self.first.currentData() or ""
        others = [self.first.itemData(i) for i in range(self.first.count())]
        second = next((text for text in others if text != first), "")
        codes = (code.strip() for code in self.missing.text().split(","))
        return CollectedRequest(
            answer=self.answer.currentData() or "",
            yes=self.yes.currentData() or "",
            by=self._chosen("by"),
            formula=self.formula.text().strip(),
            sample=SampleColumns(
                self._chosen("weights"),
                self._chosen("strata"),
                self._chosen("clusters"),
                lonely=self.lonely.currentData() if self._chosen("strata") else "fail",
            ).with_population(self._population()),
            devices=DeviceColumns(
                group=group,
                a=self._chosen("a"),
                b=self._chosen("b"),
                groups=(first, second) if group and len(others) == 2 else (),
                direct=self._chosen("direct"),
                direct_text=self.direct_text.currentData() or "",
                anchor=self._chosen("anchor"),
            ),
            missing=tuple(code for code in codes if code),
        )

    def show_error(self, error: DpdeskError) -> str:
        """Shows a refusal beside the field that it is of.

        Returns:
            The sentence, if it is of no field; else an empty text.
        """
        column = error.column if isinstance(error, InputError) else None
        for name in _COLUMNS:
            if column and self._chosen(name) == column:
                self.show_refusals({name: str(error)})
                return ""
        return str(error)

    def show_refusals(self, sentences: dict[str, str]) -> None:
        """Shows sentences beside the fields of these names, and none beside the others."""
        for name, label in self._refusals.items():
            label.show_sentence(sentences.get(name, ""))

    def _chosen(self, name: str) -> str:
        """The column that a box names; empty where it is not shown."""
        box: ChoiceBox = getattr(self, name)
        return "" if self._cells[name].isHidden() else str(box.currentData() or "")

    def _population(self) -> str:
        """The population as typed; empty where it is hidden.

        Raises:
            ParameterError: It is neither a number nor sizes of strata nor a column.
        """
        text = self.population.text().strip()
        if self._cells["population"].isHidden():
            return ""
        named = SampleColumns().with_population(text).size_column
        if named and (self._table is None or named not in self._table.names):
            raise ParameterError(
                self.tr("The population is not a whole number."),
                remedy=self.tr(
                    "Type digits, as in 5000; with strata the size of each, as in north=5000, "
                    "south=8000, or the name of a column; or nothing."
                ),
            )
        return text

    def _propose_answer(self) -> None:
        """Chooses the first column that can hold the answers of the design, where none is chosen.

        What respondents answered is the text of an answer, or of few that mean yes and no; a column
        of many numbers cannot, even where a 1 is among them.
        """
        names = () if self._table is None else self._table.names
        found = "" if self.answer.currentData() else next(filter(self._can_be_answer, names), "")
        if found:
            self.answer.setCurrentIndex(self.answer.findData(found))

    def _allowed(self) -> set[str]:
        """What respondents of the design can answer, in small letters."""
        groups = () if self._design is None else self._design.groups
        return {str(answer).casefold() for group in groups for answer in group.answers}

    def _can_be_answer(self, name: str) -> bool:
        if self._table is None or self._table.column(name).distinct_count > _MOST_TEXTS:
            return False
        texts = {text.casefold() for text in trimmed_answers(self._table, name)}
        allowed = self._allowed()
        if allowed > {"yes", "no"}:
            return bool(texts) and texts <= allowed
        usual = texts & {*YES_WORDS, *NO_WORDS}
        if any(text.isalpha() for text in usual):
            return len(texts) <= _ANSWERS_AND_CODES
        # Of numbers, a scale has them as well.
        return bool(usual) and len([t for t in texts if not t.startswith("-")]) <= _ANSWERS

    def _offer_yes(self) -> None:
        self._offer(self.answer, self.yes)
        said = [str(self.yes.itemData(place)).casefold() for place in range(self.yes.count())]
        usual = next((said.index(text) for text in YES_WORDS if text in said), None)
        if usual is None:
            usual = next((i for i, text in enumerate(said) if text not in NO_WORDS), None)
        if usual is not None:
            self.yes.setCurrentIndex(usual)
        self._arrange()

    def _offer_direct(self) -> None:
        self._offer(self.direct, self.direct_text)
        self._arrange()

    def _offer(self, column: ChoiceBox, texts: ChoiceBox) -> None:
        """Offers the texts of a column."""
        name = column.currentData()
        before = texts.currentData()
        texts.blockSignals(True)
        texts.clear()
        if self._table is not None and name:
            for text in distinct_answers(self._table, name)[:_MOST_TEXTS]:
                texts.addItem(text, text)
        texts.setCurrentIndex(max(texts.findData(before), 0))
        texts.blockSignals(False)

    def _choice(self, name: str, title: str) -> ChoiceBox:
        box = ChoiceBox(title.replace("&", ""), parent=self)
        self._cell(name, title, box)
        return box

    def _cell(self, name: str, title: str, field: QWidget) -> None:
        cell = QWidget(self)
        label = QLabel(title, cell)
        label.setBuddy(field)
        field.setAccessibleName(title.replace("&", ""))
        refusal = RefusalLabel(parent=cell)
        column = lay_column(spacing=3, on=cell)
        for widget in (label, field, refusal):
            column.addWidget(widget)
        column.addStretch(1)
        self._cells[name], self._refusals[name] = cell, refusal

    def _is_offered(self, box: ChoiceBox) -> bool:
        # What is chosen counts, and so is never out of sight.
        return self.more.isChecked() or bool(box.currentData())

    def _arrange(self) -> None:
        """Puts the fields that have a meaning in rows, the formula below them."""
        design = self._design
        binary = design is None or all(g.answers == ("yes", "no") for g in design.groups)
        two_items = design is not None and design.same_respondents
        groups = design is not None and design.group_count > 1 and not two_items
        # Chances of their own take the place of a design of one group.
        own = not groups and not two_items
        shown = {
            "answer": True,
            "yes": binary,
            "anchor": two_items,
            "group": groups,
            "first": groups,
            "by": True,
            "weights": True,
            "strata": self._is_offered(self.strata),
            "clusters": self._is_offered(self.clusters),
            "lonely": bool(self.strata.currentData()),
            "direct": self._is_offered(self.direct),
            "direct_text": bool(self.direct.currentData()),
            "population": own and (self.more.isChecked() or bool(self.population.text())),
            "a": own and self._is_offered(self.a),
            "b": own and self._is_offered(self.b),
            "missing": self.more.isChecked()
            or bool(self.missing.text())
            or (binary and self.yes.count() > _ANSWERS),
        }
        self.population.setPlaceholderText(
            self.tr("north=5000, south=8000, or a column")
            if self.strata.currentData()
            else self.tr("number of people")
        )
        place = 0
        for name, fits in shown.items():
            cell = self._cells[name]
            self._grid.removeWidget(cell)
            cell.setVisible(fits)
            if fits:
                self._grid.addWidget(cell, place // _ABREAST, place % _ABREAST)
                place += 1
        formula = self._cells["formula"]
        self._grid.removeWidget(formula)
        self._grid.addWidget(formula, 1 + (place - 1) // _ABREAST, 0, 1, _ABREAST)
        for column in range(_ABREAST):
            self._grid.setColumnStretch(column, 1)
