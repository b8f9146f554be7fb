"""Verdicts and remedies as claims: each is computed again from the answers, by the test's own sums.

Over random tables, plans and errors; what a remedy promises is looked at in the plan that it makes.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import exp, inf, sqrt

import numpy as np
import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import untracked
from dpdesk.engine.statistics import release_statistics
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.sampling import Sampling
from dpdesk.plan import ColumnPlan, Plan, check, choose_best, resplit, total_epsilon
from dpdesk.plan.checks.usefulness import RECORDS_PATH
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.joint_errors import wanted_analysis
from dpdesk.plan.outlook import better_strategy
from dpdesk.plan.release_usefulness import usefulness_of_records, usefulness_of_statistics
from dpdesk.plan.remedies import cheapest_remedy, one_answer_for_most, remedies
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.usefulness import (
    ReleasedMean,
    Usefulness,
    usefulness_of,
    usefulness_of_column,
    usefulness_of_shares,
)
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.reports.statistics.facts import query_facts

Z = 1.959963984540054
SEEDS = range(12)
KINDS = ("grr", "oue", "sue")
WORDS = ("useful", "coarse", "useless")
TOO_FEW = "plan.reason-too-few"


def chances(kind: str, epsilon: float, size: int) -> tuple[float, float]:
    """The chances of support, by the publications."""
    if kind == "grr":
        return exp(epsilon) / (exp(epsilon) + size - 1), 1 / (exp(epsilon) + size - 1)
    if kind == "oue":
        return 0.5, 1 / (exp(epsilon) + 1)
    root = exp(epsilon / 2)
    return root / (root + 1), 1 / (root + 1)


def verdict(error: float, size: float) -> str:
    """The rule: a third of the size is useful, more than all of it useless."""
    if size <= 0:
        return "useless"
    return WORDS[int(error > size / 3 * (1 + 1e-9)) + int(error > size * (1 + 1e-9))]


def size_of(share: float) -> float:
    """A share, or half a standard deviation if that is less."""
    return min(share, sqrt(share * (1 - share)) / 2) if share < 1 else 1.0


def of_all(verdicts: list[str]) -> str:
    if all(each == "useful" for each in verdicts):
        return "useful"
    return "useless" if 2 * verdicts.count("useless") >= len(verdicts) else "coarse"


def random_shares(generator: np.random.Generator, size: int) -> np.ndarray:
    """Some common, some rare, some nobody's."""
    return generator.dirichlet(np.full(size, generator.choice([0.2, 1.0, 20.0])))


def column(name: str, size: int, kind: str, epsilon: str, **more: object) -> ColumnPlan:
    mechanism = mechanism_named(kind)(epsilon=Decimal(epsilon))
    domain = Categorical(values=tuple(f"c{number}" for number in range(size)))
    return ColumnPlan(
        name=name, kind="nominal", domain=domain, confirmed=True, role="protect",
        mechanism=mechanism, **more,
    )  # fmt: skip


def surveyed(seed: int) -> tuple[Plan, SurveyTable]:
    """A plan of two to five columns of categories, and a table of random answers."""
    generator = np.random.default_rng(seed)
    rows, total = int(generator.integers(300, 20_000)), float(generator.choice([0.5, 1.0, 4.0]))
    columns, texts = [], {}
    for number in range(int(generator.integers(2, 6))):
        size, kind = int(generator.integers(2, 12)), str(generator.choice(KINDS))
        columns.append(column(f"q{number}", size, kind, "1"))
        given = generator.choice(size, rows, p=random_shares(generator, size))
        texts[f"q{number}"] = [f"c{code}" for code in given]
    plan = Plan(columns=tuple(columns), respondents=rows)
    return resplit(plan, Decimal(total)), table_from_texts(texts)


def answers_of(table: SurveyTable, name: str) -> list[str]:
    """The text of each respondent."""
    texts = table.column(name)
    return [texts.distinct[code] for code in texts.codes[:].tolist()]


