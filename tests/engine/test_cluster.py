from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from dpdesk import __version__
from dpdesk.cli.main import main
from dpdesk.engine.cluster import Cluster, _connected, cluster
from dpdesk.errors import (
    Cancelled,
    InputError,
    MissingPackagesError,
    ParameterError,
    ReleaseError,
)
from tests.engine import cluster_work as work
from tests.refusals import refused

pytest.importorskip("distributed")
from distributed.client import Client, ClosedClientError
from distributed.comm import CommClosedError


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    with cluster(workers=2) as found:
        yield found


def test_that_dask_is_imported_where_a_cluster_is_opened_alone():
    probe = "import sys, dpdesk.engine.cluster, dpdesk.engine.sanitize, dpdesk.releases.records;"
    probe += "print({'dask', 'distributed'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_that_parts_come_back_in_their_order_once_each(workers: Cluster):
    assert list(workers.map(work.squared, range(50))) == [n * n for n in range(50)]
    assert list(workers.map(work.squared, [])) == []


def test_that_every_part_is_drawn_with_words_of_its_own(workers: Cluster):
    # The same part, too: nothing is taken from a store of results.
    made = list(workers.map(work.drawn, [7] * 30))
    assert len({word for _, _, word in made}) == 30
    assert len({who for _, who, _ in made}) == 2
    assert os.getpid() not in {who for _, who, _ in made}


def test_that_few_parts_are_taken_ahead(workers: Cluster):
    taken = 0

    def parts() -> Iterator[int]:
        nonlocal taken
        for number in range(40):
            taken += 1
            yield number

    for done, _ in enumerate(workers.map(work.squared, parts()), start=1):
        assert taken <= done + 2 * workers.threads
    assert taken == 40


def test_that_parts_wait_while_no_worker_is_there(
    workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Cluster, "threads", 0)
    assert list(workers.map(work.squared, range(5))) == [n * n for n in range(5)]


def test_that_an_error_comes_back_as_it_was_raised(workers: Cluster):
    with pytest.raises(InputError) as caught:
        list(workers.map(work.refused, range(9)))
    assert (caught.value.line, caught.value.remedy) == (3, "Complete it.")
    assert list(workers.map(work.squared, [2])) == [4]


def test_that_an_unexpected_error_quotes_nothing(workers: Cluster, capfd: pytest.CaptureFixture):
    with pytest.raises(ReleaseError) as caught:
        list(workers.map(work.failed, ["secret answer"]))
    assert "ValueError" in caught.value.message
    assert caught.value.__cause__ is None
    told = capfd.readouterr()
    assert "secret" not in f"{caught.value}{told.out}{told.err}"


def test_that_a_cancel_stops_what_waits(workers: Cluster):
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        list(workers.map(work.squared, range(9), stop))


def test_that_a_part_is_done_by_another_where_its_worker_dies(workers: Cluster, tmp_path: Path):
    (tmp_path / "1-a").touch()
    (tmp_path / "4-a").touch()
    made = list(workers.map(work.deadly, [work.Deadly(n, tmp_path) for n in range(8)]))
    assert [number for number, _ in made] == list(range(8))
    assert not list(tmp_path.iterdir())


def test_that_each_part_has_one_result_where_workers_are_killed(workers: Cluster, tmp_path: Path):
    made = []
    parts = [work.Noted(number, tmp_path) for number in range(30)]
    for number, who in workers.map(work.noted, parts):
        made.append((number, who))
        if number in {3, 9, 15}:
            os.kill(min(workers._client.run(os.getpid).values()), signal.SIGKILL)
    assert [number for number, _ in made] == list(range(30))
    ended = {path.name.removeprefix("ended-") for path in tmp_path.glob("ended-*")}
    begun = {path.name.removeprefix("begun-") for path in tmp_path.glob("begun-*")}
    # Parts were begun twice, which is what this is about.
    assert len(begun) > 30
    assert {who for _, who in made} <= ended


class Silent:
    """A part that is done, and whose result never comes: the worker that held it has died."""

    def add_done_callback(self, told: Callable[[object], None]) -> None:
        told(self)

    def result(self, timeout: float) -> int:
        raise TimeoutError

    def cancel(self) -> None:
        return


