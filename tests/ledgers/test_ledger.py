from __future__ import annotations

import json
import os
import sqlite3
import stat
from dataclasses import replace
from decimal import Decimal, localcontext
from math import exp, log
from pathlib import Path
from typing import Any

import pytest

from dpdesk import __version__
from dpdesk.errors import CapReachedError, LedgerError, ParameterError
from dpdesk.ledgers import Cap, Ledger, Model, Population, default_path
from dpdesk.ledgers.account import ADD_REMOVE, REPLACE
from dpdesk.ledgers.people import now
from dpdesk.ledgers.store import Store
from tests.ledgers.charges import central, charge, local, one, people
from tests.refusals import refused


@pytest.fixture
def ledger() -> Ledger:
    return Ledger.open()


def test_that_the_tests_have_a_ledger_of_their_own(ledger_of_this_test: Path):
    assert default_path() == ledger_of_this_test
    assert not ledger_of_this_test.exists()


def test_that_without_the_variable_the_ledger_is_in_the_folder_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    import platformdirs

    monkeypatch.delenv("DPDESK_LEDGER")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda name, appauthor: str(tmp_path / name))
    assert default_path() == tmp_path / "dpdesk" / "ledger.sqlite"


def test_that_a_release_is_there_the_next_day(ledger: Ledger, tmp_path: Path):
    charged = charge(ledger, local("1.5"), title="First")
    ledger.written(charged, tmp_path / "out")
    (release,) = Ledger.open().history("First")
    assert (release.id, release.title, release.kind) == (charged.id, "First", "statistics")
    assert release.costs == (local("1.5"),)
    assert (release.outcome, release.where) == ("written", str(tmp_path / "out"))
    assert (release.rows, release.version) == (60, __version__)
    assert release.time.tzinfo is not None
    assert Ledger.open().plan_of(charged.id) == '{"a": "plan"}'


def test_that_a_file_is_known_again_and_another_one_is_other_people(ledger: Ledger):
    charge(ledger, local("1"), title="First")
    charge(ledger, local("2"), title="Again")
    charge(ledger, local("4"), people(first=60), title="First")
    found = {p.name: p.spent("local").epsilon for p in ledger.book().populations()}
    assert found == {"First": Decimal(3), "First (2)": Decimal(4)}


def test_that_files_of_one_declared_population_add_up(ledger: Ledger):
    charge(ledger, local("1"), population="Household survey 2026")
    charge(ledger, local("2"), people(first=60), population="  household SURVEY 2026 ")
    population = one()
    assert (population.name, population.is_declared) == ("Household survey 2026", True)
    assert len(population.files) == 2
    assert population.spent("local").epsilon == 3


def test_that_whoever_holds_local_and_central_releases_is_told_one_total(ledger: Ledger):
    charge(ledger, central("0.1", "0.001"))
    charge(ledger, central("0.2", "0.002"))
    alone = one().spent()
    assert (alone.epsilon, alone.delta) == (Decimal("0.3"), Decimal("0.003"))
    assert (alone.relation, alone.is_doubled) == (ADD_REMOVE, False)
    charge(ledger, local("1"))
    assert one().spent("central") == replace(alone, model="central")
    assert one().spent("local").epsilon == 1
    both = one().spent()
    # Replacing one is removing one and adding another.
    assert (both.epsilon, both.releases) == (1 + 2 * Decimal("0.3"), 3)
    losses = (("0.1", "0.001"), ("0.2", "0.002"))
    with localcontext(prec=60):
        least = sum(Decimal(delta) * (1 + Decimal(epsilon).exp()) for epsilon, delta in losses)
        assert least <= both.delta < least * (1 + Decimal("1e-20"))
    assert (both.relation, both.is_doubled) == (REPLACE, True)


