"""Sentences of planning memos and sheets, for every design, against the law of its answers."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from html import unescape
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Any

import pytest

from dpdesk.designs import YesNoDesign, designs_of
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.law import loss_of_trait
from dpdesk.designs.matrix_categories import CategoryDesign, MatrixCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.reports.survey import MeanMemo, ShareMemo, SharesMemo, memo_html, sheet_html
from dpdesk.reports.survey.sheet import sheet_parts
from dpdesk.reports.survey.texts import T
from dpdesk.reports.survey.words import epsilon_sentence, proof_sentences
from tests.designs.cases import ALL, NAMES
from tests.reports.true_numbers import is_rounded_up, numbers_after, plain
from tests.texts import is_said, values_in

F = Fraction
every_design = pytest.mark.parametrize("design", ALL, ids=NAMES)
KINDS = ("grr", "oue", "sue", "subset_selection", "olh")
PROOF = MatrixCategories(
    rows=((F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 2), F(1, 4)), (F(1, 4), F(1, 4), F(1, 2)))
)
SEVERAL = (
    ForcedCategories(orders=(F(1, 6), F(1, 6), F(1, 12))),
    PROOF,
    MatrixCategories(rows=((F(7, 10), F(1, 5), F(1, 10)), (F(1, 5), F(3, 5), F(1, 5)),
                           (F(3, 10), F(3, 10), F(2, 5)))),
)  # fmt: skip
NUMBERS = (
    Additive(lower=0, upper=10, scale=5),
    Additive(lower=0, upper=10, scale=5, noise="uniform"),
    Multiplicative(lower=1, upper=10, scale=0.2),
    BarLev(lower=1, upper=10, scale=0.2),
)


def words(html: str) -> str:
    body = html.split("<body>")[1]
    return plain(re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body))))


def rows_of(html: str) -> list[list[str]]:
    """The cells of each row of each table."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
    return [[plain(unescape(re.sub(r"<[^>]+>", "", cell))).strip() for cell in c] for c in cells]


def percent(text: str) -> float:
    """A share as it is printed, or the middle of what it is said to be beyond."""
    return {"more than 99.99 %": 0.99995, "less than 0.01 %": 0.00005}.get(
        text, float(text.removesuffix(" %").replace(",", "")) / 100 if text[0].isdigit() else inf
    )


def answers_of(design: YesNoDesign) -> list[tuple[str, str, Fraction, Fraction]]:
    """Answer, group, and its chance of a carrier and of another, where it can be given."""
    return [
        (answer, group.name, yes, no)
        for group in design.groups
        for answer, yes, no in zip(group.answers, group.law[0], group.law[1], strict=True)
        if yes or no
    ]


def test_that_the_designs_are_all_that_there_are() -> None:
    assert {type(design) for design in ALL} == set(designs_of(YesNoDesign))
    assert {type(d) for d in SEVERAL} == set(designs_of(CategoryDesign))
    assert {type(d) for d in NUMBERS} == set(designs_of(NumberDesign))


@every_design
def test_that_epsilon_and_proofs_are_those_of_the_law(design: YesNoDesign) -> None:
    loss = loss_of_trait(design.groups)
    sentence, answers = epsilon_sentence(loss), answers_of(design)
    proofs = [(a, g, T.PROVES_TRAIT if yes else T.PROVES_NO_TRAIT) for a, g, yes, no in answers
              if not (yes and no)]  # fmt: skip
    assert list(proof_sentences(loss)) == [
        proves(answer=f"“{a}” ({g})" if g else f"“{a}”") for a, g, proves in proofs
    ]
    assert is_said(T.INFINITE, sentence) == bool(proofs)
    if proofs:
        named = re.findall(r"“(.*?)”", sentence)
        assert named == [answer for answer, _, _ in proofs]
        return
    ratio = max(max(yes / no, no / yes) for _, _, yes, no in answers)
    (stated,) = numbers_after("e^ε = ", sentence)
    assert is_rounded_up(stated, float(ratio), 0.00101 * float(ratio))
    assert numbers_after("ε = ", sentence)[0] == pytest.approx(log(ratio), rel=6e-4)