def judged_again(plan: Plan, table: SurveyTable, name: str) -> tuple[str, list[str], list[str]]:
    """The verdicts on a column of GRR, OUE or SUE that all report, and those without noise."""
    own, texts = plan.column(name), answers_of(table, name)
    p, q = chances(own.mechanism.kind, float(own.mechanism.epsilon), own.domain.size)
    verdicts, alone = [], []
    for value in own.domain.values:
        share = sum(text == value for text in texts) / table.rows
        support = share * p + (1 - share) * q
        noise = support * (1 - support) / (p - q) ** 2 - share * (1 - share)
        exact = (share * p * (1 - p) + (1 - share) * q * (1 - q)) / (p - q) ** 2
        assert noise == pytest.approx(exact, rel=1e-6)
        error = Z * sqrt((noise + share * (1 - share)) / table.rows)
        verdicts.append(verdict(error, size_of(share)))
        alone.append(verdict(Z * sqrt(share * (1 - share) / table.rows), size_of(share)))
    return of_all(verdicts), verdicts, alone


@pytest.mark.parametrize("seed", SEEDS)
def test_that_every_share_of_a_file_is_judged_by_itself(seed: int) -> None:
    plan, table = surveyed(seed)
    found = usefulness_of_records(with_counts_of(plan, table))
    useful = every = 0
    for name, worth in found.by_name.items():
        whole, verdicts, alone = judged_again(plan, table, name)
        assert worth.verdict == whole
        no_more = verdicts.count("useful") == alone.count("useful")
        assert (worth.reason.id == TOO_FEW) == (no_more and whole == of_all(alone) != "useful")
        assert tuple(worth.shares) == tuple(verdicts.count(word) for word in WORDS)
        assert worth.of_file
        assert len(set(verdicts)) == 1 or worth.shares.words in worth.reason
        useful, every = useful + verdicts.count("useful"), every + len(verdicts)
    assert (found.counts.useful, sum(found.counts)) == (useful, every)
    poor = {
        word: [n for n, worth in found.by_name.items() if worth.verdict == word] for word in WORDS
    }
    warned = {p.code for p in check(with_counts_of(plan, table)) if p.path == RECORDS_PATH}
    assert warned == {word for word in WORDS[1:] if poor[word]}


@pytest.mark.parametrize("seed", SEEDS)
def test_that_without_a_file_expected_shares_are_judged_each_by_itself(seed: int) -> None:
    generator = np.random.default_rng(100 + seed)
    size, rows = int(generator.integers(2, 9)), int(generator.integers(300, 50_000))
    weights = generator.integers(0, 50, size)
    weights[0] += 1
    expected = tuple(map(Decimal, weights.tolist()))
    own = column("q", size, "grr", "1.5", expected=expected)
    found = usefulness_of_records(Plan(columns=(own,), respondents=rows)).by_name["q"]
    p, q = chances("grr", 1.5, size)
    verdicts = []
    for share in weights / weights.sum():
        support = share * p + (1 - share) * q
        verdicts.append(verdict(Z * sqrt(support * (1 - support) / rows) / (p - q), size_of(share)))
    assert tuple(found.shares) == tuple(verdicts.count(word) for word in WORDS)
    assert found.verdict == of_all(verdicts)


def test_that_a_rare_yes_is_useless_in_its_file_and_asked_for_without_it() -> None:
    """30,000 rows with 1 % yes at epsilon 1: 1 % +- 1.1 tells nothing of them."""
    own = column("used", 2, "warner", "1")
    plan = Plan(columns=(own,), respondents=30_000)
    table = table_from_texts({"used": ["c1" if i % 100 == 0 else "c0" for i in range(30_000)]})
    worth = usefulness_of_records(with_counts_of(plan, table)).by_name["used"]
    assert (worth.verdict, tuple(worth.shares)) == ("useless", (1, 0, 1))
    asked = [p for p in check(plan) if p.code == "no_prevalence"]
    assert [problem.path for problem in asked] == ["columns.used.expected"]
    stated = plan.with_column("used", expected=(Decimal(99), Decimal(1)))
    codes = [problem.code for problem in check(stated)]
    assert "useless" in codes
    assert "no_prevalence" not in codes + [p.code for p in check(with_counts_of(plan, table))]


