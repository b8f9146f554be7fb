from __future__ import annotations

from types import FunctionType, ModuleType

import pytest

from tests.channel import certificate_checks, kernel_checks, law_checks
from tests.channel import window_checks as window_law_checks
from tests.cost import cost_checks
from tests.engine.simulate import simulation_checks
from tests.mechanisms import (
    added_noise_checks,
    choice_checks,
    drawn_checks,
    estimator_checks,
    fake_data_checks,
    golden_checks,
    hadamard_checks,
    hashing_checks,
    possible_shares_checks,
    pram_checks,
    rappor_checks,
    release_checks,
    subset_checks,
    weight_checks,
    window_checks,
)
from tests.mechanisms.faults import FAULTS
from tests.mechanisms.mutation import Check, Fault
from tests.randomness import randomness_checks

MODULES = (
    added_noise_checks,
    choice_checks,
    cost_checks,
    randomness_checks,
    law_checks,
    certificate_checks,
    kernel_checks,
    golden_checks,
    estimator_checks,
    drawn_checks,
    release_checks,
    fake_data_checks,
    possible_shares_checks,
    pram_checks,
    rappor_checks,
    hashing_checks,
    subset_checks,
    hadamard_checks,
    simulation_checks,
    weight_checks,
    window_law_checks,
    window_checks,
)


def checks_of(module: ModuleType) -> set[Check]:
    """The functions of a module that are checks: public, its own, and without arguments."""
    return {
        value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and not name.startswith("_")
        and value.__code__.co_argcount == value.__code__.co_kwonlyargcount == 0
    }


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_that_a_fault_is_noticed_by_its_check(fault: Fault) -> None:
    assert fault.is_noticed(), f"{fault.check.__name__} does not notice: {fault.name}"


def test_that_every_check_notices_some_fault() -> None:
    checks = set().union(*(checks_of(module) for module in MODULES))
    assert len(checks) > 40
    idle = checks - {fault.check for fault in FAULTS}
    assert not idle, sorted(check.__name__ for check in idle)


def test_that_a_fault_is_gone_when_its_context_ends() -> None:
    for fault in FAULTS[:3]:
        with fault.in_place():
            pass
        fault.check()


def test_that_faults_have_names_of_their_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