def test_that_the_total_bounds_what_both_releases_show_together():
    """All outcomes of a randomized answer and of two noisy counts, of the yes and of the no.

    One respondent is replaced: the answer changes, one leaves a count and another enters the other.
    """
    answer, count = 0.7, 0.4
    keep, fall = exp(answer) / (1 + exp(answer)), exp(-count)
    seen = range(-5, 12)

    def law(yes: int, no: int, answers_yes: bool) -> list[float]:
        reports = (keep, 1 - keep) if answers_yes else (1 - keep, keep)
        return [
            report * fall ** (abs(first - yes) + abs(second - no))
            for report in reports
            for first in seen
            for second in seen
        ]

    pairs = zip(law(4, 3, answers_yes=True), law(3, 4, answers_yes=False), strict=True)
    worst = max(abs(log(before / after)) for before, after in pairs)
    # Each count changes by one; both together lose what one count loses of adding or removing.
    costs = (local(str(answer)), central(str(count)))
    total = Population(1, "a", True, (), ()).spent(more=costs).epsilon
    assert worst == pytest.approx(float(total))


@pytest.mark.parametrize("model", ["local", "central"])
def test_that_what_is_left_for_a_release_of_a_model_is_what_the_cap_allows(
    ledger: Ledger, model: Model
):
    cost = {"local": local, "central": central}[model]
    assert Population(1, "a", True, (), ()).left_for(model) is None
    charge(ledger, central("0.5"), cap=Cap(Decimal(4)))
    for _ in range(2):
        left = one().left_for(model)
        assert left is not None
        assert one().spent(more=[cost(str(left))]).epsilon == 4
        assert not one().spent(more=[cost(str(left + Decimal("0.0001")))]).fits(one().cap)
        # With a local release, the central ones count twice.
        charge(ledger, local("1"))


def test_that_a_ledger_with_a_cap_of_each_model_keeps_the_smaller_one(ledger: Ledger):
    charge(ledger, local("1"))
    number = one().id

    def set_as_before(model: Model, epsilon: str | None, delta: str | None) -> None:
        content = {"population": number, "model": model, "time": now()}
        with ledger._open() as (store, _):
            store.append("cap", content | {"epsilon": epsilon, "delta": delta})

    set_as_before("local", "3", "0")
    assert one().cap == Cap(Decimal(3))
    set_as_before("central", "2", "1e-6")
    assert one().cap == Cap(Decimal(2), Decimal("1e-6"))
    with refused("ledgers.over-cap-doubled", needed="1.2"):
        charge(ledger, central("0.6"))
    charge(ledger, central("0.5"))
    set_as_before("central", None, None)
    assert one().cap == Cap(Decimal(3))
    ledger.set_cap("Survey", Cap(Decimal(9), Decimal("1e-5")))
    assert one().cap == Cap(Decimal(9), Decimal("1e-5"))
    ledger.set_cap("Survey", None)
    assert one().cap is None


def test_that_sums_are_exact(ledger: Ledger):
    for _ in range(10):
        charge(ledger, local("0.1"))
    assert one().spent("local").epsilon == Decimal(1)


def test_that_adding_or_removing_counts_twice_beside_replacing(ledger: Ledger):
    charge(ledger, central("0.5"))
    assert one().spent("central").epsilon == Decimal("0.5")
    charge(ledger, central("0.25", relation="replace one"))
    spent = one().spent("central")
    assert spent.epsilon == 2 * Decimal("0.5") + Decimal("0.25")
    assert spent.relation.startswith("replace")


def test_that_the_delta_of_a_group_of_two_is_not_below_its_bound(ledger: Ledger):
    charge(ledger, central("1", "0.001"))
    charge(ledger, central("1", relation="replace one"))
    exact = Decimal("0.001") * (1 + Decimal(1).exp())
    assert exact <= one().spent("central").delta < exact * (1 + Decimal("1e-20"))


def test_that_rho_is_summed_only_where_every_release_has_one(ledger: Ledger):
    charge(ledger, central("1", "1e-6"), rho=Decimal("0.02"))
    charge(ledger, central("1", "1e-6"), rho=Decimal("0.03"))
    assert one().spent("central").rho == Decimal("0.05")
    charge(ledger, central("1"))
    assert one().spent("central").rho is None


