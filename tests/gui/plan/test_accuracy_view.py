"""The view Accuracy says of which answers its errors are."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan import PlanPage
from dpdesk.gui.pages.plan.accuracy_plots import AccuracyPlot
from dpdesk.mechanisms.estimates import Answers
from dpdesk.preview import accuracy_view, request_for

ACCURACY = 2


def test_that_the_curves_say_which_answers_they_suppose(page: PlanPage, document: Document) -> None:
    tabs = page.records.panel.tabs
    tabs.tabs.setCurrentIndex(ACCURACY)
    plot, size = tabs.view(AccuracyPlot), document.plan.column("happy").domain.size
    told, even = [], request_for(document.plan.column("happy"), 1_000)
    page.select("income")
    told.append(plot.legend.toolTip())
    page.select("happy")
    told.append(plot.legend.toolTip())
    expected = tuple(Decimal(n) for n in range(1, size + 1))
    document.edit("Expected", document.plan.with_column("happy", expected=expected))
    told.append(plot.legend.toolTip())
    # With a file, expected answers or not, errors are for those that it holds.
    floors = [accuracy_view(even).floor]
    for stated in ((), (0.5, 0.3, 0.2)):
        counted = replace(even, answers=Answers((0.9, 0.06, 0.04)), expected=stated)
        plot.show_request(counted)
        told.append(plot.legend.toolTip())
        floors.append(accuracy_view(counted).floor)
    assert floors[1] == floors[2] < floors[0]
    words = (
        "spread evenly over the bounds",
        "all answers are equally common",
        "expected answers",
        "answers of this file",
        "answers of this file",
    )
    for said, supposed in zip(told, words, strict=True):
        assert [word for word in {*words} if word in said] == [supposed]
        assert "also without protection" in said