@every_design
@pytest.mark.parametrize("prevalence", [0.02, 0.3])
def test_that_the_memo_tells_what_bayes_rule_makes_of_each_answer(
    design: YesNoDesign, prevalence: float
) -> None:
    html = memo_html(
        ShareMemo(question="Did you?", design=design, prevalence=prevalence, respondents=500)
    )
    spoken = design.instructions()[0].spoken
    rows, largest = rows_of(html), (0.0, "")
    for answer, group, yes, no in answers_of(design):
        chance = prevalence * float(yes) + (1 - prevalence) * float(no)
        belief = prevalence * float(yes) / chance
        said = spoken.get(answer, answer)
        largest = max(largest, (belief, said))
        heading = f"{said} ({group})" if group else said
        found = [row for row in rows if row[0] == heading and len(row) == 5]
        ratio = max(yes, no) / min(yes, no) if yes and no else None
        close = [row for row in found if percent(row[1]) == pytest.approx(chance, abs=0.0051)]
        assert close, (heading, found, chance)
        _, _, times, of, after = close[0]
        assert percent(after) == pytest.approx(belief, abs=0.0051)
        assert (times == "infinitely") == (ratio is None)
        if ratio is not None:
            assert float(times.replace(",", "")) == pytest.approx(float(ratio), rel=6e-3)
        who = "no one" if yes == no else ("carrier" if yes > no else "non-carrier")
        assert of == who
    text = words(html)
    (told,) = re.findall(r"the largest of these beliefs: (.*?), after “(.*?)”", text)
    assert percent(told[0]) == pytest.approx(largest[0], abs=0.0051)
    assert T.BEFORE_ANSWERS(share=f"{100 * prevalence:.0f} %") in text


def margin_of(html: str, confidence: str) -> float:
    (row,) = [row for row in rows_of(html) if row[0] == f"Margin of error ({confidence} %)"]
    value, _, bound = row[1].removeprefix("± ").partition(" pp")
    assert not bound or bound.startswith(" (from sums alone at most ± ")
    return float(value)


@every_design
@pytest.mark.parametrize(("level", "respondents"), [("95", 800), ("90", 400)])
def test_that_the_sample_of_one_group_has_the_margin_of_its_answers(
    design: YesNoDesign, level: str, respondents: int
) -> None:
    html = memo_html(
        ShareMemo(
            question="Did you?",
            design=design,
            prevalence=0.2,
            respondents=respondents,
            confidence=int(level) / 100,
        )
    )
    stated = margin_of(html, level)
    assert ("from sums alone" in words(html)) == (design.kind == "item_count")
    assert f"Respondents {respondents} " in words(html)
    z = NormalDist().inv_cdf((1 + int(level) / 100) / 2)
    if len(design.asked) > 1 or len(design.asked[0].answers) != 2:
        # Counts of several groups or answers: no smaller than a direct question's.
        assert stated >= 99.4 * z * sqrt(0.2 * 0.8 / respondents) - 0.06
        return
    yes, no = float(design.asked[0].law[0][0]), float(design.asked[0].law[1][0])
    said = 0.2 * yes + 0.8 * no
    if design.kind == "mangat_singh" or len(design.asked[0].states) > 2:
        return
    margin = 100 * z * sqrt(said * (1 - said) / respondents) / abs(yes - no)
    assert stated == pytest.approx(margin, rel=0.05)
    (effect,) = [row for row in rows_of(html) if row[0] == "Design effect"]
    exact = said * (1 - said) / (yes - no) ** 2 / 0.16
    assert float(effect[1].split(" ×")[0].replace(",", "")) == pytest.approx(exact, rel=6e-3)
    (worth,) = numbers_after("as much as ", words(html))
    assert worth == pytest.approx(respondents / exact, abs=0.51)


@every_design
def test_that_the_sheet_calls_proofs_what_proves_and_nothing_else(design: YesNoDesign) -> None:
    for number, part in enumerate(sheet_parts(design, "Did you?")):
        seen = design.groups[number] if number < len(design.groups) else design.asked[number]
        yes, no = seen.law[0], seen.law[1]
        text = " ".join(part.shows)
        telling = any(a != b for a, b in zip(yes, no, strict=True))
        proved = ["no" if n else "yes" for y, n in zip(yes, no, strict=True) if bool(y) != bool(n)]
        hidden = any(y and n for y, n in zip(yes, no, strict=True))
        assert (T.REVEALS_NOTHING() in text) == (not telling)
        assert (T.NOT_HIDDEN() in text) == (not hidden)
        assert hidden or not part.procedure.reason
        if telling and hidden:
            assert re.findall(r"true answer is (yes|no)\.", text) == proved
        for stated in numbers_after(" is at most ", text):
            both = [max(y / n, n / y) for y, n in zip(yes, no, strict=True) if y and n]
            assert is_rounded_up(stated, float(max(both)), 0.0100001)


def check_epsilon(text: str, epsilon: float) -> None:
    """The sentence of a memo of several answers or of numbers."""
    assert ("ε is infinite" in text) == (epsilon == inf)
    if epsilon == inf:
        assert "e^ε =" not in text
        return
    assert numbers_after("ε = ", text)[0] == pytest.approx(epsilon, rel=6e-4)
    (stated,) = numbers_after("e^ε = ", text)
    assert is_rounded_up(stated, exp(epsilon), 0.00101 * exp(epsilon))


