"""One question: from what is wanted to respondents, margin, power or epsilon."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, isfinite

from dpdesk.designs import YesNoDesign
from dpdesk.designs.planning import (
    SamplePlan,
    epsilon_for_odds,
    epsilon_for_posterior,
    kish_effect,
    least_epsilon,
    least_epsilon_for_power,
    plan_of_sample,
    posterior_range,
    power,
    require_share,
    respondents_for_margin,
    respondents_for_power,
)
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.planning.denial import denial_note, denial_rows
from dpdesk.gui.pages.simulate.planning.outcome import (
    Figure,
    Outcome,
    blamed,
    design_cells,
    number,
    tr,
)
from dpdesk.gui.pages.simulate.planning.wanted import Goal, Wanted
from dpdesk.gui.pages.simulate.scales import epsilon_under_words, epsilon_words, percent_text
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import at_most, belief_text, error_text, factor_text, share_text, significant

_EPSILON = "ε "
"""What stands before an epsilon that was found, in the first figure."""


def found(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    """Returns what a scenario and the wishes come to.

    Raises:
        FieldRefusal: A number is impossible; it names the field.
    """
    with blamed(""):
        require_share(scenario.prevalence, tr("true share"))
    if wanted.needs("weights_cv"):
        with blamed("weights_cv"):
            kish_effect(wanted.weights_cv, wanted.population)
    if wanted.needs("denial") and wanted.denial is not None:
        with blamed("denial"):
            require_share(wanted.denial, tr("share of denials"))
    return _SOLVERS[wanted.goal](scenario, wanted)


def _sample(
    scenario: ShareScenario, wanted: Wanted, design: YesNoDesign, respondents: int
) -> SamplePlan:
    """The margin of respondents, under those of the wishes that the goal takes into account."""
    population, weights_cv = wanted.sample
    with blamed("" if population is None else "population"):
        return plan_of_sample(
            design, scenario.prevalence, respondents, wanted.confidence, population, weights_cv
        )


def _respondents_for_margin(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    with blamed("margin"):
        sample = respondents_for_margin(
            scenario.design,
            scenario.prevalence,
            wanted.margin,
            wanted.confidence,
            wanted.population,
            wanted.weights_cv,
        )
    words = tr("{people} respondents reach a margin of {margin} ({sure}) with {design}{where}.")
    return _of_sample(scenario, wanted, words, sample, respondents=sample.respondents)


def _margin(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    sample = _sample(scenario, wanted, scenario.design, scenario.respondents)
    words = tr("{people} respondents give a margin of {margin} ({sure}) with {design}{where}.")
    return _of_sample(scenario, wanted, words, sample)


def _epsilon_for_margin(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    kind = _of_epsilon(scenario.design)
    if wanted.population is not None:
        # More respondents than people is an error of the population, not of the margin.
        _sample(scenario, wanted, scenario.design, scenario.respondents)
    with blamed("margin"):
        epsilon = least_epsilon(
            kind,
            scenario.prevalence,
            wanted.margin,
            scenario.respondents,
            wanted.confidence,
            wanted.population,
            wanted.weights_cv,
        )
        design = kind.at_epsilon(epsilon)
    sample = _sample(scenario, wanted, design, scenario.respondents)
    words = tr(
        "ε = {epsilon} is the least at which {people} respondents reach a margin of {margin} "
        "({sure}) with {design}{where}."
    )
    return _of_sample(scenario, wanted, words, sample, design=design, epsilon=epsilon)


def _of_sample(
    scenario: ShareScenario,
    wanted: Wanted,
    words: str,
    sample: SamplePlan,
    *,
    design: YesNoDesign | None = None,
    respondents: int | None = None,
    epsilon: float | None = None,
) -> Outcome:
    shown = design or scenario.design
    margin = error_text(100 * sample.margin, "pp")
    where = ""
    if wanted.population is not None:
        where = tr(" in a population of {people}").format(people=f"{wanted.population:,}")
    sentence = words.format(
        people=f"{sample.respondents:,}",
        margin=margin,
        sure=percent_text(wanted.confidence),
        design=_title(shown, scenario),
        where=where,
        epsilon="" if epsilon is None else epsilon_words(epsilon),
    )
    effect = kish_effect(wanted.weights_cv)
    detail = tr(
        "The device multiplies the respondents needed by {device}, the weights by {weights}."
    )
    figures = (
        _epsilon_figure(epsilon) if epsilon is not None else _people_figure(sample.respondents),
        Figure(margin, tr("margin of the estimate, {sure}").format(sure=_sure(wanted))),
        Figure(
            factor_text(sample.design_effect),
            tr("design effect: times a direct question's n"),
            detail.format(
                device=factor_text(sample.design_effect / effect), weights=factor_text(effect)
            ),
        ),
        Figure(
            f"{sample.effective_respondents:,.0f}",
            tr("effective n: direct, truthful answers that tell as much"),
        ),
    )
    rows = [
        *_input_rows(scenario, shown, wanted, sample.respondents, epsilon),
        ("margin", number(sample.margin), "share"),
        ("design effect", number(sample.design_effect), "times"),
        ("design effect of the weights", number(effect), "times"),
        ("effective respondents", number(sample.effective_respondents), "respondents"),
    ]
    notes = []
    if wanted.weights_cv:
        notes.append(
            tr("The weights alone need {effect} the respondents (Kish).").format(
                effect=f"{significant(effect, 3)} ×"
            )
        )
    return _outcome(scenario, wanted, shown, sentence, notes, figures, rows, respondents, epsilon)


def _respondents_for_power(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    _require_test(wanted)
    with blamed("against"):
        needed = respondents_for_power(
            scenario.design,
            wanted.against,
            scenario.prevalence,
            wanted.power,
            wanted.alpha,
            two_sided=wanted.two_sided,
            second=wanted.second_design(scenario.design),
        )
    words = _words_of_power(wanted)
    return _of_power(scenario, wanted, words, scenario.design, needed, respondents=needed)


def _words_of_power(wanted: Wanted) -> str:
    if not wanted.second:
        return tr(
            "{people} respondents tell a true share of {share} from {other} with a power of "
            "{power}, with {design}."
        )
    if wanted.second == "device":
        return tr(
            "{people} respondents in each of two groups tell a true share of {share} from {other} "
            "with a power of {power}, both with {design}."
        )
    return tr(
        "{people} respondents in each of two groups tell a true share of {share} from {other} with "
        "a power of {power}, the first with {design}, the second asked directly."
    )


def _power(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    _require_test(wanted)
    words = _words_of_power(wanted)
    return _of_power(scenario, wanted, words, scenario.design, scenario.respondents)


def _epsilon_for_power(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    _require_test(wanted)
    kind = _of_epsilon(scenario.design)
    with blamed("power"):
        epsilon = least_epsilon_for_power(
            kind,
            wanted.against,
            scenario.prevalence,
            wanted.power,
            scenario.respondents,
            wanted.alpha,
            two_sided=wanted.two_sided,
        )
        design = kind.at_epsilon(epsilon)
    words = tr(
        "ε = {epsilon} is the least at which {people} respondents tell a true share of {share} "
        "from {other} with a power of {power}, with {design}."
    )
    return _of_power(scenario, wanted, words, design, scenario.respondents, epsilon=epsilon)


def _require_test(wanted: Wanted) -> None:
    with blamed("alpha"):
        require_share(wanted.alpha, tr("level"))
    with blamed("power"):
        require_share(wanted.power, tr("power"))
    if not 0 <= wanted.against <= 1:
        with blamed("against"):
            raise ParameterError(
                "A share must lie between 0 and 1.", remedy="Type a per cent such as 5."
            )


def _of_power(
    scenario: ShareScenario,
    wanted: Wanted,
    words: str,
    design: YesNoDesign,
    people: int,
    *,
    respondents: int | None = None,
    epsilon: float | None = None,
) -> Outcome:
    with blamed("against"):
        if wanted.against == scenario.prevalence:
            raise ParameterError(
                "Both shares are equal, so that there is nothing to find.",
                remedy="Type a share that differs from the true share on the left.",
            )
        chance = power(
            design,
            wanted.against,
            scenario.prevalence,
            people,
            wanted.alpha,
            two_sided=wanted.two_sided,
            second=wanted.second_design(design),
        )
    sample = _sample(scenario, wanted, design, people)
    sides = tr("two-sided") if wanted.two_sided else tr("one-sided")
    sentence = words.format(
        people=f"{people:,}",
        share=percent_text(scenario.prevalence),
        other=percent_text(wanted.against),
        power=share_text(chance),
        design=_title(design, scenario),
        epsilon="" if epsilon is None else epsilon_words(epsilon),
    )
    figures = (
        _epsilon_figure(epsilon)
        if epsilon is not None
        else _people_figure(people, in_each=wanted.second_design(design) is not None),
        Figure(share_text(chance), tr("power: chance to tell the shares apart")),
        Figure(
            percent_text(wanted.alpha),
            tr("false alarms where the share is {other}, {sides}").format(
                other=_unbroken(wanted.against), sides=sides
            ),
        ),
        Figure(
            error_text(100 * sample.margin, "pp"),
            tr("margin of the estimate, {sure}").format(sure=_sure(wanted)),
        ),
    )
    rows = [
        *_input_rows(scenario, design, wanted, people, epsilon),
        (
            "share of the null hypothesis"
            if wanted.second_design(design) is None
            else "share of the second group",
            number(wanted.against),
            "share",
        ),
        ("level", number(wanted.alpha), f"{'two' if wanted.two_sided else 'one'}-sided"),
        ("power", number(chance), "share"),
        ("margin", number(sample.margin), "share"),
    ]
    return _outcome(scenario, wanted, design, sentence, [], figures, rows, respondents, epsilon)


def _epsilon_for_belief(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    with blamed("belief"):
        epsilon = epsilon_for_posterior(scenario.prevalence, wanted.belief)
    words = tr(
        "ε = {epsilon} is the largest at which no answer lets anybody be thought a carrier with "
        "more than {cap}; before any answer it is {share}."
    ).format(
        epsilon=epsilon_under_words(epsilon),
        cap=percent_text(wanted.belief),
        share=percent_text(scenario.prevalence),
    )
    return _of_cap(scenario, wanted, words, epsilon)


def _epsilon_for_odds(scenario: ShareScenario, wanted: Wanted) -> Outcome:
    with blamed("odds"):
        epsilon = epsilon_for_odds(wanted.odds)
    words = tr(
        "ε = {epsilon} is the largest at which no answer changes the odds of being a carrier by "
        "more than {odds} times."
    ).format(epsilon=epsilon_under_words(epsilon), odds=significant(wanted.odds, 3))
    return _of_cap(scenario, wanted, words, epsilon)


def _of_cap(scenario: ShareScenario, wanted: Wanted, sentence: str, epsilon: float) -> Outcome:
    kind = _of_epsilon(scenario.design)
    with blamed("belief" if wanted.goal is Goal.EPSILON_FOR_BELIEF else "odds"):
        design = kind.at_epsilon(epsilon)
    sample = _sample(scenario, wanted, design, scenario.respondents)
    lowest, highest = posterior_range(scenario.prevalence, epsilon)
    people = f"{scenario.respondents:,}"
    figures = (
        _epsilon_figure(epsilon, epsilon_under_words(epsilon)),
        Figure(
            f"{_belief(lowest)} – {_belief(highest)}",
            tr("what an answer can make of a belief of {share}").format(
                share=percent_text(scenario.prevalence)
            ),
        ),
        Figure(
            error_text(100 * sample.margin, "pp"),
            tr("margin of {people} respondents, {sure}").format(people=people, sure=_sure(wanted)),
        ),
        Figure(
            factor_text(sample.design_effect),
            tr("design effect: times a direct question's n"),
        ),
    )
    note = tr("{people} respondents then give a margin of {margin} with {design}.").format(
        people=people,
        margin=error_text(100 * sample.margin, "pp"),
        design=_title(design, scenario),
    )
    rows = [
        *_input_rows(scenario, design, wanted, scenario.respondents, epsilon),
        ("lowest belief", number(lowest), "share"),
        ("highest belief", number(highest), "share"),
        ("margin", number(sample.margin), "share"),
        ("design effect", number(sample.design_effect), "times"),
    ]
    return _outcome(scenario, wanted, design, sentence, [note], figures, rows, None, epsilon)


def _outcome(
    scenario: ShareScenario,
    wanted: Wanted,
    design: YesNoDesign,
    sentence: str,
    notes: list[str],
    figures: tuple[Figure, ...],
    rows: list[tuple[str, str, str]],
    respondents: int | None,
    epsilon: float | None,
) -> Outcome:
    people = respondents or scenario.respondents
    if wanted.denial is not None:
        case = (design, scenario.prevalence, wanted.denial, people, *wanted.sample)
        notes = [*notes, denial_note(*case)]
        rows = [*rows, *denial_rows(*case)]
    follows = epsilon is not None and scenario.design.epsilon_decides
    if epsilon is not None and not follows:
        notes = [
            *notes,
            tr(
                "No epsilon decides the parameters of the design on the left: this is Warner's, "
                "the best there is at an ε."
            ),
        ]
    return Outcome(
        sentence=sentence,
        notes=tuple(notes),
        figures=figures,
        table=PlotTable(("quantity", "value", "unit"), tuple(rows)),
        respondents=respondents,
        epsilon=epsilon if follows else None,
        epsilon_said=figures[0].value.removeprefix(_EPSILON) if follows else "",
        design=design,
    )


def _of_epsilon(design: YesNoDesign) -> YesNoDesign:
    """The design, or Warner's where an epsilon does not decide the parameters."""
    return design if design.epsilon_decides else WarnerDesign.of_epsilon(1.0)


