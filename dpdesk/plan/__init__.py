"""The plan: the user's decisions, their checks, their file and their budget."""

from dpdesk.plan.budget import mechanism_at, resplit
from dpdesk.plan.checks.records import check
from dpdesk.plan.checks.table import check_table
from dpdesk.plan.column import ColumnPlan, Provenance, Role
from dpdesk.plan.column_changes import confirm_domains
from dpdesk.plan.draft import draft_codebook, draft_questionnaire, draft_table
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.file import load_plan, plan_from_json, plan_schema, plan_to_json, save_plan
from dpdesk.plan.losses import (
    attribute_losses,
    bind_column,
    hides_the_attribute,
    loss_of_one_attribute,
    nominal_epsilon,
    plan_cost,
    total_epsilon,
)
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.missing_changes import declare_missing
from dpdesk.plan.model import Plan, PlanDetails, released_names, sampled_attribute_name
from dpdesk.plan.problem import Problem, errors_of, grouped
from dpdesk.plan.protection import choose_best, protect, protect_unassigned
from dpdesk.plan.statistics import BUDGET_MAX
