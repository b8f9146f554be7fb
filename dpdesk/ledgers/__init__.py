"""The ledger: every release is charged to it, so that losses about the same people add up."""

from dpdesk.ledgers.account import (
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
from dpdesk.ledgers.book import Book
from dpdesk.ledgers.ledger import Ledger
from dpdesk.ledgers.obstacles import obstacles, open_questions
from dpdesk.ledgers.place import default_path
from dpdesk.ledgers.recognise import Fingerprint, Resemblance
from dpdesk.ledgers.recovery import accept_older, set_aside
