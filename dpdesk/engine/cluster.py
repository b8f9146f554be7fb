"""Parts of a job that are done by the workers of Dask, on this machine or on many.

A part may be done more than once: a worker is lost in the middle, or is taken for lost and goes on.
That is harmless, since a worker does nothing but return what it made: it writes no file, and of
each part one result is taken, which comes back with the answer that the scheduler accepted. What
others made of the same part, with random words of their own, is gone with their memory.

Workers see true answers, as this computer does, and so does whoever can read the network between
them or connect to the scheduler. So workers of this machine talk over TLS with a certificate of
the moment, and an address of others should be one of TLS (`tls://`).
"""

from __future__ import annotations

import gc
import logging
import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future as Result
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

from dpdesk.crash import kind_of
from dpdesk.data.place import Place
from dpdesk.data.read_file import ReadParts, load_part
from dpdesk.data.reading import Reading
from dpdesk.data.source import UnreadableError
from dpdesk.data.table import SurveyTable
from dpdesk.engine.texts import T
from dpdesk.errors import DpdeskError, ParameterError, ReleaseError, from_extra
from dpdesk.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

Part = TypeVar("Part")
Made = TypeVar("Made")

_AHEAD = 2
"""Parts that wait for each thread of the workers, so that none is idle; more would fill memory."""

_TRIES = 3
"""How often a part is given to a scheduler that gave it up, or does not hand over what became of
it, because its workers died."""

_SECONDS = 0.05
"""How often a cancel is looked for."""

_PATIENCE = 60.0
"""Seconds without any worker, or without its answer, after which it counts as gone."""

_NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""Without the pages on which Dask shows what runs."""

_IN_MEMORY = {f"distributed.worker.memory.{step}": False for step in ("target", "spill")}
"""Without files of what workers hold, true answers among it, where memory is short."""

_ASKED_SECONDS = 1.0
"""How long a scheduler is asked for its workers; a silent one would keep a cancel waiting."""

_ANSWER_SECONDS = 30.0
CONNECT_SECONDS = 30
"""How long an address is waited for at which no scheduler answers."""


class Cluster:
    """The workers of a cluster.

    Args:
        client: The connection to their scheduler.

    Attributes:
        is_private: Whether what scheduler and workers are told is encrypted, or does not leave this
            machine.
        spills: Whether a worker writes what it holds to its disk where memory is short.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        told = _of_workers(client, _version_and_spilling)
        # A scheduler of this machine may have workers on others.
        self.is_private = all(map(_is_private, (str(client.scheduler.address), *told)))
        self.spills = any(spills for _, spills in told.values())
        if {version for version, _ in told.values()} - {__version__}:
            raise ParameterError(T.OTHER_VERSION(version=__version__))

    @property
    def threads(self) -> int:
        """Number of parts that the workers do at once; 0 while the scheduler does not answer."""
        # A connection that was given up has no scheduler to ask.
        if self._client.scheduler is None:
            raise _out_of_reach("closed")
        return sum(_reached(self._threads).values())

    def _threads(self) -> dict[str, int]:
        ask, limit = self._client.scheduler.ncores, _ASKED_SECONDS
        with suppress(TimeoutError):
            return dict(self._client.sync(ask, workers=None, callback_timeout=limit))
        return {}

    def map(
        self,
        work: Callable[[Part], Made],
        parts: Iterable[Part],
        tick: Callable[[], object] = lambda: None,
    ) -> Generator[Made, None, None]:
        """Yields what the workers make of each part, once each, in the order of the parts.

        Args:
            work: A function of a module, without effects but on the memory of its process.
            parts: What it is called with, one after the other; taken as workers become free.
            tick: Called several times a second; may raise to stop.

        Raises:
            DpdeskError: What `work` raised; or a part has ended several workers, or all are gone.
        """
        waiting: deque[tuple[_Task[Part, Made], Future]] = deque()
        tasks = (_Task(work, part) for part in parts)
        try:
            while True:
                # At least one, also while those workers that died are started again.
                free = max(_AHEAD * self.threads, 1) - len(waiting)
                waiting.extend((task, self._begun(task)) for task in islice(tasks, max(free, 0)))
                if not waiting:
                    return
                made = self._ended(*waiting[0], tick)
                waiting.popleft()
                yield made
        finally:
            # Where the connection is closed already there is nothing to cancel.
            with suppress(*_lost()):
                self._client.cancel([future for _, future in waiting])

    def parts_reader(self, reading: Reading, tick: Callable[[], object]) -> ReadParts:
        """Returns what reads the parts of a table by the workers, each of which opens its own.

        Args:
            reading: How they are read.
            tick: Called several times a second; may raise to stop.
        """
        return lambda places: self.map(partial(_read_there, reading), places, tick)

    def _begun(self, task: _Task[Any, Any]) -> Future:
        # Not pure: the same answers are randomized anew, whatever was made of others like them.
        return _reached(lambda: self._client.submit(task, pure=False, retries=0))

    def _ended(self, task: _Task[Part, Made], future: Future, tick: Callable[[], object]) -> Made:
        from distributed.scheduler import KilledWorker

        for tried in range(1, _TRIES + 1):
            self._wait(future, tick)
            try:
                told = future.result(timeout=_ANSWER_SECONDS)
            except (KilledWorker, TimeoutError):
                # Dask can wait without end for what a worker held that has died meanwhile.
                with suppress(*_lost()):
                    future.cancel()
                future = self._begun(task) if tried < _TRIES else future
            except Exception as error:  # noqa: BLE001 - of any kind: it may quote what it was given
                kind = kind_of(error)
                break
            else:
                if isinstance(told, _Raised):
                    raise told.error
                made: Made = told
                return made
        else:
            raise ReleaseError(T.WORKERS_GONE())
        raise _out_of_reach(kind)

    def _wait(self, future: Future, tick: Callable[[], object]) -> None:
        """Waits until a part is done, whatever becomes of it."""
        done, alone_since = threading.Event(), time.monotonic()
        future.add_done_callback(lambda _: done.set())
        tick()
        while not done.wait(_SECONDS):
            tick()
            # Those that died are started again, which takes a moment.
            if self.threads:
                alone_since = time.monotonic()
            elif time.monotonic() > alone_since + _PATIENCE:
                raise ReleaseError(T.WORKERS_GONE())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Task(Generic[Part, Made]):
    """One part to be done; it never shows what it is made of.

    A worker of Dask writes the arguments of a task that raises into its log. So they are in the
    task itself, whose text says nothing, and an error comes back as a result.
    """

    work: Callable[[Part], Made]
    part: Part

    def __repr__(self) -> str:
        return "a part of a release"

    def __call__(self) -> Made | _Raised:
        try:
            return self.work(self.part)
        except DpdeskError as error:
            return _Raised(error)
        except Exception as error:  # noqa: BLE001 - its words may quote an answer
            kind = kind_of(error)
        return _Raised(ReleaseError(T.WORKER_FAILED(kind=kind)))


def _read_there(reading: Reading, place: Place) -> SurveyTable:
    """Reads a part on a worker, and says so where it cannot be had there."""
    try:
        return load_part(reading, place)
    except UnreadableError as error:
        told = error.message
    raise UnreadableError(told, remedy=T.SAME_PATH())


@dataclass(frozen=True, slots=True)
class _Raised:
    error: DpdeskError


