"""Planning a survey: the unknown one of respondents, margin, power and epsilon.

With V = pi (1 - pi) + V_R (`Design.planned_variance`), an estimate from n respondents has the
standard error sqrt(V / n).
"""

from dpdesk.designs.planning.epsilon import (
    epsilon_for_margin,
    epsilon_for_odds,
    epsilon_for_posterior,
    least_epsilon,
    least_epsilon_for_power,
    posterior_range,
)
from dpdesk.designs.planning.margin import (
    LARGEST_SAMPLE,
    SamplePlan,
    kish_effect,
    plan_of_sample,
    planned_error,
    require_share,
    respondents_for_margin,
)
from dpdesk.designs.planning.power import (
    denied_error,
    power,
    respondents_for_power,
    respondents_to_beat_direct,
)
from dpdesk.designs.planning.questionnaire import (
    PlannedQuestion,
    Question,
    QuestionnairePlan,
    Split,
    plan_of_questionnaire,
)
from dpdesk.designs.planning.strata import (
    Allocation,
    StratifiedPlan,
    Stratum,
    allocate,
    plan_of_strata,
    respondents_for_strata,
)

__all__ = [
    "LARGEST_SAMPLE",
    "Allocation",
    "PlannedQuestion",
    "Question",
    "QuestionnairePlan",
    "SamplePlan",
    "Split",
    "StratifiedPlan",
    "Stratum",
    "allocate",
    "denied_error",
    "epsilon_for_margin",
    "epsilon_for_odds",
    "epsilon_for_posterior",
    "kish_effect",
    "least_epsilon",
    "least_epsilon_for_power",
    "plan_of_questionnaire",
    "plan_of_sample",
    "plan_of_strata",
    "planned_error",
    "posterior_range",
    "power",
    "require_share",
    "respondents_for_margin",
    "respondents_for_power",
    "respondents_for_strata",
    "respondents_to_beat_direct",
]
