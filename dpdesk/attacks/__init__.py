"""What could somebody do with it? Attacks, each with its success beside that of guessing.

Adding one touches its file, the tuple `ATTACKS`, its section in the help page and its test. Results
are private to the holder of the data.
"""

from dpdesk.attacks.averaging import Averaging
from dpdesk.attacks.base import Attack
from dpdesk.attacks.differencing import Differencing
from dpdesk.attacks.findings import Findings, Phrase, Picture, Series, effect, in_words
from dpdesk.attacks.homogeneity import Homogeneity
from dpdesk.attacks.largest_value import LargestValue
from dpdesk.attacks.linkage import Linkage
from dpdesk.attacks.membership import Membership
from dpdesk.attacks.reconstruction import Reconstruction
from dpdesk.attacks.sampled_attribute import SampledAttribute
from dpdesk.attacks.swapped_coin import SwappedCoin
from dpdesk.attacks.target import Target
from dpdesk.attacks.tracker import TrackerAttack

ATTACKS: tuple[type[Attack], ...] = (
    Linkage,
    Homogeneity,
    Differencing,
    TrackerAttack,
    Averaging,
    Reconstruction,
    SampledAttribute,
    Membership,
    SwappedCoin,
    LargestValue,
)
"""All attacks in the order in which they are listed; cautionary tales last."""
