from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from math import exp, sqrt

import pytest

from dpdesk.domains import Categorical, Real
from dpdesk.plan import ColumnPlan, PlanDetails
from dpdesk.reports.identity import new_identity
from dpdesk.reports.pdf import pdf_of_page
from dpdesk.reports.public import public_report, report_html
from tests.reports.cases import (
    COLUMNS,
    DROPPED,
    HOSTILE,
    KEPT,
    counted,
    plan_of,
    protected,
    released_of,
    report_of,
    whole_html,
)

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: tags that do not match, attributes and text are kept."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: list[str] = []
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} closes nothing, or another tag")

    def handle_data(self, data) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def hostile_report() -> str:
    """A page in which every text that a user can give is hostile."""
    names = iter(f"{text} {i}" for i in range(100) for text in HOSTILE)
    domain = Categorical(
        values=(values := tuple(next(names) for _ in range(4))),
        labels={value: next(names) for value in values[:2]},
    )
    numbers = Real(lower=0, upper=1, resolution="0.1", unit=next(names))
    columns = [
        protected(next(names), "nominal", domain, "grr", "1", label=next(names), other=next(names)),
        protected(next(names), "nominal", domain, "oue", "1", note=next(names)),
        protected(next(names), "real", numbers, "duchi", "1", label=next(names)),
        ColumnPlan(name=next(names), kind="nominal", role="keep", keep_confirmed=True),
    ]
    details = PlanDetails(**{field: next(names) for field in PlanDetails.model_fields})
    plan = plan_of(*columns, details=details)
    return whole_html(public_report(released_of(plan), new_identity(plan)))


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(whole_html(report_of(released_of(plan_of(*COLUMNS, KEPT, DROPPED)))))


@pytest.fixture(scope="module")
def hostile() -> Page:
    return Page(hostile_report())


def test_that_the_pages_tags_match(page, hostile) -> None:
    assert page.faults == []
    assert hostile.faults == []


def test_that_the_page_holds_nothing_that_runs_or_loads(page, hostile) -> None:
    for one in (page, hostile):
        assert not {
            "script",
            "link",
            "img",
            "iframe",
            "object",
            "embed",
            "a",
            "form",
            "base",
        } & set(one.tags)
        assert not [a for a in one.attributes if a[1].startswith("on") or a[1] in {"src", "href"}]
        assert not [a for a in one.attributes if a[1] == "style"]


def test_that_the_style_sheet_loads_nothing() -> None:
    text = whole_html(report_of(released_of(plan_of(*COLUMNS))))
    (style, _) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert "url(" not in style
    assert "@import" not in style
    assert "expression" not in style


def test_that_the_content_policy_allows_styles_and_embedded_pictures_alone(page) -> None:
    policies = [
        value for tag, name, value in page.attributes if tag == "meta" and name == "content"
    ]
    (policy,) = {p for p in policies if p and "default-src" in p}
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert ("meta", "http-equiv", "Content-Security-Policy") in page.attributes


@pytest.mark.parametrize("text", HOSTILE)
def test_that_hostile_names_and_labels_appear_literally(text, hostile) -> None:
    # Each of the texts was used with several numbers behind it, in names, labels, notes, units.
    assert len(set(re.findall(re.escape(text) + r" \d+", hostile.text))) >= 4


def test_that_every_text_of_the_plan_stands_in_the_page(page) -> None:
    for expected in (
        "Ever smoked",
        "Yes, ever",
        "(no answer)",
        "Sensitive.",
        "An office",
        "region",
    ):
        assert expected in page.text


def test_that_control_characters_become_visible_and_the_page_stays_text() -> None:
    column = COLUMNS[0].model_copy(update={"label": "a\x00b\x1bc\x85d"})
    text = whole_html(report_of(released_of(plan_of(column))))
    assert "a\ufffdb\ufffdc\ufffdd" in text
    assert not re.search(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]", text)


def test_that_a_name_that_is_written_backwards_cannot_turn_its_surroundings() -> None:
    name = "abc\u202edef"
    text = whole_html(report_of(released_of(plan_of(protected_as(name)))))
    outside = re.sub(r"<bdi>.*?</bdi>", "", text, flags=re.DOTALL)
    assert "\u202e" not in outside


def protected_as(name: str) -> ColumnPlan:
    return COLUMNS[0].model_copy(update={"name": name, "label": name})


def test_that_very_long_labels_are_shown_whole() -> None:
    label = "w" * 1000
    column = COLUMNS[0].model_copy(update={"label": label})
    text = whole_html(report_of(released_of(plan_of(column))))
    assert text.count(label) >= 3
    assert "overflow-wrap: anywhere" in text


def test_that_columns_passed_through_have_a_headline() -> None:
    with_kept = whole_html(report_of(released_of(plan_of(*COLUMNS, KEPT))))
    without = whole_html(report_of(released_of(plan_of(*COLUMNS))))
    assert "<h2>Released without protection</h2>" in with_kept
    assert "Released without protection" not in without


