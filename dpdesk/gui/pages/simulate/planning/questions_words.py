"""What a plan of several questions comes to, in words and figures."""

from __future__ import annotations

from dpdesk.gui.pages.simulate.planning.outcome import Figure, Outcome, design_cells, number, tr
from dpdesk.gui.pages.simulate.scales import percent_text
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview import error_text
from dpdesk.report.survey import PlannedQuestions, epsilon_up

_HEADS = (
    "question",
    "supposed_share",
    "margin_wanted",
    "weight",
    "epsilon",
    "margin",
    "respondents",
    "confidence",
    "design",
    "parameters",
)
_SPLITS = {
    "equal": N_("Every question has an equal part of the budget."),
    "weighted": N_("The budget is split by the weights of the questions."),
    "least": N_("The budget is split so that the fewest respondents will do."),
}


def questions_outcome(found: PlannedQuestions) -> Outcome:
    """Returns the whole in a sentence and figures, and every question in the table."""
    plan = found.plan
    spent = epsilon_up(plan.epsilon)
    sentence = tr(
        "{people} respondents reach the margins of all {count} questions, and none of them loses "
        "more than ε = {epsilon} by all answers together."
    ).format(people=f"{plan.respondents:,}", count=len(plan.questions), epsilon=spent)
    tightest = max(
        range(len(plan.questions)),
        key=lambda i: plan.questions[i].margin / plan.questions[i].question.margin,
    )
    worst = plan.questions[tightest]
    figures = (
        Figure(f"{plan.respondents:,}", tr("respondents, who answer every question")),
        Figure(f"ε {spent}", tr("lost by all answers together, at the most")),
        Figure(f"{len(plan.questions)}", tr("questions, each with a device of its own")),
        Figure(
            error_text(100 * worst.margin, "pp"),
            tr("margin of question {number}, which decides n; {sure}").format(
                number=tightest + 1,
                sure=percent_text(found.confidence).replace(" ", "\N{NO-BREAK SPACE}"),
            ),
        ),
    )
    note = tr("{split} Devices: {design}.").format(
        split=tr(_SPLITS[found.split]), design=tr(type(worst.design).title)
    )
    rows = tuple(
        (
            name,
            number(planned.question.prevalence),
            number(planned.question.margin),
            number(planned.question.weight),
            number(planned.epsilon),
            number(planned.margin),
            str(plan.respondents),
            number(found.confidence),
            *design_cells(planned.design),
        )
        for name, planned in zip(found.names, plan.questions, strict=True)
    )
    return Outcome(
        sentence=sentence,
        notes=(note,),
        figures=figures,
        table=PlotTable(_HEADS, rows),
        respondents=plan.respondents,
    )