@pytest.mark.parametrize("seed", SEEDS)
def test_that_a_mean_of_a_file_has_the_error_and_the_verdict_of_its_own_numbers(seed: int) -> None:
    generator = np.random.default_rng(200 + seed)
    rows, upper = int(generator.integers(300, 5000)), int(generator.choice([10, 100, 900]))
    kind = str(generator.choice(["duchi", "piecewise", "laplace"]))
    answers = np.rint(upper * generator.beta(*generator.uniform(0.3, 30, 2), rows)).astype(int)
    mechanism = mechanism_named(kind)(epsilon=Decimal(str(generator.choice(["0.3", "1", "4"]))))
    domain = Integer(lower=0, upper=upper)
    own = ColumnPlan(
        name="n", kind="integer", domain=domain, confirmed=True, role="protect", mechanism=mechanism
    )
    table = table_from_texts({"n": list(map(str, answers))})
    found = usefulness_of_records(with_counts_of(Plan(columns=(own,)), table)).by_name["n"]
    first, second = mechanism.bind(domain).report_moments(answers).T
    error = Z * sqrt(((second - first**2).mean() + answers.var()) / rows)
    mean, spread = float(answers.mean()), float(answers.std())
    of_bounds = upper * sqrt((upper + 2) / (12 * upper)) / 2
    of_numbers = mean if mean >= spread / 2 else spread / 2
    sizes = [size or 1.0 for size in (min(mean, upper - mean), of_numbers)]
    # Of more than 256 numbers neighbours stand for each other.
    assert found.error == pytest.approx(error, rel=1e-4)
    assert found.unprotected == pytest.approx(Z * spread / sqrt(rows), abs=1e-9)
    assert found.verdict == verdict(error, min(*sizes, of_bounds))


def useful_part(worth: Usefulness) -> tuple[int, float]:
    """What a worth is compared by: the verdict, then the part of the estimates that is useful."""
    counts = worth.shares or [float(worth.verdict == word) for word in WORDS]
    return WORDS.index(worth.verdict), -counts[0] / sum(counts)


def changed_by(plan: Plan, name: str, remedy: object) -> Plan | None:
    """The plan that a remedy makes; None where its words leave more than one."""
    own, said = plan.column(name), remedy.action
    if remedy.kind == "mechanism":
        return choose_best(plan, name)
    if remedy.kind == "strategy":
        return choose_best(resplit(plan.with_fields(strategy="smp"), total_epsilon(plan)))
    if remedy.kind == "epsilon":
        larger = own.mechanism.model_copy(update={"epsilon": Decimal(said.values["epsilon"])})
        return choose_best(plan.with_column(name, mechanism=larger), name)
    if remedy.kind == "respondents":
        return plan.with_fields(respondents=said.values["people"])
    if said.id == "plan.fewer":
        kept = said.values["fewer"]
        others = [each.name for each in plan.protected if each.name != name][: kept - 1]
        total = total_epsilon(plan)
        for each in plan.protected:
            if each.name not in (name, *others):
                plan = plan.with_column(each.name, role="drop")
        return choose_best(resplit(plan, total))
    return None


@pytest.mark.parametrize("with_file", [True, False])
def test_that_every_remedy_keeps_what_it_promises(with_file: bool) -> None:
    tried: dict[str, int] = {}
    for seed in range(30):
        plan, table = surveyed(300 + seed)
        plan = with_counts_of(plan, table) if with_file else plan
        for own in plan.protected:
            for remedy in remedies(plan, own):
                after = changed_by(plan, own.name, remedy)
                if after is None:
                    continue
                # A change of the plan keeps what was counted.
                after = with_counts_of(after, table) if with_file else after
                tried[remedy.kind] = tried.get(remedy.kind, 0) + 1
                found = usefulness_of_records(after).by_name[own.name]
                assert useful_part(found) == useful_part(remedy.gives), remedy.action
                assert found.error == pytest.approx(remedy.gives.error, rel=1e-3)
    assert {"mechanism", "strategy", "fewer", "epsilon"} <= tried.keys()
    assert min(tried.values()) > 5


