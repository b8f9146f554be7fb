"""`dpdesk experiment`: the averaged squared error of strategies over several attributes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.request_options import add_request, request_of
from dpdesk.cli.simulation import add_simulation, epsilon_text, print_private, read_simulated
from dpdesk.cli.texts import T
from dpdesk.requests.simulations import ExperimentRequest

if TYPE_CHECKING:
    from dpdesk.engine import Tracker
    from dpdesk.engine.simulate.experiment import ExperimentResult

DESCRIPTION = (
    "Simulates surveys with the true counts under several strategies and prints the mean squared "
    "error of the estimated shares. Nothing is released or written."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk experiment`."""
    add_request(parser, ExperimentRequest)
    add_simulation(parser)


def run(options: argparse.Namespace) -> int:
    """Simulates surveys under each strategy and prints their errors."""
    from dpdesk.cli.progress import progress_bar

    with progress_bar() as tracker:
        return print_private(options, answered(options, tracker), _print)


def answered(options: argparse.Namespace, tracker: Tracker | None = None) -> ExperimentResult:
    """Returns the errors of each strategy at each epsilon."""
    from dpdesk.engine.jobs import untracked
    from dpdesk.engine.simulate.attributes import attributes_of_plan, attributes_of_table
    from dpdesk.engine.simulate.experiment import run_experiment

    table, plan = read_simulated(options)
    attributes = (
        attributes_of_table(table, options.drop)
        if plan is None
        else attributes_of_plan(table, plan)
    )
    return run_experiment(
        attributes, request_of(ExperimentRequest, options), tracker or untracked()
    )


def _print(result: ExperimentResult) -> None:
    from dpdesk.cli.terminal import print_rows, print_table
    from dpdesk.engine.simulate.variants import STRATEGIES
    from dpdesk.numbers import bound_text
    from dpdesk.numbers.digits import epsilon_up

    request, epsilons = result.request, result.request.epsilons
    setting = [
        ("respondents", f"{result.respondents:,}"),
        ("attributes", str(len(result.attributes))),
        ("repetitions", f"{request.repetitions:,}"),
        ("seed", str(request.seed)),
    ]
    print_rows(setting)
    losses = {
        epsilon_text(point.epsilon): point.record_epsilon
        for point in result.points
        if point.record_epsilon != point.epsilon
    }
    if losses:
        listed = [f"{nominal}: {epsilon_up(loss)}" for nominal, loss in losses.items()]
        print(T.RECORDS_LOSE_MORE(losses=listed))
    head = ("epsilon", *map(epsilon_text, epsilons))
    for title, projected in (
        ("Mean squared error x 1000, clipped and normalized", True),
        ("Mean squared error x 1000, raw", False),
    ):
        print(f"\n{title}")
        rows = [
            (
                STRATEGIES[result.points[start].strategy],
                *(
                    f"{1000 * (point.projected if projected else point.raw):.4g}"
                    for point in result.points[start : start + len(epsilons)]
                ),
            )
            for start in range(0, len(result.points), len(epsilons))
        ]
        print_table([head, *rows])
    # An estimate that is never wrong, of an attribute with one answer, has no error to compare.
    errors = [100 * p.projected_error / p.projected for p in result.points if p.projected]
    if errors:
        print(T.SIMULATION_ERROR(percent=bound_text(max(errors), 2)))
