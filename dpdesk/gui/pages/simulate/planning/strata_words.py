"""What a plan of strata comes to, in words and figures."""

from __future__ import annotations

from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.planning.outcome import Figure, Outcome, design_cells, number, tr
from dpdesk.gui.pages.simulate.scales import percent_text
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant
from dpdesk.report.survey import PlannedStrata

_HEADS = (
    "stratum",
    "share_of_population",
    "supposed_share",
    "respondents",
    "margin",
    "confidence",
    "allocation",
    "design",
    "parameters",
)


def strata_outcome(found: PlannedStrata, scenario: ShareScenario) -> Outcome:
    """Returns the whole in a sentence and figures, and every stratum in the table."""
    plan = found.plan
    margin = error_text(100 * plan.margin, "pp")
    sure = percent_text(found.confidence).replace(" ", "\N{NO-BREAK SPACE}")
    sentence = tr(
        "{people} respondents in {count} strata give a margin of {margin} for all ({sure}), with "
        "{design}."
    ).format(
        people=f"{plan.total:,}",
        count=len(found.strata),
        margin=margin,
        sure=sure,
        design=design_title(scenario.design),
    )
    gain = 1 - (plan.margin / plan.unstratified_margin) ** 2
    saved = tr("Without strata as many respondents would give {margin}.").format(
        margin=error_text(100 * plan.unstratified_margin, "pp")
    )
    figures = (
        Figure(f"{plan.total:,}", tr("respondents in all strata")),
        Figure(margin, tr("margin of the whole estimate, {sure}").format(sure=sure)),
        Figure(
            f"{100 * plan.prevalence:.3g} %",
            tr("share of all that the supposed shares come to"),
        ),
        Figure(
            f"{significant(100 * gain, 2)} %",
            tr("of the respondents saved by strata"),
            saved,
        ),
    )
    kind, parameters = design_cells(scenario.design)
    common = (number(found.confidence), found.allocation, kind, parameters)
    rows = [
        (name, number(s.share), number(s.prevalence), str(n), number(own), *common)
        for name, s, n, own in zip(
            found.names, found.strata, plan.respondents, plan.margins, strict=True
        )
    ]
    whole = ("all", "1", number(plan.prevalence), str(plan.total), number(plan.margin), *common)
    return Outcome(
        sentence=sentence,
        notes=(saved,),
        figures=figures,
        table=PlotTable(_HEADS, (*rows, whole)),
        respondents=plan.total,
    )