@contextmanager
def cluster(address: str = "", workers: int = 0) -> Iterator[Cluster]:
    """Opens the workers of a running cluster, or some on this machine, which end with it.

    Args:
        address: That of the scheduler, such as "tls://office:8786"; empty for workers of this
            machine.
        workers: Number of workers of this machine; 0 for one on each of its processors.

    Raises:
        MissingPackagesError: Dask is not installed.
        ParameterError: The scheduler does not answer or has no workers, or a worker has another
            version of dpdesk.
    """
    with from_extra("cluster", "Releases on several workers"):
        from dask import config as dask_config
        from distributed import Client, LocalCluster, Security

    # Dask writes of each lost connection and each worker that it starts again.
    for name in [
        name for name in logging.root.manager.loggerDict if name.startswith("distributed")
    ]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        if address:
            patience = f"{CONNECT_SECONDS}s"
            client = opened.enter_context(_connected(lambda: Client(address, timeout=patience)))
        else:
            with from_extra("cluster", "Workers of this machine, who talk in secret,"):
                # Dask's own refusal is of another kind.
                import cryptography  # noqa: F401
            opened.enter_context(dask_config.set({**_NO_PAGES, **_IN_MEMORY}))
            security = Security.temporary()
            local = LocalCluster(
                n_workers=workers or os.cpu_count() or 1,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                # Of any free port, to this machine alone, and without a page.
                dashboard_address="127.0.0.1:0",
                security=security,
                silence_logs=logging.CRITICAL,
            )
            client = opened.enter_context(Client(opened.enter_context(local)))
        found = Cluster(client)
        if not found.threads:
            raise ParameterError(T.NO_WORKERS())
        yield found


def _connected(connect: Callable[[], Client]) -> Client:
    # Dask waits without end for a computer that takes the connection and says nothing.
    made: Result[Client] = Result()

    def work() -> None:
        try:
            made.set_result(connect())
        except Exception as error:  # noqa: BLE001 - raised below
            made.set_exception(error)

    connecting = threading.Thread(target=work, name="dpdesk connecting", daemon=True)
    connecting.start()
    try:
        return made.result(timeout=_PATIENCE)
    except Exception as error:  # noqa: BLE001 - of an address without a scheduler Dask raises many
        refused = ParameterError(T.NO_SCHEDULER(kind=kind_of(error)))
    # What Dask left of the connection ends now. If it ended while another one is opened, that would
    # wait for ever: both ask for one lock (`LoopRunner`).
    connecting.join(_SECONDS)
    made = Result()
    gc.collect()
    raise refused


def _lost() -> tuple[type[Exception], ...]:
    """What a connection raises that is closed (`CommClosedError` is an `OSError`).

    A `RuntimeError` is that of the loop of its thread, which ended with it.
    """
    from distributed.client import ClosedClientError

    return (ClosedClientError, OSError, RuntimeError)


def _reached(ask: Callable[[], Made]) -> Made:
    """Returns what a connection answers, if it is not closed."""
    try:
        return ask()
    except _lost() as error:
        kind = kind_of(error)
    raise _out_of_reach(kind)


def _out_of_reach(kind: str) -> ReleaseError:
    return ReleaseError(T.OUT_OF_REACH(kind=kind))


def _version_and_spilling() -> tuple[str, bool]:
    """The version of dpdesk of a worker, and whether it writes what it holds to its disk."""
    from dask import config as dask_config

    memory = (dask_config.get(place, default=0) for place in _IN_MEMORY)
    return __version__, any(limit is not False for limit in memory)


def _is_private(address: str) -> bool:
    """Whether what goes to an address is encrypted, or does not leave this machine."""
    place = urlsplit(address)
    own = place.hostname or ""
    return (
        place.scheme in {"tls", "wss", "inproc"}
        or own in {"localhost", "::1"}
        or re.fullmatch(r"127(\.[0-9]{1,3}){3}", own) is not None
    )


def _of_workers(client: Client, ask: Callable[[], Made]) -> dict[str, Made]:
    """Returns what each worker answers, by its address.

    Raises:
        ParameterError: One does not answer, or cannot.
    """
    try:
        return dict(client.sync(client._run, ask, callback_timeout=_ANSWER_SECONDS))
    except Exception as error:  # noqa: BLE001 - whatever a worker without dpdesk raises
        kind = kind_of(error)
    raise ParameterError(T.SILENT_WORKER(kind=kind, version=__version__))