@pytest.mark.parametrize("silent", [1, 2, 3])
def test_that_a_part_whose_result_does_not_come_is_begun_anew(
    silent: int, workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    begun = workers._begun
    given: list[object] = []

    def sometimes(task: object) -> object:
        given.append(task)
        return Silent() if len(given) <= silent else begun(task)

    monkeypatch.setattr(workers, "_begun", sometimes)
    if silent < 3:
        assert list(workers.map(work.squared, [7])) == [49]
        assert len(given) == silent + 1
        return
    with refused("engine.workers-gone"):
        list(workers.map(work.squared, [7]))


def test_that_a_part_that_ends_every_worker_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dpdesk.engine.cluster._TRIES", 1)
    for life in range(100):
        (tmp_path / f"0-{life:03}").touch()
    with cluster(workers=1) as one, refused("engine.workers-gone"):
        list(one.map(work.deadly, [work.Deadly(0, tmp_path)]))


def test_that_workers_of_this_machine_talk_in_secret(workers: Cluster):
    assert workers.is_private
    assert str(workers._client.scheduler.address).startswith("tls://127.0.0.1")


def test_that_workers_of_this_machine_keep_what_they_hold_in_memory(workers: Cluster):
    # Dask's own way, where memory is short, is a file that stays when its process is killed.
    assert not workers.spills
    for kept in workers._client.run(work.limits_of_memory).values():
        assert kept == (False, False)


@pytest.mark.parametrize(
    ("address", "is_private"),
    [
        ("tls://office:8786", True),
        ("tcp://127.0.0.1:8786", True),
        ("tcp://127.0.0.1:8786 tls://192.168.1.9:4000", True),
        ("tcp://127.0.0.1:8786 tcp://127.0.0.1:4000 tcp://192.168.1.9:4000", False),
        ("tcp://[::1]:8786 tcp://[2001:db8::1]:4000", False),
        ("tcp://[::1]:8786", True),
        ("tcp://localhost:8786", True),
        ("tcp://localhost.example:8786", False),
        ("tcp://127.0.0.1.example:8786", False),
        ("tcp://office:8786", False),
    ],
)
def test_that_an_address_is_private_by_its_host(
    address: str, is_private: bool, workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    own, *others = address.split()

    class Client:
        scheduler = SimpleNamespace(address=own)

    told = dict.fromkeys(others or [own], (__version__, True))
    monkeypatch.setattr("dpdesk.engine.cluster._of_workers", lambda *_: told)
    found = Cluster(Client())
    assert found.is_private is is_private
    assert found.spills


def test_that_a_worker_with_another_dpdesk_or_without_an_answer_is_refused(
    workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patched:
        patched.setattr("dpdesk.engine.cluster._of_workers", lambda *_: {"tls://a:1": ("0", False)})
        with refused("engine.other-version"):
            Cluster(workers._client)
    monkeypatch.setattr("dpdesk.engine.cluster._ANSWER_SECONDS", 0.2)
    monkeypatch.setattr("dpdesk.engine.cluster._version_and_spilling", work.slow)
    with refused("engine.silent-worker"):
        Cluster(workers._client)


WITHOUT_DPDESK = """
import sys
sys.modules["dpdesk"] = None
from distributed.cli.dask_worker import main
main()
"""


def test_that_a_worker_without_dpdesk_is_refused():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50
    ) as local:
        words = [local.scheduler_address, "--no-nanny", "--no-dashboard", "--nthreads", "1"]
        begun = subprocess.Popen(
            [sys.executable, "-c", WITHOUT_DPDESK, *words], stderr=subprocess.DEVNULL
        )
        try:
            wait_for_workers(local, 1)
            opened = cluster(local.scheduler_address)
            with pytest.raises(ParameterError, match="has no dpdesk") as caught, opened:
                pass
        finally:
            begun.kill()
            begun.wait()
    assert f"Install dpdesk {__version__} where the workers run" in caught.value.remedy


def wait_for_workers(local: object, count: int) -> None:
    from distributed import Client

    with Client(local) as client:
        client.wait_for_workers(count)


def test_that_workers_of_this_machine_need_cryptography(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    opened = cluster(workers=1)
    with pytest.raises(MissingPackagesError, match="the package cryptography") as caught, opened:
        pass
    assert "dpdesk[cluster]" in caught.value.remedy


@pytest.mark.parametrize("kind", [OSError, ValueError, AssertionError, RuntimeError])
def test_that_whatever_connecting_raises_is_a_refusal(kind: type[Exception]):
    def connect() -> None:
        raise kind("what Dask says")

    with refused("engine.no-scheduler") as caught:
        _connected(connect)
    assert "Dask says" not in str(caught.value)


def test_that_an_address_without_a_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dpdesk.engine.cluster.CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense", "tcp://"):
        with pytest.raises(ParameterError) as caught, cluster(address):
            pass
        assert "scheduler" in caught.value.message
        assert caught.value.remedy


def test_that_nothing_is_left_of_a_connection_that_failed(monkeypatch: pytest.MonkeyPatch):
    # It would be closed while another one is opened, and both would wait for ever.
    monkeypatch.setattr("dpdesk.engine.cluster.CONNECT_SECONDS", 1)
    closed = []
    ended = Client.__del__
    monkeypatch.setattr(Client, "__del__", lambda c: (closed.append(1), ended(c)))
    gc.collect()
    gc.disable()
    try:
        closed.clear()
        with pytest.raises(ParameterError), cluster("tcp://127.0.0.1:9"):
            pass
        assert closed
    finally:
        gc.enable()


@pytest.mark.parametrize("options", [(), ("--quiet",)])
def test_that_a_release_says_that_it_waits_for_a_scheduler(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
):
    monkeypatch.setattr("dpdesk.engine.cluster.CONNECT_SECONDS", 1)
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("a\n" + "0\n1\n" * 20)
    assert main(["draft", "a.csv", "-o", "plan.json", "--confirm-domains"]) == 0
    capsys.readouterr()
    words = ["release", "a.csv", "--plan", "plan.json", "--out", "out", "--engine", "dask"]
    assert main([*words, "--scheduler", "tcp://127.0.0.1:9", *options]) == 2
    told = capsys.readouterr().err
    waits = "waiting for the scheduler to answer, at most about 1 seconds"
    # Before what became of it.
    assert told.startswith(waits) == (not options)
    assert "No scheduler of Dask answers" in told


def test_that_a_cluster_that_ends_meanwhile_is_told():
    with cluster(workers=1) as one:
        made = one.map(work.squared, range(9))
        assert next(made) == 0
        one._client.cluster.close()
        with pytest.raises(ReleaseError, match=r"cannot be reached|died"):
            list(made)


@pytest.mark.parametrize("lost", [CommClosedError, RuntimeError, ClosedClientError])
@pytest.mark.parametrize("asked", ["submit", "sync"])
def test_that_a_connection_that_is_lost_is_told(
    asked: str, lost: type[Exception], workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    def closed(*_: object, **__: object) -> None:
        raise lost("tcp://office:8786")

    made = workers.map(work.squared, range(99))
    assert next(made) == 0
    for name in (asked, "cancel"):
        monkeypatch.setattr(workers._client, name, closed)
    with refused("engine.out-of-reach", kind=lost.__name__):
        list(made)


def test_that_a_cancel_that_cannot_be_sent_hides_no_error_of_ours(
    workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    def wrong(_: object) -> None:
        raise TypeError("another signature")

    monkeypatch.setattr(workers._client, "cancel", wrong)
    made = workers.map(work.squared, range(9))
    assert next(made) == 0
    with pytest.raises(TypeError, match="another signature"):
        made.close()


def test_that_a_computer_that_takes_a_connection_and_says_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("dpdesk.engine.cluster._PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with refused("engine.no-scheduler"), cluster(address):
            pass


def test_that_a_scheduler_that_falls_silent_is_given_up_and_a_cancel_is_heard_meanwhile(
    workers: Cluster, monkeypatch: pytest.MonkeyPatch
):
    ticks = []

    def silent(*_: object, **how: float) -> None:
        assert how["callback_timeout"] <= 1
        raise TimeoutError

    monkeypatch.setattr(workers._client, "sync", silent)
    monkeypatch.setattr("dpdesk.engine.cluster._PATIENCE", 0.2)
    assert workers.threads == 0
    never = SimpleNamespace(add_done_callback=lambda _: None)
    with refused("engine.workers-gone"):
        workers._wait(never, lambda: ticks.append(1))
    assert len(ticks) > 1
