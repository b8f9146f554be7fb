from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical
from dpdesk.engine import Tracker
from dpdesk.engine.simulate.attack import AttackResult
from dpdesk.engine.texts import T
from dpdesk.gui.document import Document
from dpdesk.gui.pages.risk import attack_view
from dpdesk.gui.pages.risk.attack_view import AttackView
from dpdesk.gui.pages.risk.results_card import AGAINST, RIGHT, VARIANT
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import Plan
from tests.engine.survey import COLOURS, column, survey

Wait = Callable[[], None]


def attacked_plan(strategy: str, epsilon: str = "6") -> Plan:
    """Two protected columns of categories."""

    def protected(name: str, values: tuple[str, ...]) -> object:
        mechanism = mechanism_named("sue")(epsilon=Decimal(epsilon))  # type: ignore[call-arg]
        domain = Categorical(values=values)
        return column(name, kind="nominal", domain=domain, role="protect", mechanism=mechanism)

    columns = (protected("colour", COLOURS), protected("fruit", ("apple", "pear")))
    return Plan(strategy=strategy, respondents=500, columns=columns)  # type: ignore[arg-type]


@pytest.fixture
def page(qtbot: QtBot, document: Document) -> Iterator[AttackView]:
    """The attack with nothing open."""
    shown = AttackView(document)
    qtbot.addWidget(shown)
    shown.resize(1100, 700)
    shown.show()
    yield shown
    shown.shut_down()


@pytest.fixture
def wait(qtbot: QtBot, page: AttackView) -> Wait:
    """Waits until nothing runs."""
    return lambda: qtbot.waitUntil(lambda: not page.watch.is_running)


def open_with(document: Document, strategy: str) -> None:
    document._set_table(survey(), None)
    document.reset(attacked_plan(strategy))


def test_that_without_data_the_page_says_so_and_offers_a_way_on(
    page: AttackView, qtbot: QtBot
) -> None:
    assert "no data" in page.results.title()
    assert not page.run.isEnabled()
    with qtbot.waitSignal(page.goTo) as told:
        page.results.open.click()
    assert told.args == ["data", ""]


@pytest.mark.parametrize(
    ("strategy", "said"), [("spl", "Every answer"), ("smp", "which attribute")]
)
def test_that_a_plan_that_hides_nothing_is_no_dead_end(
    page: AttackView, document: Document, qtbot: QtBot, wait: Wait, strategy: str, said: str
) -> None:
    open_with(document, strategy)
    assert said in page.results.reason()
    assert page.form.target.currentData() == "variants"
    with qtbot.waitSignal(page.goTo) as told:
        page.results.plan.click()
    assert told.args == ["plan", "strategy"]
    qtbot.mouseClick(page.run, Qt.MouseButton.LeftButton)
    wait()
    assert page.results.model.rowCount() == 15
    assert "blind" in page.results.chart.plot.accessibleDescription()
    assert len(page.results.chart.plot.table_data().rows) == 15


def test_that_the_plan_itself_is_attacked_where_it_fakes_answers(
    page: AttackView, document: Document, qtbot: QtBot, wait: Wait
) -> None:
    open_with(document, "rsfd")
    assert page.form.target.currentData() == "plan"
    page.start()
    assert not page.form.isEnabled()
    wait()
    model = page.results.model
    assert model.text(model.rows[0], VARIANT) == "RS+FD of the plan"
    # Fakes of zeros give themselves away at this epsilon.
    assert float(model.text(model.rows[0], RIGHT).removesuffix("\u00a0%")) > 70
    assert model.text(model.rows[0], AGAINST).endswith("×")
    assert page.run.isEnabled()


def test_that_other_data_or_another_strategy_take_the_outcomes_away(
    page: AttackView, document: Document, wait: Wait
) -> None:
    open_with(document, "rsfd")
    page.start()
    wait()
    assert page.results.model.rowCount() == 1
    document.edit("x", document.plan.with_fields(strategy="smp"))
    assert page.results.model.rowCount() == 0
    assert "nothing is hidden" in page.results.title()


def test_that_an_attack_can_be_cancelled(
    page: AttackView, document: Document, qtbot: QtBot, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_table: object, _plan: object, _request: object, tracker: Tracker) -> object:
        while True:
            tracker.tick()

    monkeypatch.setattr(attack_view, "attack_task", endless)
    open_with(document, "rsfd")
    page.start()
    assert page.watch.is_running
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    wait()
    assert page.results.title() == "Do the fakes hide which attribute was real?"
    assert not page.cancel()


def test_that_a_failure_is_told_with_its_remedy(
    page: AttackView, document: Document, wait: Wait
) -> None:
    open_with(document, "rsfd")
    document.edit("x", document.plan.with_column("fruit", role="drop"))
    page.start()
    wait()
    assert T.FEW_COLUMNS() in page.notice.message()
    assert page.results.model.rowCount() == 0


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("epsilons", "1, x", "not a number"),
        ("epsilons", "1, 99", "36"),
        ("seed", "1.5", "not a whole number"),
        ("seed", "-1", "from 0 to"),
    ],
)
def test_that_a_wrong_field_is_refused_in_place(
    page: AttackView, document: Document, field: str, text: str, said: str
) -> None:
    open_with(document, "spl")
    getattr(page.form, field).setText(text)
    page.start()
    assert not page.watch.is_running
    assert said in page.form.refusal.text()


def test_that_numbers_that_are_not_among_the_attributes_are_named(
    page: AttackView, document: Document, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_with(document, "rsfd")
    shown: list[AttackResult] = []
    show = page.results.show_result
    monkeypatch.setattr(page.results, "show_result", lambda r, p: (shown.append(r), show(r, p)))
    page.start()
    wait()
    assert "not among them" not in page.results.reason()
    show(shown[0], ("colour", "age", "fruit"))
    said = "Fakes are made for categories alone: age is not among them."
    assert page.results.reason().endswith(said)
    show(shown[0], ("colour", "age", "size", "fruit"))
    assert "age, size are not among them" in page.results.reason()


def test_that_no_variant_at_all_is_refused(page: AttackView, document: Document) -> None:
    open_with(document, "spl")
    for box in page.form.variants.values():
        box.setChecked(False)
    page.start()
    assert "No variant" in page.form.refusal.text()


def test_that_fields_without_meaning_are_hidden(page: AttackView, document: Document) -> None:
    open_with(document, "rsfd")
    form = page.form
    assert form.epsilons.isHidden()
    assert form.compromised.isHidden()
    assert form.synthetic.isHidden()
    form.knowledge.setCurrentIndex(1)
    form.classifier.setCurrentIndex(1)
    form.target.setCurrentIndex(1)
    assert not any(field.isHidden() for field in (form.epsilons, form.compromised, form.synthetic))
    request = form.request()
    assert (request.knowledge, request.classifier) == ("partial", "boosting")
    assert request.compromised == pytest.approx(0.1)


def test_that_the_model_keeps_the_rules_of_qt(
    page: AttackView, document: Document, wait: Wait
) -> None:
    model = page.results.model
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, page)
    open_with(document, "rsfd")
    page.start()
    wait()
    assert model.rowCount() == 1
