"""Randomizing devices that exist: coins, dice, cards, birthdays, digits, spinners, beads, screens.

Each is one kind that says everything it knows: what is needed, its exact chances, the rule in
words and as a picture, and whether it is fair enough.
"""

from dpdesk.designs.devices.at_hand import bead_shown
from dpdesk.designs.devices.catalogue import (
    ANY_DEVICE,
    AT_HAND,
    CATALOGUE,
    SCREEN,
    DeviceChoice,
    asked_exactly,
    device_named,
    events_at_hand,
)
from dpdesk.designs.devices.device import (
    Chances,
    Device,
    Draw,
    Picture,
    another_for_each,
    certain,
    chance_words,
    unseen,
)
from dpdesk.designs.devices.drawing import Sketch
from dpdesk.designs.devices.of_people import BIRTHDAY, BIRTHDAYS, MONTHS, share_of_months
from dpdesk.designs.devices.screen_rule import ScreenRule, screen_rule, screen_warnings