@pytest.mark.parametrize("with_file", [True, False])
def test_that_what_is_offered_is_better_than_what_there_is(with_file: bool) -> None:
    offered = 0
    for seed in range(40):
        plan, table = surveyed(400 + seed)
        plan = with_counts_of(plan, table) if with_file else plan
        for own in plan.protected:
            now = usefulness_of_column(own, plan.sampling, plan.judged_respondents)
            best = cheapest_remedy(plan, own.name)
            assert best is None or now.verdict != "useful"
            if best is not None:
                offered += 1
                assert useful_part(best.gives) < useful_part(now)
                continue
            some = [r for r in remedies(plan, own) if useful_part(r.gives) < useful_part(now)]
            assert now.verdict == "useful" or not some
    assert offered > 20


def test_that_a_remedy_that_stays_useless_is_not_offered() -> None:
    """Of a hundred people no change of this plan makes a share of one in 40 better than useless."""
    plan = Plan(columns=(column("q", 40, "grr", "0.05"),), respondents=100)
    table = table_from_texts({"q": [f"c{i % 40}" for i in range(100)]})
    judged = with_counts_of(plan, table).with_fields(reading=table.reading)
    offered = list(remedies(judged, judged.column("q")))
    assert offered
    assert {remedy.gives.verdict for remedy in offered} == {"useless"}
    assert cheapest_remedy(judged, "q") is None


def test_that_one_answer_of_each_is_told_by_the_estimates_that_it_makes_useful() -> None:
    said = {"attributes": 0, "estimates": 0, "nothing": 0}
    for seed in range(20):
        plan, table = surveyed(500 + seed)
        judged = with_counts_of(plan, table)
        before = usefulness_of_records(judged).by_name
        poor = [name for name, worth in before.items() if worth.verdict != "useful"]
        words = one_answer_for_most(judged, poor)
        if len(poor) < 2:
            assert words == ""
            continue
        sampled = choose_best(resplit(plan.with_fields(strategy="smp"), total_epsilon(plan)))
        after = usefulness_of_records(with_counts_of(sampled, table)).by_name
        numbers = [v for key, v in getattr(words, "values", {}).items() if key != "action"]
        useful = sum(after[name].verdict == "useful" for name in poor)
        first, then = (sum(each[name].counts.useful for name in poor) for each in (before, after))
        every = sum(sum(after[name].counts) for name in poor)
        if 2 * useful >= len(poor):
            kind, expected = "attributes", [useful, len(poor)]
        elif then > first:
            kind, expected = "estimates", [then, every, first]
        else:
            kind, expected = "nothing", []
        said[kind] += 1
        assert numbers == expected
        assert (words == "") == (kind == "nothing")
    assert said["estimates"] > 3
    assert min(said.values()) > 0, said


@pytest.mark.parametrize("seed", SEEDS)
def test_that_slopes_are_compared_with_the_difference_that_they_make(seed: int) -> None:
    """With numbers two standard deviations apart, with groups by one; all by the file."""
    generator = np.random.default_rng(600 + seed)
    rows = int(generator.integers(300, 3000))
    numbers = {
        name: np.rint(100 * generator.beta(*generator.uniform(0.5, 9, 2), rows)).astype(int)
        for name in ("y", "x")
    }
    group = generator.choice(3, rows, p=[0.6, 0.3, 0.1])
    law = mechanism_named("piecewise")(epsilon=Decimal(str(generator.choice(["1", "4", "12"]))))
    domain = Integer(lower=0, upper=100)
    of_numbers = [
        ColumnPlan(
            name=name, kind="integer", domain=domain, confirmed=True, role="protect", mechanism=law
        )
        for name in numbers
    ]
    kept = column("g", 3, "grr", "1").changed(role="keep", mechanism=None, keep_confirmed=True)
    texts = {name: list(map(str, given)) for name, given in numbers.items()}
    table = table_from_texts(texts | {"g": [f"c{code}" for code in group]})
    plan = with_counts_of(Plan(columns=(*of_numbers, kept), respondents=rows), table)
    spread = {}
    for name, given in numbers.items():
        first, second = law.bind(domain).report_moments(given).T
        spread[name] = (second - first**2).mean() + given.var()
    stated = wanted_analysis(plan, "y ~ x").error
    found = stated.usefulness
    deviations = {name: float(given.std()) for name, given in numbers.items()}
    error = Z * sqrt(spread["y"] * spread["x"] / rows) / deviations["x"] ** 2
    size = deviations["y"] / 2 / (2 * deviations["x"])
    assert (stated.error_95, found.error) == pytest.approx((error, error), rel=1e-6)
    assert found.size == pytest.approx(size, rel=1e-6)
    assert found.verdict == verdict(error, size)
    # The groups of a column that is kept have their shares of the file, too.
    by_group = wanted_analysis(plan, "y ~ g").error.usefulness
    of_shares = [share * (1 - share) for share in np.bincount(group, minlength=3) / rows]
    error = Z * sqrt(spread["y"] / min(of_shares) / rows)
    assert by_group.error == pytest.approx(error, rel=1e-6)
    assert by_group.size == pytest.approx(deviations["y"] / 2, rel=1e-6)
    errors = [Z * sqrt(spread["y"] / share / rows) for share in of_shares]
    assert by_group.verdict == of_all([verdict(each, deviations["y"] / 2) for each in errors])