@pytest.mark.parametrize("design", SEVERAL, ids=lambda d: f"{d.kind}")
@pytest.mark.parametrize("shares", [(0.7, 0.2, 0.1), (0.2, 0.3, 0.5)])
def test_that_the_memo_of_several_answers_is_that_of_their_law(
    design: Any, shares: tuple[float, ...]
) -> None:
    names = ("never", "once", "often")
    html = memo_html(
        SharesMemo(
            question="How often?", design=design, names=names, shares=shares, respondents=1_000
        )
    )
    law = [[float(chance) for chance in row] for row in design.law]
    columns = list(zip(*law, strict=True))
    ratio = max(max(c) / min(c) if min(c) else inf for c in columns)
    check_epsilon(words(html), log(ratio) if ratio < inf else inf)
    proofs = values_in(T.PROOF, words(html))
    assert [(one["answer"].rsplit("“")[-1], one["names"]) for one in proofs] == [
        (names[j], f"“{names[i]}”") for j in range(3) for i in range(3) if not law[i][j]
    ]
    rows = rows_of(html)
    for j, name in enumerate(names):
        chance = sum(shares[i] * law[i][j] for i in range(3))
        (row,) = [row for row in rows if row[0] == name and len(row) == 6]
        beliefs = [shares[i] * law[i][j] / chance for i in range(3)]
        assert [percent(cell) for cell in row[1:4]] == pytest.approx(beliefs, abs=0.0051)
        assert percent(row[4]) == pytest.approx(chance, abs=0.0051)
        assert (row[5] == "infinitely") == (min(columns[j]) == 0)
    (part,) = re.findall(r"is at most ([\d.,]+\d|\d) times as likely", words(
        sheet_html(design, "How often?", names))) or [""]  # fmt: skip
    assert bool(part) == (ratio < inf)
    if part:
        assert is_rounded_up(float(part), ratio, 0.0100001)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", ["0.7", "1.5"])
def test_that_the_memo_of_a_program_is_that_of_its_epsilon(kind: str, epsilon: str) -> None:
    design = MechanismShare(mechanism=kind, categories=4, epsilon=Decimal(epsilon))
    shares = (0.4, 0.3, 0.2, 0.1)
    html = memo_html(
        SharesMemo(question="", design=design, names=(), shares=shares, respondents=1_000)
    )
    loss = float(epsilon)
    if kind == "olh":
        # Its whole number of values near e^epsilon + 1 leaves the loss as it is.
        assert "ε is infinite" not in words(html)
        return
    stated = numbers_after("ε = ", words(html))[0]
    assert stated == pytest.approx(loss, rel=6e-4)
    check_epsilon(words(html), loss)
    odds = exp(loss)
    (row,) = [row for row in rows_of(html) if row[0].endswith("answer 1") or row[0] ==
              "for answer 1 alone" if len(row) == 7]  # fmt: skip
    after = shares[0] * odds / (shares[0] * odds + 1 - shares[0])
    assert percent(row[1]) == pytest.approx(after, abs=0.0051)


@pytest.mark.parametrize("design", NUMBERS, ids=lambda d: f"{d.kind} {d.noise}")
def test_that_the_memo_of_a_number_is_that_of_its_noise(design: Any) -> None:
    html = memo_html(
        MeanMemo(
            question="How much?",
            design=design,
            mean=4.0,
            deviation=2.0,
            respondents=400,
            unit="hours",
        )
    )
    laplace = isinstance(design, Additive) and design.noise == "laplace"
    # Laplace's law: the density of one number is at most e^(range / scale) times another's; of
    # products, the logarithms have such a law. A number that is said as it is has no density.
    epsilon = {"additive": 10 / 5 if laplace else inf, "multiplicative": log(10 / 1) / 0.2}
    loss = epsilon.get(design.kind, inf)
    check_epsilon(words(html), loss)
    if isinstance(design, Additive):
        noise = 2 * 5**2 if laplace else 5**2 / 3
        rows = dict(row for row in rows_of(html) if len(row) == 2)
        z = NormalDist().inv_cdf(0.975)
        for name, variance in (("Margin of error (95 %)", 4 + noise),
                               ("of this, sampling alone", 4.0),
                               ("of this, the device alone", noise)):  # fmt: skip
            stated = float(rows[name].removeprefix("± ").removesuffix(" hours"))
            assert stated == pytest.approx(z * sqrt(variance / 400), rel=6e-3)
        assert float(rows["Design effect"].split(" ×")[0]) == pytest.approx(1 + noise / 4, rel=6e-3)
    factor = re.findall(r"is at most ([\d.,]+\d) times as likely", words(
        sheet_html(design, "How much?")))  # fmt: skip
    assert bool(factor) == (loss < inf)
    if factor:
        assert is_rounded_up(float(factor[0].replace(",", "")), exp(loss), 0.0100001)
