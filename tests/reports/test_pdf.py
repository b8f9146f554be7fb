"""Reports and papers as PDF."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys

import pytest

from dpdesk.designs import design_named
from dpdesk.errors import ReleaseError
from dpdesk.plan import PlanDetails
from dpdesk.reports import pdf
from dpdesk.reports.pdf import PAPERS, content_for, pdf_of_page
from dpdesk.reports.public import report_html
from dpdesk.reports.survey import sheet_html
from dpdesk.resources import resource
from tests.refusals import refused
from tests.reports.cases import COLUMNS, HOSTILE, KEPT, plan_of, released_of, report_of
from tests.reports.test_html import Page, hostile_report

pytestmark = pytest.mark.printed

MARKUP = (
    "#set page(fill: red) $x$ *b* `c` <l> @x \\ ~ -- //",
    "quote \" ' ]) #{",
    "#panic()",
    "= no heading",
    "- no item",
)
TURNED = ("שלום עולם", "السلام عليكم", "\u202eevil")
LONG = ("W" * 180, "a_name_without_any_space_" * 8)


@pytest.fixture(scope="module")
def page() -> str:
    return report_html(report_of(released_of(plan_of(*COLUMNS, KEPT))), annex=True)


@pytest.fixture(scope="module")
def report(page) -> bytes:
    return pdf_of_page(page)


def pages(content: bytes) -> int:
    return len(re.findall(rb"/Type/Page/", content))


def minimal(body: str, head: str = "") -> str:
    return f'<html lang="en"><head><title>T</title>{head}</head><body>{body}</body></html>'


def report_of_names(*names: str) -> str:
    columns = [
        COLUMNS[i % len(COLUMNS)].model_copy(update={"name": name, "label": f"{name} label"})
        for i, name in enumerate(names)
    ]
    details = PlanDetails(title=names[0], curator=names[-1])
    return report_html(report_of(released_of(plan_of(*columns, KEPT, details=details))), annex=True)


def texts(node) -> str:
    """Every text of what the template lays out, in its order."""
    if isinstance(node, str):
        return node
    if isinstance(node, list):
        return " ".join(filter(None, map(texts, node)))
    if node.get("tag") == "svg":
        return " ".join(re.findall(r"<text[^>]*>([^<]*)", node["svg"]))
    parts = [node.get(key, []) for key in ("nodes", "thead", "tbody", "tfoot")]
    return " ".join(filter(None, map(texts, parts)))


def bare(text: str) -> str:
    return re.sub(r"[\s\u200b\u2068\u2069]+", "", text)


def test_that_the_file_says_that_it_is_tagged_and_for_archives(report) -> None:
    assert re.search(rb"/Lang\s*\(en\)", report)
    assert b"/MarkInfo<</Marked true" in report
    assert b"/StructTreeRoot" in report
    assert b"<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>" in report
    assert b"<pdfuaid:part>1</pdfuaid:part>" in report
    assert b"/DisplayDocTitle true" in report
    assert b"/OutputIntents" in report
    for role in (b"H1", b"H2", b"TH", b"TD", b"Figure", b"LBody", b"P"):
        assert re.search(rb"/S/" + role + rb"\b", report), role


def test_that_every_font_is_embedded(report) -> None:
    described = len(re.findall(rb"/Type/FontDescriptor", report))
    assert described > 0
    assert len(re.findall(rb"/FontFile[23] ", report)) == described
    assert b"Inter-Regular" in report


def test_that_title_author_and_date_are_those_of_the_release(report) -> None:
    assert b'<rdf:li xml:lang="x-default">Annex: Privacy report: A survey</rdf:li>' in report
    assert b"<rdf:Seq><rdf:li>An office</rdf:li></rdf:Seq>" in report
    assert b"00000000-0000-4000-8000-000000000000" in report
    dates = set(re.findall(rb"\d{4}-\d\d-\d\dT[\d:]+Z?", report))
    assert dates == {b"2024-02-29T00:00:00Z"}


def test_that_nothing_of_the_machine_is_in_the_file(report, tmp_path) -> None:
    for place in (str(resource("report")), str(tmp_path.parent), sys.prefix):
        assert place.encode() not in report


def test_that_the_same_page_gives_the_same_bytes_in_another_process_and_folder(
    page, report, tmp_path
) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    program = (
        "from pathlib import Path; from dpdesk.reports.pdf import pdf_of_page;"
        "Path('out.pdf').write_bytes(pdf_of_page(Path('page.html').read_text('utf-8')))"
    )
    subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=True, env={"PYTHONPATH": _root()}
    )
    assert (tmp_path / "out.pdf").read_bytes() == report


def _root() -> str:
    return str(resource("report").parent.parent)


@pytest.mark.parametrize(("paper", "box"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_that_pages_have_the_size_of_the_paper(paper, box, page) -> None:
    found = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf_of_page(page, paper))
    assert found
    assert {(round(float(w)), round(float(h))) for w, h in found} == {box}


def test_that_the_command_line_offers_each_paper() -> None:
    from dpdesk.cli.run import COMMANDS

    (release,) = [c for c in COMMANDS if c.name == "release"]
    (choice,) = [a for a in release.parser()._actions if a.dest == "paper"]
    assert tuple(choice.choices) == PAPERS


@pytest.mark.parametrize("names", [HOSTILE, MARKUP, TURNED, LONG], ids=lambda n: n[0][:8])
def test_that_no_name_becomes_markup_or_stops_the_file(names) -> None:
    assert pages(pdf_of_page(report_of_names(*names))) > 3


def test_that_every_text_of_the_page_is_set_in_its_order(page) -> None:
    for content in (page, hostile_report(), report_of_names(*MARKUP), report_of_names(*LONG)):
        body = content[content.index("<main>") : content.index("</body>")]
        root = pdf._Reader(body).root
        assert bare(texts(pdf._Model().nodes(root))) == bare(Page(body).text)


def test_that_a_sign_that_turns_text_shows_and_turns_nothing() -> None:
    root = pdf._Reader(minimal("<p>a \u202eevil\u2066 b</p>")).root
    assert texts(pdf._Model().nodes(next(root.below("body")))) == "a \ufffdevil\ufffd b"


def test_that_letters_from_right_to_left_turn_their_own_name_alone() -> None:
    root = pdf._Reader(minimal("<p>a <bdi>שלום</bdi> b</p>")).root
    (paragraph,) = pdf._Model().nodes(next(root.below("body")))
    assert texts(paragraph["nodes"][1]) == "\u2068 שלום \u2069"


def test_that_a_letter_without_glyph_is_spelt_out(monkeypatch) -> None:
    set_content = []
    compiled = pdf._compiled

    def seen(content, **options):
        set_content.append(content)
        return compiled(content, **options)

    monkeypatch.setattr(pdf, "_compiled", seen)
    # A code point of private use never has a glyph that archives accept.
    assert pdf_of_page(minimal("<p>x \ue000 y</p>")).startswith(b"%PDF-1.7")
    assert texts(set_content[-1]["nodes"]) == "x [U+E000] y"


def test_that_drawings_say_what_they_show(page) -> None:
    root = pdf._Reader(page).root
    drawings = [pdf._drawing(svg) for svg in root.below("svg")]
    assert drawings
    assert all(drawing["alt"] for drawing in drawings)
    told = [d["alt"] for d in drawings if d["alt"].startswith("Estimate ")]
    assert len(told) > 10
    assert all(re.search(r"\d.*, 95 % interval .*\d.* to .*\d", alt) for alt in told)
    assert "var(" not in drawings[0]["svg"]


def test_that_a_drawing_without_a_description_is_refused() -> None:
    drawn = '<svg viewBox="0 0 9 9"><circle cx="1" cy="1" r="1"></circle></svg>'
    with pytest.raises(ReleaseError, match="alt"):
        pdf_of_page(minimal(f"<p>{drawn}</p>"))


@pytest.mark.parametrize("body", ["<script>1</script>", "<img>", "<p>a</b></p>"])
def test_that_an_unknown_element_is_refused(body) -> None:
    with refused("reports.no-pdf-of-tag"):
        pdf_of_page(minimal(body))


def test_that_headings_skip_no_level() -> None:
    root = pdf._Reader(minimal("<h2>a</h2><h4>b</h4><h1>c</h1><h4>d</h4>")).root
    nodes = pdf._Model().nodes(next(root.below("body")))
    assert [node["level"] for node in nodes] == [1, 2, 1, 2]


def test_that_a_report_of_many_attributes_stays_short() -> None:
    def many(count: int) -> str:
        return report_html(
            report_of(
                released_of(
                    plan_of(
                        *(
                            COLUMNS[i % 6].model_copy(
                                update={"name": f"q{i}", "label": f"Question {i}", "note": ""}
                            )
                            for i in range(count)
                        )
                    )
                )
            )
        )

    for paper in PAPERS:
        assert pages(pdf_of_page(many(23), paper)) <= 12
    for paper in PAPERS:
        assert pages(pdf_of_page(many(300), paper)) <= 40


def test_that_a_paper_without_a_date_gets_that_of_the_day() -> None:
    sheet = sheet_html(design_named("warner").example(), "Did you?")
    day = datetime.date(2025, 5, 6)
    assert b"2025-05-06T00:00:00Z" in pdf_of_page(sheet, day=day)
    assert pdf_of_page(sheet, day=day) == pdf_of_page(sheet, day=day)


def test_that_the_ending_of_a_file_says_how_it_is_written(tmp_path) -> None:
    sheet = sheet_html(design_named("warner").example(), "Did you?")
    assert content_for(tmp_path / "a.html", sheet) == sheet
    written = content_for(tmp_path / "a.PDF", sheet, "letter")
    assert isinstance(written, bytes)
    assert written.startswith(b"%PDF-")


def test_that_no_word_of_a_head_reaches_into_the_next_column(page) -> None:
    """Typst measures them: in a column of numbers no word is broken."""
    import typst

    main = next(pdf._Reader(page).root.below("main"))
    room: dict[str, float] = {}
    for table in main.below("table"):
        rows = list(table.below("tr"))
        for head, width in zip(rows[0].elements, pdf._widths(rows, table.classes), strict=False):
            if pdf._heads_column(head) and len(width) == 1:
                room |= {word: max(width[0], 2) for word in head.text().split()}
    assert {"becomes", "Sampling"} < set(room)
    # Between two columns are 7 points, of which a word may take 3.
    asserted = "".join(
        f"#context assert(measure({json.dumps(word)}).width <= {width}em.to-absolute() + 3pt)\n"
        for word, width in room.items()
    )
    source = f'#set text(font: "Inter", size: 8.5pt)\n{asserted}'
    fonts = [str(resource("fonts"))]
    assert typst.compile(source.encode(), font_paths=fonts, ignore_system_fonts=True)


def test_that_a_name_of_one_word_has_room_beside_a_column_of_sentences() -> None:
    cells = "<tr><td>occupation_husb</td><td>0 to 57.6 in steps of 0.05</td></tr>"
    rows = list(pdf._Reader(minimal(f"<table>{cells}</table>")).root.below("tr"))
    (_, name), (_, sentence) = pdf._widths(rows, ["dense"])
    assert name / (name + sentence) > 0.4