@pytest.mark.parametrize("seed", SEEDS)
def test_that_every_cell_of_a_table_is_judged_by_its_own_share(seed: int) -> None:
    plan, table = surveyed(700 + seed)
    judged = with_counts_of(plan, table)
    found = wanted_analysis(judged, "q0 x q1").error.usefulness
    scores = []
    for name in ("q0", "q1"):
        own, texts = plan.column(name), answers_of(table, name)
        p, q = chances(own.mechanism.kind, float(own.mechanism.epsilon), own.domain.size)
        shares = [sum(t == value for t in texts) / table.rows for value in own.domain.values]
        supports = [share * p + (1 - share) * q for share in shares]
        scores.append([
            (share, support * (1 - support) / (p - q) ** 2 + share**2)
            for share, support in zip(shares, supports, strict=True)
        ])  # fmt: skip
    verdicts = [
        verdict(Z * sqrt((s1 * s2 - (f1 * f2) ** 2) / table.rows), size_of(f1 * f2))
        for f1, s1 in scores[0]
        for f2, s2 in scores[1]
    ]
    assert tuple(found.counts) == tuple(verdicts.count(word) for word in WORDS)
    assert found.verdict == of_all(verdicts)
    assert found.of_file
    assert not wanted_analysis(plan, "q0 x q1").error.usefulness.of_file


