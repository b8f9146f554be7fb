"""Planning a survey: the unknown one of respondents, margin, power and epsilon.

`Sample` is what is supposed, and what is planned; `solve` finds what is wanted of one question.
"""

from dpdesk.designs.beliefs import posterior_range
from dpdesk.designs.law import require_share
from dpdesk.designs.people import Mean, People, Share, Shares
from dpdesk.designs.planning.devices import (
    Built,
    built,
    built_with,
    cheapest,
    epsilon_steps,
    next_above,
    people_for_same_margin,
    reaching,
    require_at,
    require_built,
    require_built_with,
    serving,
    steps_of,
    tool_of,
    why_none,
)
from dpdesk.designs.planning.epsilon import epsilon_for_odds, epsilon_for_posterior, least_epsilon
from dpdesk.designs.planning.goals import (
    TESTS,
    FieldError,
    Goal,
    Outcome,
    Unknown,
    Wanted,
    in_field,
    solve,
)
from dpdesk.designs.planning.power import (
    Contrast,
    Second,
    denied_error,
    least_epsilon_for_power,
    power,
    respondents_for_power,
    respondents_to_beat_direct,
    typical_error,
)
from dpdesk.designs.planning.questionnaire import (
    PlannedQuestion,
    Question,
    QuestionnairePlan,
    Split,
    plan_of_questionnaire,
)
from dpdesk.designs.planning.sample import Sample, kish_effect, respondents_for_margin
from dpdesk.designs.planning.strata import (
    Allocation,
    StratifiedPlan,
    Stratum,
    allocate,
    plan_of_strata,
    respondents_for_strata,
)
