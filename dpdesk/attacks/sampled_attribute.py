"""Attribute inference: which of the answers that a respondent reports under RS+FD was real?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, said, severity_of
from dpdesk.attacks.target import Target
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.simulate.attack import (
    VARIANTS,
    AttackOutcome,
    AttackRequest,
    AttackResult,
    Classifier,
    Knowledge,
    run_attack,
)
from dpdesk.i18n import N_
from dpdesk.numbers.digits import share_text, significant

_REALISTIC = "rfd-grr"


class SampledAttribute(SeededAttack):
    """Fakes that are drawn from another law than real answers give the real one away."""

    title = N_("Sampled attribute")
    question = N_("Which of a respondent's reported answers was real, and which were made up?")
    method = N_(
        "Under RS+FD each respondent reports one real answer among made-up ones. The attacker "
        "names the answer that is most probably the real one, by the exact posterior or by trees."
    )
    reference = "Arcolezi, Gambs, Couchot & Palamidessi 2023, PVLDB 16, 1126-1139"
    stopped_by = N_("realistic fakes (RS+RFD), or a smaller epsilon")
    takes_long = True

    kind: Literal["sampled-attribute"] = "sampled-attribute"
    variants: Annotated[
        tuple[str, ...],
        Field(
            title="Variants",
            description="variants of RS+FD to attack: grr, sue-z, oue-z, sue-r, oue-r, rfd-grr, "
            "rfd-sue-r, rfd-oue-r; if empty what the plan says, else all of RS+FD",
        ),
    ] = ()
    epsilons: Annotated[
        tuple[float, ...],
        Field(title="Epsilons", description="nominal epsilons of the publications"),
    ] = (1.0, 4.0, 10.0)
    knowledge: Annotated[
        Knowledge,
        Field(title="Knowledge", description="whose real attribute the attacker knows"),
    ] = "none"
    classifier: Annotated[
        Classifier, Field(title="Guesses by", description="the exact posterior, or trained trees")
    ] = "bayes"
    synthetic: Annotated[
        int,
        Field(
            ge=1,
            le=100,
            title="Synthetic profiles",
            description="profiles per respondent that trees are trained on",
        ),
    ] = 5
    compromised: Annotated[
        float,
        Field(
            gt=0,
            lt=1,
            title="Known respondents",
            description="share of the respondents that partial or full knowledge covers",
        ),
    ] = 0.1

    def request(self, target: Target) -> AttackRequest:
        """Returns the attack on a plan that fakes answers, or on the variants."""
        fakes = target.plan is not None and target.plan.strategy in ("rsfd", "rsrfd")
        usual = tuple(name for name, variant in VARIANTS.items() if not variant.realistic)
        return AttackRequest(
            variants=self.variants or (() if fakes else usual),
            epsilons=self.epsilons,
            knowledge=self.knowledge,
            classifier=self.classifier,
            synthetic=self.synthetic,
            compromised=self.compromised,
            seed=self.seed,
        )

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        request = self.request(target)
        result = run_attack(target.table, target.plan, request, tracker)
        if not request.variants:
            return findings_of(result)
        best = _best(result)
        # The same attacker, who knows as much and guesses in the same way.
        realistic = replace(request, variants=(_REALISTIC,), epsilons=(best.nominal_epsilon,))
        after = run_attack(target.table, target.plan, realistic, tracker).outcomes[0]
        remedy = Remedy(
            said(
                N_("realistic fakes, {variant} at ε = {epsilon} of the papers"),
                variant=after.title,
                epsilon=significant(best.nominal_epsilon, 3),
            ),
            after.accuracy,
        )
        return findings_of(result, (remedy,))


def _best(result: AttackResult) -> AttackOutcome:
    return max(result.outcomes, key=lambda outcome: outcome.accuracy)


def findings_of(result: AttackResult, remedies: tuple[Remedy, ...] = ()) -> Findings:
    """Returns what an attack on RS+FD found as the findings of an attack.

    Args:
        result: Its accuracies.
        remedies: What would have stopped it, where that was computed.
    """
    best = _best(result)
    return Findings(
        best.accuracy,
        result.baseline,
        said(N_("real answer found in {share}"), share=share_text(best.accuracy)),
        remedies,
        (
            said(
                N_(
                    "{rows} respondents reported one real answer among {d} each; the attacker "
                    "named the real one for {share} of them, with {variant}."
                ),
                rows=result.respondents,
                d=len(result.attributes),
                share=share_text(best.accuracy),
                variant=best.title,
            ),
            *(
                said(
                    N_("{variant}, ε = {epsilon}: {share} ({lower} to {upper})."),
                    variant=one.title,
                    epsilon=significant(one.nominal_epsilon, 3),
                    share=share_text(one.accuracy),
                    lower=share_text(one.lower),
                    upper=share_text(one.upper),
                )
                for one in result.outcomes
            ),
        ),
        _picture(result),
        said(
            N_("{d} questions, {rows} respondents"),
            d=len(result.attributes),
            rows=result.respondents,
        ),
        severity_of(best.accuracy, result.baseline),
        {"respondents": result.respondents, "attributes": len(result.attributes)},
    )


def _picture(result: AttackResult) -> Picture:
    names = list(dict.fromkeys(one.variant for one in result.outcomes))
    titles = {one.variant: one.title for one in result.outcomes}
    epsilons = list(dict.fromkeys(one.nominal_epsilon for one in result.outcomes))
    return Picture(
        said(N_("How often the real answer was named")),
        said(N_("Variant")),
        said(N_("Right (%)")),
        tuple(float(place) for place in range(len(names))),
        (
            *(
                Series(
                    said(N_("ε = {epsilon} of the papers"), epsilon=significant(epsilon, 3)),
                    tuple(result.outcome(name, epsilon).accuracy for name in names),
                    "bars",
                )
                for epsilon in epsilons
            ),
            Series(said(N_("guess")), (result.baseline,) * len(names), "dashed"),
        ),
        labels=tuple(said("{name}", name=titles[name]) for name in names),
    )
