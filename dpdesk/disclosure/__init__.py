"""How recognisable respondents are on columns that are not, or not wholly, randomized.

Everything here is computed from true answers and is for the holder of the data, except what is a
function of columns that are released as they are.
"""

from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.disclosure.columns import chosen_columns, chosen_weights
from dpdesk.disclosure.diversity import diversity
from dpdesk.disclosure.measure import (
    DisclosureRisk,
    RiskQuestion,
    disclosure_risk,
    special_uniques_of,
)
from dpdesk.disclosure.risks import individual_risk
from dpdesk.disclosure.special_uniques import SpecialUniques, special_uniques
