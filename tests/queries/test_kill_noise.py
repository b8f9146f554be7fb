from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpdesk.queries.selection import calibrate_choice, calibrate_quantile
from dpdesk.queries.selection.laws import choice_measurement
from tests.mechanisms.mutation import Fault
from tests.mechanisms.test_kill_matrix import checks_of
from tests.queries import gaussian_checks, noise_checks, noise_draws, selection_checks
from tests.queries.noise_faults import FAULTS

# Calls of a check that are not one.
NO_CHECKS = {
    noise_checks.forget,
    gaussian_checks.excess_of_move,
    gaussian_checks.moves_made,
    selection_checks.choice_of,
    selection_checks.scores_of,
}


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    yield
    noise_checks.forget()
    calibrate_choice.cache_clear()
    calibrate_quantile.cache_clear()
    choice_measurement.cache_clear()


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_that_a_fault_of_noise_or_selection_is_noticed(fault: Fault) -> None:
    assert fault.is_noticed(), f"{fault.check.__name__} does not notice: {fault.name}"


def test_that_every_check_of_noise_and_selection_notices_some_fault() -> None:
    modules = (gaussian_checks, noise_checks, noise_draws, selection_checks)
    checks = set().union(*map(checks_of, modules))
    idle = checks - NO_CHECKS - {fault.check for fault in FAULTS}
    assert not idle, sorted(check.__name__ for check in idle)


def test_that_faults_of_noise_and_selection_have_names_of_their_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
