"""Guided demonstrations for workshops: steps, the numbers behind them and what they draw; no Qt."""

from dpdesk.demonstrations.demonstration import Demonstration, Scene, Step
from dpdesk.demonstrations.reader import demonstration, demonstrations, read_demonstration
from dpdesk.demonstrations.scene import Inputs, Tallies