def test_that_a_better_strategy_has_the_errors_that_are_said() -> None:
    told = 0
    # At a large budget the noise is little, and one answer of each is lost precision.
    for seed, total in product(range(20), (0, 24)):
        plan, _ = surveyed(800 + seed)
        plan = choose_best(resplit(plan, Decimal(total)) if total else plan)
        sampled = choose_best(resplit(plan.with_fields(strategy="smp"), total_epsilon(plan)))
        now, then = (usefulness_of_records(one).by_name for one in (plan, sampled))
        gains = sorted(then[name].error / now[name].error for name in now)
        better = better_strategy(plan)
        if better is None:
            assert gains[len(gains) // 2] > 1 / 1.06
            continue
        told += 1
        assert gains[len(gains) // 2] < 1
        assert total_epsilon(better.plan) == total_epsilon(plan)
        assert better.then == then[better.name]
        assert better.now == now[better.name]
        assert better.now.error > 1.04 * better.then.error
        assert better_strategy(better.plan) is None
        assert better_strategy(plan.with_fields(purpose="tables")) is None
    assert told > 10


def test_that_what_is_0_is_told_from_nothing_by_no_error() -> None:
    own = column("q", 3, "grr", "4", expected=(Decimal(1), Decimal(1), Decimal(0)))
    found = usefulness_of_records(Plan(columns=(own,), respondents=10**9)).by_name["q"]
    assert tuple(found.shares) == (2, 0, 1)
    assert found.ratio < inf


def test_that_respondents_are_too_few_only_where_protection_makes_no_share_less_useful() -> None:
    random, seen = np.random.default_rng(5), set()
    for _ in range(2_000):
        shares = random.dirichlet(np.ones(random.integers(2, 7)) / 2)
        alone = Z * np.sqrt(shares * (1 - shares) / random.integers(30, 3_000))
        errors = alone * random.choice([1.0, 1.2, 3.0])
        found = usefulness_of_shares("a share", shares, errors, alone)
        with_it, without = (
            [verdict(error, size_of(share)) for error, share in zip(each, shares, strict=True)]
            for each in (errors, alone)
        )
        seen.add(found.is_of_few_respondents)
        if found.is_of_few_respondents:
            assert with_it.count("useful") == without.count("useful") < len(shares)
    assert seen == {True, False}


@pytest.mark.parametrize("seed", SEEDS)
def test_that_a_released_mean_is_judged_by_its_own_errors(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    domain = Integer(lower=0, upper=int(drawn.choice([10, 100])))
    law = mechanism_named("piecewise")(epsilon=Decimal(2))
    mean, error = float(drawn.uniform(0, domain.upper)), float(10 ** drawn.uniform(-2, 1.5))
    alone = error * float(drawn.uniform(0.1, 1))
    released = ReleasedMean(mean, error, alone)
    found = usefulness_of(law, domain, Sampling("spl", 1), 500.0, released=released)
    of_bounds = domain.upper * sqrt((domain.upper + 2) / (12 * domain.upper)) / 2
    size = min(mean, domain.upper - mean, of_bounds)
    assert (found.error, found.unprotected) == (error, alone)
    assert found.size == pytest.approx(size)
    assert found.verdict == verdict(error, size)
    theirs = verdict(error, size) == verdict(alone, size) != "useful"
    assert (found.reason.id == TOO_FEW) == theirs


@pytest.mark.parametrize("seed", SEEDS)
def test_that_whoever_protects_several_is_told_what_fewer_would_give(seed: int) -> None:
    """The most that stay useful at the same total, or the one alone."""
    plan, _ = surveyed(1100 + seed)
    for number in range(1, len(plan.columns) + 1):
        some = resplit(plan.with_fields(columns=plan.columns[:number]), Decimal(1))
        offered = {remedy.kind: remedy for remedy in remedies(some, some.protected[0])}
        assert ("fewer" in offered) == (number > 1)


def test_that_of_nothing_no_estimate_is_counted() -> None:
    kept = column("q", 3, "grr", "1").changed(role="keep", mechanism=None, keep_confirmed=True)
    assert tuple(usefulness_of_records(Plan(columns=(kept,))).counts) == (0, 0, 0)
    assert "no_prevalence" not in {problem.code for problem in check(Plan(columns=(kept,)))}


@pytest.mark.parametrize("seed", range(6))
def test_that_counts_and_shares_of_a_trusted_file_are_judged_by_the_file(seed: int) -> None:
    """Before by the answers counted in it, afterwards by what was released; never by even ones."""
    plan, table = surveyed(1200 + seed)
    first, second = (plan.columns[at].name for at in (0, 1))
    asked = (f"count by {first}", f"count by {first}, {second}", f"share with {second} is c1")
    queries = tuple(parse_query(text, epsilon=Decimal("0.3")) for text in asked)
    unit = PrivacyUnit(relation="replace")
    plan = plan.with_fields(statistics=Statistics(queries=queries, unit=unit))
    found = usefulness_of_statistics(with_counts_of(plan, table))
    shares = {
        name: [answers_of(table, name).count(value) / table.rows for value in domain.values]
        for name, domain in ((one.name, one.domain) for one in plan.columns)
    }
    cells = [
        shares[first],
        np.outer(shares[first], shares[second]).ravel().tolist(),
        [shares[second][1]],
    ]
    for place, own in enumerate(cells):
        worth = found.by_name[place]
        scale = 100 if place == 2 else table.rows
        verdicts = [verdict(worth.error, scale * size_of(share)) for share in own]
        assert tuple(worth.counts) == tuple(verdicts.count(word) for word in WORDS), asked[place]
        assert worth.verdict == of_all(verdicts)
    released = release_statistics(table, plan, untracked())
    for result, scale in zip(released.results, (table.rows, table.rows, 100), strict=True):
        facts = query_facts(result, 0.95, table.rows)
        verdicts = [
            verdict((one.upper - one.lower) / 2, scale * size_of(max(one.value, 0) / scale))
            for one in result.statistics
        ]
        assert facts.usefulness == of_all(verdicts)
