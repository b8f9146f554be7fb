"""What is timed against other libraries: the tasks, and how either side does them.

Imported by the interpreter of the peers too, so nothing of dpdesk and of the peers is imported
before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

EPSILON = 1.0
LOWER, UPPER = 18, 99
NUMERIC = (
    "bounded_staircase", "laplace", "staircase", "duchi", "piecewise", "hybrid", "square_wave",
)  # fmt: skip
"""Mechanisms for numbers that are compared with unbounded staircase noise."""

Work = Callable[[], object]


class Task(NamedTuple):
    """One comparison. Times are per row, so the slow side may have fewer rows.

    Attributes:
        title: Row of the table.
        floor: How many times as fast dpdesk has to be.
        peer: The library.
        kind: Mechanism, as dpdesk names it.
        step: Reports from answers, or shares from reports.
        size: Number of categories, or of grid points.
        peer_rows: Rows that the peer is given.
        rows: Rows that dpdesk is given.
    """

    title: str
    floor: float
    peer: Literal["multi-freq-ldpy", "pure-ldp", "diffprivlib"]
    kind: str
    step: Literal["draw", "estimate"]
    size: int
    peer_rows: int
    rows: int


def _tasks() -> dict[str, Task]:
    multi, pure, draw, estimate = "multi-freq-ldpy", "pure-ldp", "draw", "estimate"
    made = [
        Task("GRR, drawing, k = 16", 15, multi, "grr", draw, 16, 1_000_000, 1_000_000),
        Task("OUE, drawing, k = 16", 10, multi, "oue", draw, 16, 200_000, 1_000_000),
        Task("OUE, drawing, k = 128", 10, multi, "oue", draw, 128, 100_000, 200_000),
        Task("GRR, shares, k = 16", 20, multi, "grr", estimate, 16, 1_000_000, 1_000_000),
        Task("OUE, shares, k = 16", 20, multi, "oue", estimate, 16, 200_000, 1_000_000),
        Task("OUE, shares, k = 128", 20, multi, "oue", estimate, 128, 100_000, 200_000),
        Task("OLH, drawing, k = 128", 50, multi, "olh", draw, 128, 20_000, 100_000),
        Task("OLH, drawing, k = 1024", 50, multi, "olh", draw, 1024, 10_000, 100_000),
        Task("OLH, shares, k = 128", 50, multi, "olh", estimate, 128, 1_000, 100_000),
        Task("OLH, shares, k = 1024", 50, multi, "olh", estimate, 1024, 200, 100_000),
        Task("OLH, drawing, k = 128", 50, pure, "olh", draw, 128, 20_000, 100_000),
        Task("OLH, drawing, k = 1024", 50, pure, "olh", draw, 1024, 20_000, 100_000),
        Task("OLH, shares, k = 128", 50, pure, "olh", estimate, 128, 1_000, 100_000),
        Task("OLH, shares, k = 1024", 50, pure, "olh", estimate, 1024, 200, 100_000),
        Task("subset selection, drawing, k = 16", 10, multi, "subset_selection", draw, 16,
             100_000, 200_000),
        Task("subset selection, drawing, k = 128", 5, multi, "subset_selection", draw, 128,
             50_000, 100_000),
        Task("subset selection, shares, k = 128", 50, multi, "subset_selection", estimate, 128,
             10_000, 100_000),
        Task("Hadamard, drawing, k = 128", 50, pure, "hadamard", draw, 128, 20_000, 1_000_000),
        Task("Hadamard, shares, k = 128", 50, pure, "hadamard", estimate, 128, 5_000, 1_000_000),
        Task("RAPPOR, drawing, k = 128, 128 bits", 20, pure, "rappor", draw, 128, 10_000, 100_000),
        Task("RAPPOR, shares, k = 128, 128 bits", 20, pure, "rappor", estimate, 128, 100_000,
             100_000),
        Task("bounded Laplace, drawing, 18 to 99", 500, "diffprivlib", "bounded_laplace", draw, 82,
             5_000, 1_000_000),
        *(
            Task(f"{kind}, drawing, 18 to 99, against Staircase", 100, "diffprivlib", kind, draw,
                 82, 20_000, 1_000_000)
            for kind in NUMERIC
        ),
    ]  # fmt: skip
    return {f"{task.kind}/{task.step}/{task.size}/{task.peer}": task for task in made}


TASKS = _tasks()


def peer_work(task: Task) -> Work:
    """The task with the peer, called as its documentation shows: once per respondent."""
    answers = [row * 7919 % task.size for row in range(task.peer_rows)]
    if task.peer == "diffprivlib":
        from diffprivlib.mechanisms import LaplaceBoundedDomain, Staircase

        width = UPPER - LOWER
        mechanism = (
            LaplaceBoundedDomain(epsilon=EPSILON, sensitivity=width, lower=LOWER, upper=UPPER)
            if task.kind == "bounded_laplace"
            else Staircase(epsilon=EPSILON, sensitivity=width)
        )
        ages = [LOWER + answer for answer in answers]
        return lambda: [mechanism.randomise(age) for age in ages]
    draw, estimate = (_multi if task.peer == "multi-freq-ldpy" else _pure)(task, answers)
    if task.step == "draw":
        return draw
    reports = draw()
    return lambda: estimate(reports)


Reports = Sequence[Any]
Steps = tuple[Callable[[], Reports], Callable[[Reports], object]]


def _multi(task: Task, answers: list[int]) -> Steps:
    k = task.size
    from multi_freq_ldpy.pure_frequency_oracles import GRR, LH, SS, UE

    if task.kind == "grr":
        return (
            lambda: [GRR.GRR_Client(answer, k, EPSILON) for answer in answers],
            lambda reports: GRR.GRR_Aggregator_MI(reports, k, EPSILON),
        )
    if task.kind == "oue":
        return (
            lambda: [UE.UE_Client(answer, k, EPSILON) for answer in answers],
            lambda reports: UE.UE_Aggregator_MI(reports, EPSILON),
        )
    if task.kind == "olh":
        return (
            lambda: [LH.LH_Client(answer, k, EPSILON) for answer in answers],
            lambda reports: LH.LH_Aggregator_MI(reports, k, EPSILON),
        )
    assert task.kind == "subset_selection"
    return (
        lambda: [SS.SS_Client(answer, k, EPSILON) for answer in answers],
        lambda reports: SS.SS_Aggregator_MI(reports, k, EPSILON),
    )


def _pure(task: Task, answers: list[int]) -> Steps:
    from pure_ldp.frequency_oracles.hadamard_response import HadamardResponseClient as HrClient
    from pure_ldp.frequency_oracles.hadamard_response import HadamardResponseServer as HrServer
    from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer
    from pure_ldp.frequency_oracles.rappor import RAPPORClient, RAPPORServer

    k = task.size
    make: Callable[[], Any]
    if task.kind == "rappor":
        # As many bits, hashes and cohorts as dpdesk takes; the peer has no second step.
        f = RAPPORServer(0.5, 128, 2, k).convert_eps_to_f(EPSILON)
        hashed = RAPPORServer(f, 128, 2, k)
        client = RAPPORClient(f, 128, hashed.get_hash_funcs())

        def make() -> Any:
            server = RAPPORServer(f, 128, 2, k)
            server.hash_family = hashed.hash_family
            return server

    elif task.kind == "olh":
        client = LHClient(EPSILON, k, use_olh=True)
        make = lambda: LHServer(EPSILON, k, use_olh=True)  # noqa: E731
    else:
        assert task.kind == "hadamard"
        hash_functions = HrServer(EPSILON, k).get_hash_funcs()
        client = HrClient(EPSILON, k, hash_functions)
        make = lambda: HrServer(EPSILON, k)  # noqa: E731
    # Both libraries count answers from 1.
    data = [answer + 1 for answer in answers]

    def shares(reports: Reports) -> list[float]:
        server = make()
        for report in reports:
            server.aggregate(report)
        return [server.estimate(value + 1, suppress_warnings=True) for value in range(k)]

    return lambda: [client.privatise(answer) for answer in data], shares


def dpdesk_work(task: Task) -> Work:
    """The task with dpdesk."""
    import numpy as np

    from dpdesk.domains import Categorical, Integer
    from dpdesk.mechanisms import mechanism_named
    from dpdesk.randomness import SystemWords

    domain: Categorical | Integer = (
        Integer(lower=LOWER, upper=UPPER)
        if task.peer == "diffprivlib"
        else Categorical(values=tuple(f"v{i}" for i in range(task.size)))
    )
    bound = mechanism_named(task.kind)(epsilon="1").bind(domain)
    codes = (np.arange(task.rows, dtype=np.int64) * 7919 % task.size).astype(np.int32)
    if task.step == "draw":
        return lambda: bound.randomize(codes, SystemWords())
    reports = bound.randomize(codes, SystemWords())
    return lambda: bound.estimate(bound.tally(reports))
