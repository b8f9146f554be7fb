"""The ledger: every release is charged to it, so that losses about the same people add up."""

from dpdesk.ledger.account import (
    MODELS,
    Cap,
    Charge,
    KindName,
    Model,
    PastRelease,
    Population,
    Spent,
    count_half_width,
    counts_left,
    epsilon_of_count,
    share_half_width,
    spent_in,
)
from dpdesk.ledger.book import Book
from dpdesk.ledger.ledger import Ledger
from dpdesk.ledger.obstacles import obstacles, open_questions
from dpdesk.ledger.place import default_path
from dpdesk.ledger.recognise import Fingerprint, Resemblance
from dpdesk.ledger.recovery import accept_older, set_aside
