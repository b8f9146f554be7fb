"""The instruction sheet and the planning memo."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser

import pytest

from dpdesk.demonstrations import demonstration
from dpdesk.demonstrations.handout import handout_html
from dpdesk.designs import YesNoDesign
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.errors import ParameterError
from dpdesk.reports.pdf import pdf_of_page
from dpdesk.reports.survey import ShareMemo, memo_html, sheet_html
from dpdesk.reports.survey.sheet import sheet_parts
from dpdesk.reports.survey.texts import T
from dpdesk.reports.survey.words import at_most_text, respondent_sentences
from tests.designs.cases import ALL, NAMES, made
from tests.texts import is_said, only_said

QUESTION = "Have you ever cheated?"
HOSTILE = "</title><script>alert(1)</script><img src=https://a.example/x>"
TWO_COINS = made("warner", {"p": "3/4"})
BOTH = pytest.mark.parametrize("paper", [False, True])


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def words(html: str) -> str:
    body = html.split("<body>")[1]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def memo(design: YesNoDesign = TWO_COINS, **changes: object) -> ShareMemo:
    given = {"question": QUESTION, "design": design, "prevalence": 0.1, "respondents": 3586}
    return ShareMemo(**(given | changes))  # type: ignore[arg-type]


@BOTH
@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_the_sheet_of_every_design_holds_its_instruction(
    design: YesNoDesign, paper: bool
) -> None:
    text = words(sheet_html(design, QUESTION, paper=paper))
    for procedure in design.instructions(QUESTION):
        for sentence in (*procedure.steps, procedure.tool, procedure.reason):
            assert sentence in text
    assert text.count("What you do") == len(design.asked)


@BOTH
def test_that_the_users_words_are_shown_literally_and_nothing_is_loaded(paper: bool) -> None:
    design = made("crosswise", {"p": "1/4"})
    pages = (
        sheet_html(design, HOSTILE, (HOSTILE,), paper=paper),
        memo_html(memo(design, question=HOSTILE, others=(HOSTILE,)), paper=paper),
    )
    for html in pages:
        tags = _Tags()
        tags.feed(html)
        assert not {tag for tag, _ in tags.seen} & {"script", "link", "iframe", "object"}
        # The pictures of a rule stand in the page itself: on paper as one image, else as shapes.
        images = [attributes for tag, attributes in tags.seen if tag == "img"]
        assert len(images) == int(paper)
        sources = [attributes.pop("src", "") for attributes in images]
        assert all(str(source).startswith("data:image/svg+xml;base64,") for source in sources)
        assert not any({"src", "href"} & set(attributes) for _, attributes in tags.seen)
        assert HOSTILE in unescape(html.split("<body>")[1])


def test_that_each_group_has_a_page_of_its_own() -> None:
    html = sheet_html(made("cheating_detection", {"p1": "1/4", "p2": "3/4"}), QUESTION, paper=True)
    # One more is for the person who prepares the survey.
    assert html.count("page-break-before: always") == 2
    text = words(html)
    assert text.index("Group 1") < text.index("(1 in 4): say yes")
    assert text.index("Group 2") < text.index("(3 in 4): say yes")


def test_that_respondents_are_told_which_answer_is_a_proof() -> None:
    (part,) = sheet_parts(made("triangular", {"p": "1/4"}), QUESTION)
    assert part.shows == (
        T.SHOWS(said="no", answer="no"),
        f"{T.STILL_UNSURE(said='“yes”')} {T.MANY_SAY_IT(hundred=25, answer='no')}",
        T.AT_MOST(factor="4"),
    )
    longer, shorter = sheet_parts(made("item_count", {"items": 3}), QUESTION)
    assert [sentence for sentence in longer.shows if is_said(T.SHOWS, sentence)] == [
        T.SHOWS(said="0", answer="no"),
        T.SHOWS(said="4", answer="yes"),
    ]
    # How often the innocent items apply is only assumed: no bound is promised.
    assert not only_said((T.AT_MOST, T.MANY_SAY_IT), " ".join(longer.shows))
    assert shorter.shows == (T.REVEALS_NOTHING(),)


@pytest.mark.parametrize("name", ["singh_joarder", "crosswise"])
def test_that_a_sheet_on_which_nothing_is_left_to_chance_promises_nothing(name: str) -> None:
    (part,) = sheet_parts(made(name, {"p": Fraction(1)}), QUESTION)
    assert part.procedure.reason == ""
    assert part.shows == (T.NOT_HIDDEN(),)


def test_that_a_direct_question_is_not_called_hidden() -> None:
    (part,) = sheet_parts(made("direct", {}), QUESTION)
    assert part.shows == (T.NOT_HIDDEN(),)


def test_that_a_program_is_said_to_protect_by_its_epsilon() -> None:
    (part,) = sheet_parts(MechanismShare(mechanism="oue"), QUESTION)
    assert part.say == T.PROGRAM_SENDS()
    # Both bits of OUE together: e^1, more than the bit that is counted shows by itself.
    assert part.shows[-1] == T.AT_MOST_OF_REPORT(factor="2.72")


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_a_promised_factor_holds_for_every_answer(design: YesNoDesign) -> None:
    for procedure, group in zip(design.instructions(), design.asked, strict=True):
        text = " ".join(respondent_sentences(procedure, group))
        found = re.search(r"is at most ([\d,.]+\d|\d) times", text)
        differ = [a != b for a, b in zip(group.law[0], group.law[1], strict=True) if a and b]
        assert (found is not None) == any(differ)
        if found is None:
            continue
        bound = Fraction(found[1].replace(",", ""))
        for a, b in zip(group.law[0], group.law[1], strict=True):
            if a and b:
                assert max(a / b, b / a) <= bound


@pytest.mark.parametrize(
    ("ratio", "text"), [("3", "3"), ("4/3", "1.34"), ("7/4", "1.75"), ("1000", "1,000")]
)
def test_that_a_bound_is_rounded_up(ratio: str, text: str) -> None:
    assert at_most_text(Fraction(ratio)) == text


def test_that_what_may_be_said_is_what_the_law_knows() -> None:
    says = {
        "crosswise": "Say “the same” or “different”, and nothing else.",
        "kuk": "Say one number from 0 to 5, and nothing else.",
        "christofides": "Say “1”, “2” or “3”, and nothing else.",
    }
    designs = (
        made("crosswise", {"p": "1/4"}),
        made("kuk", {"p1": "3/4", "p2": "1/4", "draws": 5}),
        made("christofides", {"chances": ("1/2", "1/3", "1/6")}),
    )
    assert [sheet_parts(design, QUESTION)[0].say for design in designs] == list(says.values())


def test_that_the_memo_holds_the_numbers_of_the_plan() -> None:
    text = words(memo_html(memo(against=0.15, denial=0.5, population=100_000)))
    for shown in (
        "Respondents 3,586",
        "± 3.0\u00a0pp",
        T.TIMES_DIRECT(factor="9.33"),
        T.AS_MUCH_AS(count=384),
        "Population 100,000",
        T.POWER(value="15\u00a0%"),
        T.BETTER_FROM(count=317),
        T.EPSILON_OF_GROUPS(strength="strong", epsilon="1.099", factor="3"),
        "yes 30\u00a0% 3.00 carrier 25\u00a0%",
        "no 70\u00a0% 3.00 non-carrier 4\u00a0%",
        "Warner 1965",
    ):
        assert shown.replace("\u00a0", " ") in text.replace("\u00a0", " ")


def test_that_the_memo_names_the_answer_that_is_a_proof() -> None:
    text = words(memo_html(memo(made("triangular", {"p": "1/4"}))))
    assert T.INFINITE(names="“no”") in text
    assert T.PROVES_NO_TRAIT(answer="“no”") in text
    assert "no 67.5" not in text
    assert re.search(r"no 68\s% infinitely non-carrier 0\s%", text)
    assert "who answers" not in text


def test_that_the_memo_says_answers_as_they_are_said() -> None:
    text = words(memo_html(memo(made("crosswise", {"p": "3/4"}))))
    assert re.search("the largest of these beliefs: 25\\s%, after “the same”[.]", text)


@BOTH
@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_every_design_has_a_memo(design: YesNoDesign, paper: bool) -> None:
    text = words(memo_html(memo(design, against=0.2), paper=paper))
    assert design.title in text
    assert design.caution in text
    assert "nan" not in text.split("What an answer discloses")[0].lower()


def test_that_an_impossible_plan_has_no_memo() -> None:
    with pytest.raises(ParameterError):
        memo_html(memo(respondents=1))


def test_that_control_characters_of_a_question_become_visible() -> None:
    text = sheet_html(made("warner", {"p": "3/4"}), "Have\x07 you\x00 ever?")
    assert "Have\ufffd you\ufffd ever?" in text
    assert not re.search(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]", text)


def test_that_a_respondents_page_holds_nothing_for_the_preparer() -> None:
    design = made("forced", {"forced_no": "1/6", "forced_yes": "1/6"})
    html = sheet_html(design, QUESTION, paper=True)
    respondents, preparers = html.split('<div class="screen" style="page-break-before: always">')
    (part,) = sheet_parts(design, QUESTION)
    assert part.setup
    for note in (*part.setup, design.title):
        assert note not in words(respondents)
        assert note in words(f"<body>{preparers}")


@pytest.mark.printed
@pytest.mark.parametrize("paper", ["sheet", "handout"])
def test_that_what_is_not_handed_out_begins_a_page_of_its_own(paper: str) -> None:
    # The same page with and without its page break.
    html = (
        sheet_html(made("warner", {"p": "3/4"}), QUESTION)
        if paper == "sheet"
        else handout_html(demonstration("local-against-central"))
    )
    together = pdf_of_page(html.replace("page-break-before: always", ""))
    assert _page_count(pdf_of_page(html)) > _page_count(together)


def _page_count(content: bytes) -> int:
    return len(re.findall(rb"/Type/Page/", content))


@pytest.mark.parametrize("second", ["", "device", "direct"])
def test_that_a_memo_tells_of_a_second_group_only_where_there_is_one(second: str) -> None:
    text = words(memo_html(memo(against=0.15, second=second)))
    groups = {"device": T.POWER_OF_DEVICE, "direct": T.POWER_OF_DIRECT}
    assert only_said(groups.values(), text) == ([groups[second]] if second else [])