def test_that_a_cap_blocks_exactly_what_exceeds_it(ledger: Ledger):
    charge(ledger, local("1"), cap=Cap(Decimal(2)))
    with refused("ledgers.over-cap", needed="1.000000000001", left="1", cap="2"):
        charge(ledger, local("1.000000000001"))
    assert one().spent("local").releases == 1
    charge(ledger, local("1"))
    assert one().left() == Cap(Decimal(0))


def test_that_a_cap_on_delta_blocks(ledger: Ledger):
    charge(ledger, central("1", "1e-6"), cap=Cap(Decimal(10), Decimal("1e-6")))
    with refused("ledgers.over-cap-of-delta", delta="0.000001001"):
        charge(ledger, central("1", "1e-9"))
    charge(ledger, central("1"))


def test_that_a_cap_blocks_releases_of_either_model(ledger: Ledger):
    charge(ledger, local("1"), cap=Cap(Decimal(2)))
    with pytest.raises(CapReachedError):
        charge(ledger, central("0.6"))
    charge(ledger, central("0.5"))
    for cost in (local("0.1"), central("0.1")):
        with pytest.raises(CapReachedError):
            charge(ledger, cost)


def test_that_a_refused_release_leaves_no_trace(ledger: Ledger):
    charge(ledger, local("1"))
    with pytest.raises(CapReachedError):
        charge(ledger, local("1"), cap=Cap(Decimal("1.5")))
    assert one().cap is None
    with pytest.raises(CapReachedError):
        charge(ledger, local("1"), people(first=60), title="New", cap=Cap(Decimal("0.5")))
    assert one().name == "Survey"


def test_that_a_cap_can_be_raised_and_taken_away(ledger: Ledger):
    charge(ledger, local("1"), cap=Cap(Decimal(1)))
    ledger.set_cap("survey", Cap(Decimal(3)))
    charge(ledger, local("2"))
    ledger.set_cap("Survey", None)
    charge(ledger, local("2"))
    assert one().spent("local").epsilon == 5


@pytest.mark.parametrize("cap", [Cap(Decimal(-1)), Cap(Decimal(1), Decimal(1))])
def test_that_a_cap_that_means_nothing_is_refused(ledger: Ledger, cap: Cap):
    charge(ledger, local("1"))
    with pytest.raises(ParameterError):
        ledger.set_cap("Survey", cap)


def test_that_nobody_is_renamed_or_joined_tacitly(ledger: Ledger):
    charge(ledger, local("1"), title="Old")
    with refused("ledgers.wrong-population", name="Old"):
        charge(ledger, local("1"), population="New")
    charge(ledger, local("1"), people(first=60), population="Other")
    with refused("ledgers.another-population", name="Old"):
        charge(ledger, local("1"), population="Other")
    ledger.rename("Old", "New")
    charge(ledger, local("1"), population="New")
    assert ledger.population("New").spent("local").epsilon == 2


def test_that_two_names_never_become_one_by_renaming(ledger: Ledger):
    charge(ledger, local("1"), population="A")
    charge(ledger, local("1"), people(first=60), population="B")
    with pytest.raises(ParameterError):
        ledger.rename("A", "b")
    ledger.rename("A", "a")
    assert {p.name for p in ledger.book().populations()} == {"a", "B"}


def test_that_the_same_people_have_one_sum_and_the_stricter_cap(ledger: Ledger):
    charge(ledger, local("1"), population="A", cap=Cap(Decimal(9)))
    charge(ledger, local("2"), people(first=60), population="B", cap=Cap(Decimal(4)))
    ledger.same_people("A", "B")
    population = one()
    assert population.name == "B"
    assert population.spent("local").epsilon == 3
    assert population.cap == Cap(Decimal(4))
    charge(ledger, local("1"))
    with pytest.raises(CapReachedError):
        charge(ledger, local("1"))
    with pytest.raises(ParameterError):
        ledger.same_people("B", "b")
    charge(ledger, local("1"), people(first=200), population="C")
    assert {p.name for p in ledger.book().populations()} == {"B", "C"}


