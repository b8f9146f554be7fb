"""Records whose reports the workers of a cluster draw: the same law, every respondent once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from dpdesk.cli.main import main
from dpdesk.data.read_file import load_declared
from dpdesk.data.read_records import read_records
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical
from dpdesk.engine import Tracker, sanitize, untracked
from dpdesk.engine.cluster import Cluster, cluster
from dpdesk.engine.texts import T
from dpdesk.errors import Cancelled, InputError
from dpdesk.estimation import Released, bind_attributes
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.unary_encoding import Oue
from dpdesk.plan import Plan
from dpdesk.plan.file import plan_to_json
from tests.data.server import serving
from tests.engine import cluster_work as work
from tests.engine.survey import COLOURS, column, lively_survey, survey, survey_plan
from tests.refusals import refused

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

SANITIZE = sys.modules["dpdesk.engine.sanitize"]
ALPHA = 1e-9


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    with cluster(workers=2) as found:
        yield found


def run(
    table: SurveyTable, plan: Plan, folder: Path, workers: Cluster | None
) -> tuple[Released, SurveyTable]:
    folder.mkdir()
    released = sanitize(table, plan, folder, untracked(), cluster=workers)
    return released, read_records(folder)


READ_AS_CSV = ("--encoding", "utf-8", "--delimiter", "comma", "--decimal", ".")


def colour_plan(rows: int) -> Plan:
    """A plan for a survey of colours alone."""
    colour = column(
        "colour",
        kind="nominal",
        domain=Categorical(values=COLOURS),
        role="protect",
        mechanism=Grr(epsilon=Decimal(1)),
    )
    return survey_plan().with_fields(respondents=rows, columns=(colour,))


def small_parts(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(SANITIZE, "_PART_ROWS", rows)


def tracing(plan: Plan) -> Plan:
    """The plan with the identifier kept, by which a record is followed."""
    return plan.with_column("id", role="keep", kind="nominal", keep_confirmed=True)


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("rows", [70, 500])
def test_that_every_respondent_has_one_record(
    shuffle: bool, rows: int, workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small_parts(monkeypatch, rows)
    table = survey()
    released, records = run(table, tracing(survey_plan(shuffle=shuffle)), tmp_path / "r", workers)
    assert released.rows == records.rows == 500
    assert Counter(records.column("id").texts()) == Counter(table.column("id").texts())
    # A record stays whole: what is kept of a respondent stands in one row.
    region_of = dict(zip(table.column("id").texts(), table.column("region").texts(), strict=True))
    pairs = zip(records.column("id").texts(), records.column("region").texts(), strict=True)
    assert all(region_of[who] == region for who, region in pairs)
    assert (records.column("id").texts() == table.column("id").texts()) is not shuffle


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd"])
def test_that_the_counts_are_those_of_the_records(
    strategy: str, workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small_parts(monkeypatch, 130)
    plan = survey_plan().with_fields(strategy=strategy)
    if strategy == "rsfd":
        plan = plan.with_column("age", role="drop")
    released, records = run(lively_survey(), plan, tmp_path / "r", workers)
    for attribute in released.attributes:
        name = attribute.column.name
        if attribute.bound.form == "symbol":
            counts = Counter(records.column(name).texts())
            wanted = [counts[text] for text in attribute.bound.outputs]
            assert attribute.tally.counts.tolist() == wanted
    if strategy == "smp":
        assert sum(attribute.tally.reports for attribute in released.attributes) == 500


ROWS = 60_000


@pytest.mark.parametrize("who", ["one machine", "two workers"])
def test_that_reports_have_the_law_of_the_plan(
    who: str, workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each report under each answer is as frequent as the integer law says (exact binomial)."""
    small_parts(monkeypatch, 7_000)
    table = table_from_texts(
        {
            "colour": [COLOURS[row % 3] for row in range(ROWS)],
            "fruit": ["apple" if row % 5 else "pear" for row in range(ROWS)],
            "truth": [
                f"{COLOURS[row % 3]} {'apple' if row % 5 else 'pear'}" for row in range(ROWS)
            ],
        }
    )
    plan = survey_plan().with_fields(
        respondents=ROWS,
        columns=(
            survey_plan().column("colour"),
            survey_plan().column("fruit"),
            column("truth", kind="nominal", role="keep", keep_confirmed=True),
        ),
    )
    released, records = run(table, plan, tmp_path / "r", workers if who == "two workers" else None)
    (_, grr), (_, oue) = bind_attributes(plan)
    assert isinstance(grr.mechanism, Grr)
    assert isinstance(oue.mechanism, Oue)
    truth = np.array(records.column("truth").texts())
    reports = np.array(records.column("colour").texts())
    lie = 1 / (np.exp(1) + 2)
    bits = {name: np.array(records.column(f"fruit={name}").texts()) for name in ("apple", "pear")}
    cells = []
    for true in COLOURS:
        own = reports[np.char.startswith(truth, true)]
        cells += [(own == said, 1 - 2 * lie if said == true else lie) for said in COLOURS]
        # Independent of the report beside it, whatever was drawn for that.
        both = np.char.endswith(truth, "pear") & np.char.startswith(truth, true)
        said = (reports[both] == true) & (bits["pear"][both] == "1")
        cells.append((said, (1 - 2 * lie) / 2))
    for true in ("apple", "pear"):
        own = np.char.endswith(truth, true)
        for name, said in bits.items():
            cells.append((said[own] == "1", 0.5 if name == true else 1 / (np.exp(1.5) + 1)))
    for hits, chance in cells:
        assert binomtest(int(hits.sum()), hits.size, float(chance)).pvalue > ALPHA / len(cells)
    assert released.rows == ROWS


