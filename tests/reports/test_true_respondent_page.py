"""The page for respondents, against enumerated records and against the laws of the noise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from math import exp, log, sqrt

import pytest

from dpdesk.domains import OptionSet
from dpdesk.i18n import Text, joined
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import MissingPolicy, Plan
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.verdicts import RATINGS
from dpdesk.preview import highest_belief_text, posterior
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.phrase import parse_query
from dpdesk.reports.budget import EarlierRelease, EarlierReleases
from dpdesk.reports.public import public_report, report_html
from dpdesk.reports.respondent_page import HOUSEHOLD, even_odds
from dpdesk.reports.statistics.public import StatisticsReport, statistics_report_html
from dpdesk.reports.texts import T
from tests.reports.asked import asked_plan
from tests.reports.cases import (
    AGES,
    COLUMNS,
    IDENTITY,
    KEPT,
    SCALE,
    WEIGHT,
    plan_of,
    protected,
    released_of,
    report_of,
    whole_html,
)
from tests.reports.test_true_sentences import CASES, plan_for
from tests.reports.test_true_statistics import UNITS
from tests.reports.test_true_statistics import report_of as statistics_of
from tests.reports.true_numbers import (
    is_rounded_up,
    law_of,
    losses_of,
    number,
    numbers_after,
    plain,
    records_of,
    released_by,
)
from tests.texts import is_said, only_said, values_in

Z = 1.959963984540054
STRENGTHS = {3: "strong", 20: "moderate", 1_000: "weak", float("inf"): "very weak"}


def share_of(values: dict[str, str]) -> float:
    """The per cent of a belief, as a share."""
    text = values["belief"].removesuffix(" %")
    return 1.0 if text.startswith("more than") else float(text) / 100


def is_belief(stated: float, loss: float) -> bool:
    """Whether a belief is stated as no less than even odds become, and little more."""
    return is_rounded_up(stated, exp(loss) / (exp(loss) + 1), 0.0100001)


def is_strength(odds: float, values: dict[str, str]) -> bool:
    """Whether the word for the strength is the one that goes with the odds."""
    right = next(word for most, word in STRENGTHS.items() if odds <= most * (1 + 1e-9))
    return values["strength"] == right


def only(entry: Text, sentences: Iterable[str]) -> dict[str, str]:
    """The values of an entry that one of the sentences says, once."""
    (found,) = [values for sentence in sentences for values in values_in(entry, sentence)]
    return found


@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_that_what_is_learnt_at_worst_is_that_of_the_enumerated_records(case) -> None:
    plan = plan_for(*case)
    losses, page = losses_of(plan), report_of(released_by(plan)).for_respondents
    worst = only(T.WORST, page.worst[:1])
    assert is_belief(share_of(worst), losses.record)
    assert is_strength(exp(losses.record), worst)
    ratio = number(only(T.WORST_RATIO, page.worst[:1])["ratio"])
    assert is_rounded_up(ratio, exp(losses.record), 0.0102 * exp(losses.record))
    alone = [values for text in page.worst for values in values_in(T.WORST_OF_ONE, text)]
    if len(plan.protected) > 1 and plan.strategy == "spl":
        assert len(alone) == 1
    for values in alone:
        assert is_belief(share_of(values), losses.largest_alone)
        assert is_strength(exp(losses.largest_alone), values)
    if not alone:
        assert losses.largest_alone == pytest.approx(losses.record, abs=2e-6)
    household = only(T.HOUSEHOLD, page.worst)
    assert household["members"] == str(HOUSEHOLD)
    assert is_belief(share_of(household), HOUSEHOLD * losses.record)
    assert page.worst[-1] == T.MORE_RELEASES()


@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_that_what_was_done_to_each_answer_is_what_its_law_does(case) -> None:
    plan = plan_for(*case)
    page = report_of(released_by(plan)).for_respondents
    several = len(plan.protected) > 1
    holds = {
        T.EACH_RANDOMIZED: plan.strategy == "spl" or not several,
        T.DRAWN_RANDOMIZED: plan.strategy != "spl" and several,
        T.OTHERS_EMPTY: plan.strategy == "smp" and several,
        T.OTHERS_FAKE: plan.strategy in {"rsfd", "rsrfd"} and several,
    }
    assert only_said(holds, page.done) == [text for text in holds if holds[text]]
    named = [name for row in page.answers for name in re.findall("“(.*?)”", row.of)]
    assert sorted(named) == sorted(column.name for column in plan.protected)
    by_name = {column.name: column for column in plan.protected}
    for row in page.answers:
        columns = [by_name[name] for name in re.findall("“(.*?)”", row.of)]
        if columns[0].mechanism.kind not in {"grr", "warner"}:
            continue
        chances = [100 * law_of(column)[0, 0] for column in columns]
        (text,) = re.findall(r"About ([\d.]+)(?: to ([\d.]+))? of 100( real)? reports", row.what)
        assert float(text[0]) == pytest.approx(min(chances), abs=0.51)
        assert float(text[1] or text[0]) == pytest.approx(max(chances), abs=0.51)
        assert bool(text[2]) == holds[T.OTHERS_FAKE]


@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_that_every_set_of_answers_could_have_given_every_row(case) -> None:
    plan = plan_for(*case)
    (sure, _, *_) = report_of(released_by(plan)).for_respondents.hidden
    assert sure == T.CERTAINTY()
    chances, _ = records_of(plan)
    assert ((chances > 0) == (chances[:1] > 0)).all()


@pytest.mark.parametrize("kept", [(), (KEPT,)])
def test_that_what_is_not_hidden_is_named(kept) -> None:
    for strategy in ("spl", "smp"):
        released = released_of(plan_of(*COLUMNS[:1], COLUMNS[3], *kept, strategy=strategy))
        page = report_of(released).for_respondents
        text = " ".join((*page.asked, *page.not_hidden))
        assert text.count("“region”") == 2 * len(kept)
        assert is_said(T.HOLDS_EXACT, page.asked) == bool(kept)
        assert (T.WHICH_DRAWN() in page.not_hidden) == (strategy == "smp")
        assert T.ANSWERED_BY(count=released.rows) in page.asked[0]
        assert T.TOOK_PART(rows=released.rows) in page.not_hidden
        assert "“Ever smoked” and “food”" in page.asked[0]


def test_that_a_survey_weight_is_no_answer() -> None:
    page = report_of(released_of(plan_of(COLUMNS[0], KEPT, WEIGHT))).for_respondents
    for sentence in (*page.asked, *page.not_hidden):
        if "“wt”" in sentence:
            assert "answer" not in sentence
            assert "urvey weight" in sentence
    assert sum("“wt”" in sentence for sentence in page.asked) == 1
    assert sum("“wt”" in sentence for sentence in page.not_hidden) == 1


def test_that_no_certainty_is_promised_for_what_a_released_column_tells() -> None:
    bare, kept = (
        report_of(released_of(plan_of(COLUMNS[0], *more))).for_respondents
        for more in ((), (KEPT, WEIGHT))
    )
    assert T.UNLESS_KEPT(names="“region” and “wt”") in kept.hidden
    assert not is_said(T.UNLESS_KEPT, bare.hidden)


def test_that_reports_of_sets_agree_option_by_option() -> None:
    options = OptionSet(values=("TV", "Web", "Radio", "Press"))
    mechanism = mechanism_named("set_response")(epsilon="2", asked=2)
    media = protected("media", "several", options, "set_response", "2")
    released = released_of(plan_of(media.changed(mechanism=mechanism)))
    (row,) = report_of(released).for_respondents.answers
    # Wrong at one option: two of the three other combinations of two.
    each = 100 * (1 - 2 / (exp(2) + 3))
    (agree,) = numbers_after("About ", row.what)
    assert agree == pytest.approx(each, abs=0.51)
    assert "of 100 reports on any one option agree with the true answer to it" in row.what


def test_that_reports_of_several_categories_only_name_the_answer_among_others() -> None:
    (row,) = report_of(released_of(plan_of(COLUMNS[3]))).for_respondents.answers
    assert "About 50 of 100 reports name the true answer, alone or among others." in row.what


def test_that_whether_somebody_answered_is_said_to_be_hidden_where_it_goes_through_chance() -> None:
    number = protected("weeks", "integer", AGES, "bounded_laplace", "2")
    for policy, value, hides in (("protect", "", True), ("value", "50", True),
                                 ("none", "", False), ("blank", "", False)):  # fmt: skip
        missing = MissingPolicy(policy=policy, value=value)
        page = report_of(released_of(plan_of(number.changed(missing=missing)))).for_respondents
        assert (T.WHETHER_ANSWERED(names="“weeks”") in page.hidden) == hides
        assert (T.YOUR_BLANKS(names="“weeks”") in page.not_hidden) == (policy == "blank")


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd"])
def test_that_no_answer_is_said_to_be_changed_that_may_have_stayed(strategy: str) -> None:
    page = report_of(released_of(plan_of(*COLUMNS[:1], COLUMNS[3], strategy=strategy)))
    text = page.for_respondents.model_dump_json()
    assert "changed" not in text
    assert "Chance changes" not in text
    randomized = only_said((T.EACH_RANDOMIZED, T.DRAWN_RANDOMIZED), page.for_respondents.done)
    assert len(randomized) == 1


def test_that_the_page_counts_the_verdicts_of_the_parameters() -> None:
    seen = set()
    for epsilon in ("0.05", "0.7", "4"):
        columns = tuple(
            protected(name, "ordinal", SCALE, "grr", epsilon_of)
            for name, epsilon_of in (("a", epsilon), ("b", "0.01"), ("c", "8"))
        )
        report = report_of(released_of(plan_of(*columns)))
        verdicts = [a.usefulness for a in report.parameters.attributes]
        counts = only(T.USEFUL, report.for_respondents.good_for)["counts"]
        words = [f"{verdicts.count(verdict)} {rating()}" for verdict, rating in RATINGS.items()]
        assert counts == joined(words)
        seen.update(verdicts)
    assert seen == {"useful", "coarse", "useless"}


def test_that_the_errors_are_the_least_and_the_largest_that_are_expected() -> None:
    report = report_of(released_of(plan_of(*COLUMNS)))
    good_for = report.for_respondents.good_for
    shares, means = only(T.SHARES_WITHIN, good_for), only(T.MEANS_WITHIN, good_for)["names"]
    low, high = shares["least"].removeprefix("± "), shares["most"].removeprefix("± ")
    # Warner at 1 on a half; and SUE at 1/2 on a quarter, by the papers' variances.
    p = exp(1) / (exp(1) + 1)
    root = exp(0.25)
    expected = {
        "warner": Z * sqrt(0.25 / 1_000) / (2 * p - 1),
        "sue": Z * sqrt((root / (root - 1) ** 2 + 0.25 * 0.75) / 1_000),
    }
    assert float(high) == pytest.approx(100 * expected["sue"], rel=0.051)
    assert float(low) <= 100 * expected["warner"] * 1.051
    assert "“age” ± " in means
    assert "“income” ± " in means
    assert "years" in means


def test_that_earlier_releases_are_added() -> None:
    day = IDENTITY.date
    before = EarlierRelease(
        date=day, kind="records", model="local", epsilon=Decimal("0.25"), delta="0"
    )
    earlier = EarlierReleases(
        population="a town", ledger_since=day, releases=(before, before), local=Decimal("3.5"),
        central=Decimal(1), central_delta="0", total=Decimal("5.5"), model="local", cap=None,
        left=None,
    )  # fmt: skip
    released = released_of(plan_of(*COLUMNS[:2]))
    page = public_report(released, IDENTITY, earlier).for_respondents
    assert only(T.EARLIER, page.worst) == {"count": str(len(earlier.releases))}
    assert is_belief(share_of(only(T.EARLIER_WORST, page.worst)), float(earlier.total or 0))
    assert T.MORE_RELEASES() not in page.worst


@pytest.mark.parametrize("epsilon", ["0.0001", "0.1", "1", "3", "4.6", "8", "9.3", "12", "40"])
def test_that_a_belief_is_rounded_up_and_never_to_certainty(epsilon: str) -> None:
    text = plain(even_odds(Decimal(epsilon)))
    exact = 100 / (1 + exp(-float(epsilon)))
    if text.startswith("more than"):
        assert exact > 99.99
        return
    assert is_rounded_up(number(text.removesuffix(" %")), exact, 1)
    assert number(text.removesuffix(" %")) < 100


@pytest.mark.parametrize(("epsilon", "most"), [("0.5", "62.3 %"), ("4", "98.3 %")])
def test_that_every_page_rounds_the_same_belief_up_to_the_same_digits(epsilon, most) -> None:
    # 62.246 % and 98.201 %.
    column = COLUMNS[0]
    mechanism = mechanism_named("warner")(epsilon=epsilon)
    report = report_of(released_of(plan_of(column.changed(mechanism=mechanism))))
    assert only(T.WORST, report.for_respondents.worst)["belief"] == most
    assert only(T.BELIEF, [report.risk.record.sentence])["belief"] == most
    html = plain(whole_html(report))
    risk = html[html.index("Reading the risk") : html.index("Members of a group")]
    assert risk.count(f'<td class="n">{most}</td></tr>') == risk.count("</td></tr>") == 2
    assert highest_belief_text(posterior(0.5, float(epsilon))) == most


def test_that_a_strength_is_that_of_its_odds() -> None:
    for odds in (1.1, 2.9, 3.1, 19, 21, 999, 1_001, 10**9):
        mechanism = mechanism_named("grr")(epsilon=repr(round(log(odds), 9)))
        page = report_of(released_of(plan_of(COLUMNS[0].changed(mechanism=mechanism))))
        assert is_strength(odds, only(T.WORST, page.for_respondents.worst))


def statistics_plan(unit: PrivacyUnit, delta: str, noise: str) -> Plan:
    queries = tuple(
        parse_query(phrase, epsilon=Decimal("0.3"), noise=noise, delta=Decimal(delta))
        for phrase in ("count where sex is f", "most frequent region")
    )
    return asked_plan(unit).with_fields(statistics=Statistics(unit=unit, queries=queries))


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}, {u.rows_per_respondent}")
@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian"])
def test_that_statistics_tell_respondents_what_their_relation_bounds(
    noise: str, unit: PrivacyUnit
) -> None:
    fails = noise == "discrete_gaussian"
    report: StatisticsReport = statistics_of(statistics_plan(unit, "1e-6" if fails else "0", noise))
    page, adds = report.for_respondents, unit.relation == "add_remove"
    text = T.WORST_OF_MEMBER if adds else T.WORST_OF_ANSWERS
    worst = only(text, page.worst[:1])
    assert is_belief(share_of(worst), 0.6)
    assert is_strength(exp(0.6), worst)
    exceptions = [values_in(T.RARE_EXCEPTIONS, one) for one in page.worst]
    assert exceptions[0] == ([{"delta": "1e-6"}] if fails else [])
    assert all(bool(one) == fails for one in exceptions[:-1])
    # From one set of answers to none, and from none to the other.
    known = [v for one in page.worst for v in values_in(T.WORST_OF_KNOWN_MEMBER, one)]
    assert len(known) == adds
    assert all(is_belief(share_of(values), 1.2) for values in known)
    household = only(T.HOUSEHOLD_IN_FILE if adds else T.HOUSEHOLD, page.worst)
    assert is_belief(share_of(household), HOUSEHOLD * 0.6)
    public = unit.relation == "replace" and unit.rows_per_respondent == 1
    assert page.asked[0] == (T.ROWS_IN_FILE(rows=60) if public else T.ROWS_PROTECTED())
    assert page.asked[1] == T.STATISTICS_RELEASED(count=2)
    count, chosen = page.answers
    assert chosen.what == T.CHOSEN()
    within = only(T.NOISE_WITHIN, [count.what])
    (half,) = numbers_after("± ", within["amounts"])
    if not fails:
        # Discrete Laplace noise of scale rows / epsilon: the least reach that holds 95 of 100.
        r = exp(-0.3 / (unit.rows_per_respondent))
        if adds or unit.rows_per_respondent == 1:
            reach = next(k for k in range(400) if 1 - 2 * r ** (k + 1) / (1 + r) >= 0.95)
            assert half == reach
    assert within["cases"] == "95"


def test_that_both_reports_begin_with_the_page_for_respondents() -> None:
    records = report_html(report_of(released_of(plan_of(*COLUMNS))))
    statistics = statistics_report_html(statistics_of(statistics_plan(UNITS[0], "0", "geometric")))
    for html in (records, statistics):
        heads = re.findall(r"<h2>(.*?)</h2>", html)
        assert heads == ["For respondents: what this means for you", "Results"]
        start = html.index("For respondents")
        lay = html[start : html.index("<h2>Results")]
        for technical in ("ε", "epsilon", "variance", "<sup>", "mechanism"):
            assert technical not in lay


def test_that_no_page_calls_a_standard_error_an_error() -> None:
    html = whole_html(report_of(released_of(plan_of(*COLUMNS))))
    assert "Total error" not in html
    heads = re.findall(r"<th[^>]*>([^<]*error[^<]*)</th>", html)
    assert heads
    assert all("95 % error" in head or "tandard error" in head for head in heads)
