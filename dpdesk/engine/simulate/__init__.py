"""Simulations from seeded generators, for study and planning; their results are never released.

The experiment (`experiment`) and the attack (`attack`) are imported from their own modules, so
that the window's preview does not load them.
"""

from dpdesk.engine.simulate.tallies import (
    simulate_counts,
    simulate_estimates,
)
