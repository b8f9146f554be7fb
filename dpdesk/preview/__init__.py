"""What the window shows of a plan, as arrays and values: in closed form, without Qt, cached.

Only `draws` holds random numbers: hypothetical outcomes of a seeded simulation, named as such.
"""

from dpdesk.numbers.digits import (
    at_most,
    belief_text,
    error_text,
    factor_text,
    fraction_text,
    highest_belief_text,
    ratio_text,
    share_text,
    significant,
)
from dpdesk.plan.joint_errors import joint_error
from dpdesk.plan.joint_question import JointQuestion
from dpdesk.plan.joint_target import plan_for_joint_error
from dpdesk.plan.usefulness import RESPONDENTS_ASSUMED
from dpdesk.preview.accuracy import AccuracyView, Curve, accuracy_view
from dpdesk.preview.choice import choice_view, explain_choice
from dpdesk.preview.divergences import LossView, loss_view
from dpdesk.preview.draws import DrawsView, draws_view
from dpdesk.preview.figures import PRIOR, BeliefView, Figures, belief_view, figures, posterior
from dpdesk.preview.noise import NoiseView, noise_view
from dpdesk.preview.request import (
    PreviewRequest,
    request_for,
)
from dpdesk.preview.solve import epsilon_for_error, plan_for_errors