def test_that_a_declared_file_belongs_to_its_population_before_any_release(ledger: Ledger):
    ledger.declare(ledger.fingerprint(people()), "Mine")
    charge(ledger, local("1"))
    assert (one().name, one().spent("local").epsilon) == ("Mine", Decimal(1))


@pytest.mark.parametrize("name", ["", "   ", "a\x00b", "x" * 201])
def test_that_a_name_is_one_that_can_be_read(ledger: Ledger, name: str):
    with pytest.raises(ParameterError):
        ledger.declare(ledger.fingerprint(people()), name)


def test_that_unknown_names_and_releases_are_told(ledger: Ledger):
    with refused("ledgers.no-population", name="Nobody"):
        ledger.history("Nobody")
    with pytest.raises(ParameterError):
        ledger.plan_of("no such release")


def test_that_an_identifier_is_charged_once(ledger: Ledger):
    charge(ledger, local("1"), release_id="x")
    with pytest.raises(LedgerError):
        charge(ledger, local("1"), release_id="x")


@pytest.mark.parametrize("outcome", ["cancelled", "failed"])
def test_that_what_ends_without_a_result_stays_charged(ledger: Ledger, outcome):
    ledger.ended(charge(ledger, local("1")), outcome)
    assert one().releases[0].outcome == outcome
    assert one().spent("local").epsilon == 1


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_that_only_the_owner_reads_the_ledger(ledger: Ledger, ledger_of_this_test: Path):
    charge(ledger, local("1"))
    assert stat.S_IMODE(ledger_of_this_test.parent.stat().st_mode) == 0o700
    files = list(ledger_of_this_test.parent.iterdir())
    assert len(files) >= 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_that_no_answer_and_no_name_of_a_column_is_stored(
    ledger: Ledger, ledger_of_this_test: Path
):
    charge(ledger, local("1"), people(CANARY=["SECRET-ANSWER"] * 60))
    assert ledger_of_this_test.exists()
    for path in ledger_of_this_test.parent.iterdir():
        content = path.read_bytes()
        assert b"SECRET" not in content
        assert b"CANARY" not in content


@pytest.mark.parametrize("table", ["entries", "attachments"])
@pytest.mark.parametrize("words", ["UPDATE {} SET content = 'x'", "DELETE FROM {}"])
def test_that_rows_are_never_changed_or_deleted(
    ledger: Ledger, ledger_of_this_test: Path, table: str, words: str
):
    charge(ledger, local("1"))
    connection = sqlite3.connect(ledger_of_this_test)
    with pytest.raises(sqlite3.IntegrityError, match="append only"):
        connection.execute(words.format(table))
    connection.close()


def test_that_the_file_says_what_it_is_and_is_written_ahead(
    ledger: Ledger, ledger_of_this_test: Path
):
    connection = sqlite3.connect(ledger_of_this_test)
    expected = {"application_id": 0x44504C31, "user_version": 1, "journal_mode": "wal"}
    for name, value in expected.items():
        assert connection.execute(f"PRAGMA {name}").fetchone()[0] == value
    connection.close()
    head = json.loads(Path(f"{ledger_of_this_test}.head").read_text())
    assert head["rows"] == 1


def test_that_a_ledger_in_use_waits_for_others_and_not_for_itself(ledger: Ledger):
    # Nothing stays open between two operations, in whichever order two users take turns.
    other = Ledger.open()
    for _ in range(3):
        charge(ledger, local("1"))
        charge(other, local("1"))
    assert one().spent("local").releases == 6


def test_that_a_charge_that_the_disk_does_not_hold_lets_nothing_be_drawn(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    append = Store.append

    def lose(store: Store, kind: str, *content: Any) -> None:
        if kind != "charge":
            append(store, kind, *content)

    monkeypatch.setattr(Store, "append", lose)
    with refused("ledgers.not-charged"):
        charge(ledger, local("1"))
