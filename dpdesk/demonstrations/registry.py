"""The list of kinds of scenes. To add one, write a class under `scenes` and add it to the tuple."""

from __future__ import annotations

from dpdesk.demonstrations.scene import SceneKind
from dpdesk.demonstrations.scenes.counts import (
    AskedAgain,
    LedgerPage,
    LocalCentral,
    OneCount,
    TwoCounts,
)
from dpdesk.demonstrations.scenes.odds import Odds
from dpdesk.demonstrations.scenes.oracles import Compared, ErrorByAnswers, Reports
from dpdesk.demonstrations.scenes.samples import ErrorByPeople, ManySurveys, Room
from dpdesk.demonstrations.scenes.strategies import FakeLoss, SentRecord, Strategies
from dpdesk.demonstrations.scenes.surveys import Belief, DeviceRule, PeopleNeeded, Survey

SCENES: tuple[type[SceneKind], ...] = (
    Survey,
    DeviceRule,
    Belief,
    PeopleNeeded,
    ManySurveys,
    ErrorByPeople,
    Room,
    Odds,
    Reports,
    Compared,
    ErrorByAnswers,
    Strategies,
    FakeLoss,
    SentRecord,
    LocalCentral,
    OneCount,
    AskedAgain,
    LedgerPage,
    TwoCounts,
)
"""Every kind, in the order in which the help lists them."""
