"""The four figures above the Risk page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.plain_text import counted
from dpdesk.numbers.digits import chance_percent
from dpdesk.preview.recognisable import Measured


def show_figures(row: FigureRow, answer: Measured | None, *, supposed: bool = False) -> None:
    """Shows the figures of an answer, or dashes.

    Args:
        row: Where they are shown.
        answer: The answer; None while there is none.
        supposed: Whether nobody chose what is sensitive.
    """
    alone, smallest, chance, follows = row.tiles
    translate = QCoreApplication.translate
    if answer is None:
        for tile in row.tiles:
            tile.set_figure("—", "")
            tile.set_severity("")
        return
    risk = answer.risk
    answers = counted(
        len(risk.quasi_identifiers),
        translate("RiskFigures", "this answer"),
        translate("RiskFigures", "their {count} answers"),
    )
    alone.set_figure(
        f"{risk.unique_rows:,}",
        translate("RiskFigures", "respondents are the only one with {answers} ({share})").format(
            answers=answers, share=chance_percent(risk.unique_rows / risk.rows)
        ),
    )
    # Of a file of which nothing is released as it is, this is no danger.
    alone.set_severity("danger" if risk.unique_rows and not answer.keeps_none else "")
    smallest.set_figure(
        f"k = {risk.k:,}",
        translate(
            "RiskFigures", "smallest group that looks alike; {share} in groups below {k}"
        ).format(share=chance_percent(risk.rows_below / risk.rows), k=risk.threshold),
    )
    detail = ""
    if risk.population is not None:
        detail = translate(
            "RiskFigures",
            "Among all {people} people behind the respondents, by the weights of {column}: "
            "{average} on average, {found} expected to be found by linking all.",
        ).format(
            people=f"{risk.population.population:,.0f}",
            column=answer.weights,
            average=f"{100 * risk.population.individual_average:.3g}\u00a0%",
            found=f"{risk.population.expected_found:,.1f}",
        )
    chance.set_figure(
        chance_percent(risk.prosecutor_average),
        translate("RiskFigures", "average chance that a guess of the record is right"),
        detail,
    )
    discloses = any(one.rows_disclosed for one in risk.sensitive)
    follows.set_severity("warning" if discloses and not answer.keeps_none else "")
    if not risk.sensitive:
        words = (
            translate("RiskFigures", "tick a sensitive column to see for whom it follows")
            if risk.missing == "value"
            else translate("RiskFigures", "no groups tell an answer: missing ones match any")
        )
        follows.set_figure("—", words)
        return
    worst = max(risk.sensitive, key=lambda one: one.rows_disclosed)
    words = (
        translate(
            "RiskFigures",
            "people whose answer to {column} (supposed) follows from {answers}",
        )
        if supposed
        else translate(
            "RiskFigures",
            "people whose answer to {column} follows from {answers} (l\u00a0=\u00a0{l})",
        )
    )
    why = translate(
        "RiskFigures",
        "Supposed, as nobody chose it: tick what is sensitive under Columns.",
    )
    follows.set_figure(
        f"{worst.rows_disclosed:,}",
        words.format(column=worst.column, answers=answers, l=worst.l_distinct),
        (f"{why}\n" if supposed else "")
        + "\n".join(
            translate(
                "RiskFigures",
                "{column}: the answers of {rows} follow; l = {l}, entropy l = {entropy}, largest "
                "share of one answer {alpha}, t-closeness {t}",
            ).format(
                column=one.column,
                rows=f"{one.rows_disclosed:,}",
                l=one.l_distinct,
                entropy=f"{one.l_entropy:.2f}",
                alpha=f"{100 * one.alpha:.1f}\u00a0%",
                t=f"{one.t_closeness:.3f}",
            )
            for one in risk.sensitive
        ),
    )