def _title(design: YesNoDesign, scenario: ShareScenario) -> str:
    if design == scenario.design:
        return design_title(design)
    return tr(type(design).title)


def _sure(wanted: Wanted) -> str:
    return _unbroken(wanted.confidence)


def _unbroken(share: float) -> str:
    """A share in per cent that no line ends within."""
    return percent_text(share).replace(" ", "\N{NO-BREAK SPACE}")


def _belief(belief: float) -> str:
    return f"{significant(100 * belief, 2)} %" if belief < 0.1 else belief_text(belief)


def _people_figure(respondents: int, *, in_each: bool = False) -> Figure:
    return Figure(
        f"{respondents:,}", tr("respondents in each group") if in_each else tr("respondents")
    )


def _epsilon_figure(epsilon: float, said: str = "") -> Figure:
    odds = at_most(exp(epsilon))
    return Figure(
        f"{_EPSILON}{said or epsilon_words(epsilon)}",
        tr("no answer more than {odds} times likelier").format(odds=odds),
    )


def _input_rows(
    scenario: ShareScenario,
    design: YesNoDesign,
    wanted: Wanted,
    respondents: int,
    epsilon: float | None,
) -> list[tuple[str, str, str]]:
    kind, parameters = design_cells(design)
    own = scenario.epsilon if epsilon is None else epsilon
    rows = [
        ("question", scenario.question, ""),
        ("design", kind, parameters),
        ("epsilon", number(own) if isfinite(own) else "infinite", ""),
        ("true share", number(scenario.prevalence), "share"),
        ("confidence", number(wanted.confidence), "share"),
        ("respondents", str(respondents), "respondents"),
    ]
    if wanted.needs("population") and wanted.population is not None:
        rows.append(("population", str(wanted.population), "people"))
    if wanted.needs("weights_cv") and wanted.weights_cv:
        rows.append(("coefficient of variation of the weights", number(wanted.weights_cv), ""))
    return rows


_SOLVERS: dict[Goal, Callable[[ShareScenario, Wanted], Outcome]] = {
    Goal.RESPONDENTS_FOR_MARGIN: _respondents_for_margin,
    Goal.MARGIN: _margin,
    Goal.EPSILON_FOR_MARGIN: _epsilon_for_margin,
    Goal.RESPONDENTS_FOR_POWER: _respondents_for_power,
    Goal.POWER: _power,
    Goal.EPSILON_FOR_POWER: _epsilon_for_power,
    Goal.EPSILON_FOR_BELIEF: _epsilon_for_belief,
    Goal.EPSILON_FOR_ODDS: _epsilon_for_odds,
}