def test_that_two_releases_differ_and_parts_share_no_words(
    workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small_parts(monkeypatch, 500)
    table = table_from_texts({"colour": ["red"] * 2_000})
    plan = survey_plan(shuffle=False).with_fields(
        respondents=2_000, columns=(survey_plan().column("colour"),)
    )
    found = []
    for number in range(2):
        _released, records = run(table, plan, tmp_path / f"{number}", workers)
        texts = records.column("colour").texts()
        found += [tuple(texts[start : start + 500]) for start in range(0, 2_000, 500)]
    assert len(set(found)) == 8


def test_that_a_worker_with_other_laws_draws_nothing(workers: Cluster, tmp_path: Path):
    laws = SANITIZE.fingerprints
    # The driver says that it certified other laws than the workers compute.
    SANITIZE.fingerprints = lambda bound: tuple(law[::-1] for law in laws(bound))
    try:
        with refused("engine.other-laws"):
            run(survey(), survey_plan(), tmp_path / "r", workers)
    finally:
        SANITIZE.fingerprints = laws
    assert not list((tmp_path / "r").iterdir())


def test_that_a_cancel_leaves_no_records(
    workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small_parts(monkeypatch, 20)
    told: list[float] = []
    tracker = Tracker(lambda event: told.append(getattr(event, "done", 0)), lambda: len(told) > 9)
    with pytest.raises(Cancelled):
        sanitize(survey(), survey_plan(), tmp_path, tracker, cluster=workers)
    assert max(told) > 0.05
    assert not list(tmp_path.iterdir())


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A survey in five files, the last one without answers."""
    folder = tmp_path / "answers"
    folder.mkdir()
    for number in range(4):
        rows = [f"{COLOURS[row * row % 3]},{row % (5 + number)}" for row in range(3_000)]
        (folder / f"part-{number}.csv").write_text("\n".join(["colour,age", *rows, ""]))
    (folder / "part-4.csv").write_text("colour,age\n")
    return folder


def test_that_workers_read_the_parts_of_a_folder_as_one_machine_does(workers: Cluster, parts: Path):
    by_workers = workers.parts_reader(Reading(), lambda: None)
    here = load_declared(parts, Reading())
    there = load_declared(parts, Reading(), read_parts=by_workers)
    assert (there.names, there.rows, there.name) == (here.names, here.rows, here.name)
    assert (there.notices, there.reading) == (here.notices, here.reading)
    for mine, theirs in zip(here.columns, there.columns, strict=True):
        assert theirs.distinct == mine.distinct
        assert theirs.codes.tolist() == mine.codes.tolist()


def test_that_a_part_that_a_worker_cannot_read_is_told_with_its_place(
    workers: Cluster, parts: Path
):
    (parts / "part-2.csv").write_text("colour,age\nred,3\ngreen,4,5\n")
    with pytest.raises(InputError) as caught:
        load_declared(parts, Reading(), read_parts=workers.parts_reader(Reading(), lambda: None))
    with pytest.raises(InputError) as wanted:
        load_declared(parts, Reading())
    assert (str(caught.value), caught.value.line) == (str(wanted.value), wanted.value.line)
    assert caught.value.line == 3


def test_that_workers_open_the_parts_at_an_address_themselves(workers: Cluster, parts: Path):
    pytest.importorskip("aiohttp")
    files = {f"/a/answers/{path.name}": path.read_bytes() for path in parts.iterdir()}
    with serving(files) as server:
        # What only workers know of.
        url = f"{server.url}/a/answers/"
        there = load_declared(url, Reading(), read_parts=workers.parts_reader(Reading(), int))
        here = load_declared(parts, Reading())
        assert (there.names, there.rows, there.name) == (here.names, here.rows, here.name)
        for mine, theirs in zip(here.columns, there.columns, strict=True):
            assert theirs.texts() == mine.texts()
        server.answers["/a/answers/part-2.csv"] = 403
        with pytest.raises(InputError, match=r"part-2\.csv cannot be read: .* 403") as caught:
            load_declared(url, Reading(), read_parts=workers.parts_reader(Reading(), int))
    assert "Every worker" in caught.value.remedy
    assert "127.0.0.1" not in str(caught.value)


def test_that_what_a_worker_cannot_open_is_told_with_the_part_and_nothing_is_published(
    parts: Path, tmp_path: Path
):
    """The folder of a network that a worker does not see, or may not read."""
    with cluster(workers=1) as one:
        for name, reason in (("part-1.csv", "there is no such file"), ("part-3.csv", "denied")):
            one._client.run(work.deny, name, reason)
            with pytest.raises(InputError, match=f"{name} cannot be read: {reason}") as caught:
                load_declared(parts, Reading(), read_parts=one.parts_reader(Reading(), int))
            assert caught.value.remedy == T.SAME_PATH()
            if name == "part-1.csv":
                (parts / name).rename(parts / "part-0.5.csv")


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_that_a_release_of_unreadable_parts_publishes_and_charges_nothing(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    pytest.importorskip("aiohttp")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.json").write_text(plan_to_json(colour_plan(40)))
    files = {f"/a/part-{n}.csv": b"colour\n" + b"red\nblue\n" * 10 for n in (1, 2)}
    words = ["--plan", "plan.json", "--out", "out", "--ledger", "ledger", *READ_AS_CSV]
    with serving(files) as server:
        address = f"{server.url.replace('://', '://ann:hush@')}/a/"
        server.answers["/a/part-2.csv"] = 403
        assert main(["release", address, *words, "--engine", engine])
        told = capsys.readouterr()
        assert "part-2.csv cannot be read" in told.err
        assert "hush" not in told.out + told.err
        assert not (tmp_path / "out").exists()
        assert not (tmp_path / "ledger").exists()
        server.answers.clear()
        assert main(["release", address, *words, "--engine", engine]) == 0
    assert (tmp_path / "ledger").exists()
    assert read_records(tmp_path / "out").rows == 40
    told = capsys.readouterr()
    assert "hush" not in told.out + told.err
    for path in (tmp_path / "out").rglob("*"):
        assert b"hush" not in path.read_bytes()


class Violence(Tracker):
    """A tracker that does something to a worker at each of some shares of the progress."""

    def __init__(self, workers: Cluster, shares: Sequence[float], deed: Callable[[int], object]):
        super().__init__(self._follow, lambda: False)
        self._workers, self._left, self._deed = workers, list(shares), deed
        self.done: list[int] = []

    def _follow(self, event: object) -> None:
        if self._left and getattr(event, "done", 0.0) > self._left[0]:
            self._left.pop(0)
            pid = min(self._workers._client.run(os.getpid).values())
            self._deed(pid)
            self.done.append(pid)


KILLED_RUNS = int(os.environ.get("DPDESK_KILLED_RUNS", "1"))
"""A hundred take four minutes."""


def test_that_workers_that_are_killed_publish_no_second_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small_parts(monkeypatch, 500)
    table = lively_survey(10_000)
    plan = tracing(survey_plan()).with_fields(respondents=10_000)
    wanted = sorted(table.column("id").texts())
    for number in range(KILLED_RUNS):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        with cluster(workers=2) as workers:
            violence = Violence(workers, [0.1, 0.3], lambda pid: os.kill(pid, signal.SIGKILL))
            sanitize(table, plan, folder, violence, cluster=workers)
        assert len(set(violence.done)) == 2
        assert sorted(read_records(folder).column("id").texts()) == wanted


def test_that_a_worker_that_was_taken_for_lost_publishes_no_second_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It is stopped, its parts are given to another, and then it goes on: a slow twin."""
    from dask import config
    from distributed import Client, LocalCluster

    small_parts(monkeypatch, 500)
    table = lively_survey(10_000)
    plan = tracing(survey_plan()).with_fields(respondents=10_000)
    quiet = {f"distributed.{kind}.http.routes": [] for kind in ("scheduler", "worker")}
    with ExitStack() as opened:
        opened.enter_context(config.set({**quiet, "distributed.scheduler.worker-ttl": "10s"}))
        local = LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        )
        client = opened.enter_context(Client(opened.enter_context(local)))

        def halt(pid: int) -> None:
            known = set(client.nthreads())
            os.kill(pid, signal.SIGSTOP)

            def go_on_once_lost() -> None:
                # A worker that is only slow is not taken for lost, however slow the computer is.
                while client.status == "running" and known <= set(client.nthreads()):
                    time.sleep(0.05)
                # Unless its nanny has ended it by now.
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

            halted = threading.Thread(target=go_on_once_lost)
            opened.callback(halted.join)
            halted.start()

        violence = Violence(Cluster(client), [0.1], halt)
        sanitize(table, plan, tmp_path, violence, cluster=Cluster(client))
        assert len(violence.done) == 1
    records = read_records(tmp_path)
    assert sorted(records.column("id").texts()) == sorted(table.column("id").texts())


def test_that_a_driver_that_is_killed_leaves_no_release(tmp_path: Path):
    """The charge stays, the folder does not come into being, and the next run clears up."""
    rows = 400_000
    lines = "\n".join(COLOURS[row * row % 3] for row in range(rows))
    (tmp_path / "answers.csv").write_text(f"colour\n{lines}\n")
    (tmp_path / "plan.json").write_text(plan_to_json(colour_plan(rows)))
    words = ["release", "answers.csv", "--plan", "plan.json", "--engine", "dask"]
    words += [*READ_AS_CSV, "--out"]
    command = [sys.executable, "-m", "dpdesk", *words]
    begun = subprocess.Popen([*command, "out"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    # Once its folder holds a file of records, it is charged, and reports are drawn.
    while not list(tmp_path.glob(".*.part/records.csv")) and begun.poll() is None:
        time.sleep(0.01)
    begun.kill()
    begun.wait()
    assert not (tmp_path / "out").exists()
    done = subprocess.run([*command, "again"], cwd=tmp_path, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.glob(".*.part"))
    assert read_records(tmp_path / "again").rows == rows