def test_that_the_sections_stand_in_their_order() -> None:
    text = whole_html(report_of(released_of(plan_of(*COLUMNS))))
    assert re.findall(r"<h2>(.*?)</h2>", text) == [
        "For respondents: what this means for you",
        "Results",
        "Results in detail",
        "Guarantee",
        "Identity",
        "Strategy",
        "Parameters",
        "Unit and neighbours",
        "Trust",
        "Reading the risk",
        "Budget",
        "Implementation",
        "Justification",
        "Checklist",
        "Reproduce",
    ]
    assert text.index('class="guarantee"') < text.index("<h2>Identity</h2>")


def test_that_numbers_are_printed_with_units_and_the_digits_of_their_error() -> None:
    # 200 of 1,000 reports of "yes" at epsilon 1: the arithmetic is in test_public_report.
    page = Page(whole_html(report_of(counted(plan_of(COLUMNS[0]), (200, 800)))))
    assert "\u221214.9\u00a0%" in page.text
    assert "3.0\u00a0pp" in page.text
    assert "0.0\u00a0%" in page.text


def test_that_the_headline_is_the_largest_error_of_a_share() -> None:
    smoker, work, income = COLUMNS[0], COLUMNS[2], COLUMNS[5]
    # SUE at 1/2 on shares of a quarter: its noise is e^(1/4) / (e^(1/4) - 1)^2 / n.
    grown = exp(0.25)
    error = 1.959964 * sqrt((grown / (grown - 1) ** 2 + 0.25 * 0.75) / 1000)
    for columns in ((smoker, work, income), (work, smoker), (income, work)):
        text = Page(whole_html(report_of(released_of(plan_of(*columns))))).text
        assert f"\N{PLUS-MINUS SIGN} {100 * error:.0f}\u00a0pp" in text
        assert "largest 95 % error of a share" in text
    without = Page(whole_html(report_of(released_of(plan_of(income))))).text
    assert "largest 95 % error" not in without
    assert re.search(r"1\s*protected attribute\b", without)


def test_that_an_estimate_outside_the_range_has_a_ring_at_its_bound() -> None:
    text = whole_html(report_of(counted(plan_of(COLUMNS[0]), (200, 800))))
    # Report and annex; "no" is above 100 % by as much.
    assert text.count('class="truncated"') == 4
    inside = whole_html(report_of(counted(plan_of(COLUMNS[0]), (500, 500))))
    assert 'class="truncated"' not in inside


def test_that_the_report_of_an_ordinary_survey_is_two_short_pages() -> None:
    for columns in (COLUMNS, [COLUMNS[0]], [*COLUMNS, KEPT]):
        report = report_html(report_of(released_of(plan_of(*columns))))
        assert len(re.findall(rb"/Type/Page/", pdf_of_page(report))) <= 2
        body = re.sub(r"<(style|svg|table)\b.*?</\1>", "", report, flags=re.DOTALL)
        assert len(re.sub(r"<[^>]+>", " ", body).split()) <= 900


def test_that_the_page_has_both_themes_and_paper() -> None:
    text = html.unescape(report_html(report_of(released_of(plan_of(*COLUMNS)))))
    assert "@media screen and (prefers-color-scheme: dark)" in text
    assert "size: A4" in text
    assert text.count("--accent:") == 2


def test_that_unknown_answers_of_the_checklist_are_shown(page) -> None:
    report = report_of(released_of(plan_of(*COLUMNS, KEPT)))
    unknown = [c for g in report.checklist for c in g.checks if c.answer == "unknown"]
    assert unknown
    assert all(check.question in page.text for check in unknown)
    assert f"{len(unknown)} unknown" in page.text


def test_that_what_attributes_share_is_said_once_and_exact_fractions_stand_in_the_json() -> None:
    columns = [COLUMNS[3].model_copy(update={"name": f"q{i}", "label": ""}) for i in range(23)]
    report = report_of(released_of(plan_of(*columns, COLUMNS[0])))
    text = html.unescape(whole_html(report))
    first = report.parameters.attributes[0]
    for sentence in (first.reference, first.missing.sentence, first.outside):
        assert text.count(sentence) == 1
    assert "The other 23 attributes" in text
    assert "All 24 attributes" in text
    assert "Possible estimates, biased" not in text
    exact = report.model_dump_json()
    for attribute in report.parameters.attributes:
        for told in (attribute.likelihood_ratio, attribute.fingerprint):
            assert told not in text
            assert told in exact
    for result in report.results.attributes:
        assert text.count(f"<strong><bdi>{result.attribute}</bdi></strong>") == 2


def test_that_few_attributes_are_shown_with_all_their_errors() -> None:
    for count, whole in ((12, True), (13, False)):
        columns = [COLUMNS[3].model_copy(update={"name": f"q{i}"}) for i in range(count)]
        text = whole_html(report_of(released_of(plan_of(*columns))))
        assert (text.count("Noise and sampling are the parts of the 95 % error.") == count) == whole
