"""Work handed to a running dask cluster, by the door through which processes of this machine get it.

A scheduler is started with `dask scheduler`, workers with `dask worker tcp://HOST:8786`, each where this package is
installed in the same version. Everything that is sent is a function's name and what it is called with.
"""

from __future__ import annotations

import logging
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from odds import __version__
from odds.errors import OddsError
from odds.extras import optional_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

PATIENCE: Final = 10  # seconds that a scheduler has to answer
_ADDRESS: Final = re.compile(r"(tcp|tls|ucx|ws|wss)://[^\s/:]+:[0-9]{1,5}|(tcp|tls)://\[[0-9a-fA-F:]+\]:[0-9]{1,5}")
# Items that a worker has beside the one at work, so that it need not wait for the network.
_AHEAD: Final = 2


class Cluster:
    """A running dask cluster, as who works.

    Attributes:
        workers: how many threads of workers there are.

    Raises:
        OddsError: it has no workers, or one with another version of the package, which is named.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        told = client.scheduler_info(n_workers=-1)["workers"]
        if not told:
            raise OddsError(f"scheduler: {client.scheduler.address} has no workers; start some with dask worker")
        self.workers = sum(worker["nthreads"] for worker in told.values())
        for address, found in client.run(_version, on_error="return").items():
            if found != __version__:
                raise OddsError(_other_version(address, found))

    def stream(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the result of each item, in their order, as soon as those before it are there.

        What a worker had that dies is done by another; only so many items are sent at a time as keep all at work.

        Raises:
            OddsError: an item was tried by several workers, and each died; or a worker has another version.
            Exception: what `work` raised.
        """
        distributed = optional_module("distributed", "dask clusters")
        run, sent = uuid4().hex, 0
        found: dict[int, Result] = {}
        places: dict[Any, int] = {}

        def send() -> Any:
            nonlocal sent
            future = self._client.submit(_do, work, items[sent], __version__, key=f"odds-{run}-{sent}", pure=False)
            places[future] = sent
            sent += 1
            return future

        ahead = min((1 + _AHEAD) * self.workers, len(items))
        done = distributed.as_completed([send() for _ in range(ahead)], loop=self._client.loop)
        try:
            for expected in range(len(items)):
                while expected not in found:
                    future = next(done)
                    place = places.pop(future)
                    try:
                        found[place] = future.result()
                    except distributed.scheduler.KilledWorker:
                        raise OddsError(f"scheduler: every worker died that was given item {place + 1}") from None
                    except distributed.client.FutureCancelledError as error:
                        raise OddsError(f"scheduler: the connection was lost: {error}") from None
                    except RuntimeError as error:
                        if "deserialization" not in str(error):
                            raise
                        raise OddsError(
                            f"scheduler: {self._client.scheduler.address} cannot read what is sent: it needs this "
                            f"package too, in version {__version__}"
                        ) from None
                    if sent < len(items):
                        done.add(send())
                yield found.pop(expected)
        finally:
            if places:
                self._client.cancel(list(places), force=True)


@contextmanager
def of(client: Any) -> Iterator[Cluster]:
    """Give the cluster of a client, which stays open.

    Raises:
        OddsError: as for `Cluster`.
    """
    yield Cluster(client)


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Give the cluster of a scheduler's address, such as `tcp://host:8786`.

    Raises:
        OddsError: it is no address, no scheduler answers within `PATIENCE` seconds; and as for `Cluster`.
    """
    if not _ADDRESS.fullmatch(address):
        raise OddsError(f"scheduler: expected an address such as tcp://host:8786, got {address!r}")
    distributed = optional_module("distributed", "dask clusters")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is raised
    client = _client(distributed, address)
    try:
        yield Cluster(client)
    finally:
        client.close(timeout=1)


def _client(distributed: Any, address: str) -> Any:
    """Return a client of a scheduler that answers in time, which one that takes the call and is silent does not."""
    found: list[Any] = []

    def call() -> None:
        try:
            found.append(distributed.Client(address, timeout=PATIENCE, set_as_default=False))
        except Exception as error:
            found.append(error)

    caller = threading.Thread(target=call, daemon=True)
    caller.start()
    caller.join(PATIENCE + 0.5)
    if found and isinstance(found[0], distributed.Client):
        return found[0]
    reason = f": {str(found[0]).partition(chr(10))[0]}" if found else ""
    raise OddsError(f"scheduler: {address} does not answer within {PATIENCE} seconds{reason}")


def _version() -> str:
    return __version__


def _do(work: Callable[[Item], Result], item: Item, version: str) -> Result:
    """Do an item, on a worker, which may have come later than the others were looked at."""
    if version != __version__:
        from distributed import get_worker

        raise OddsError(_other_version(get_worker().address, __version__))
    return work(item)


def _other_version(address: str, found: object) -> str:
    has = f"version {found} of this package" if isinstance(found, str) else f"no such package ({found})"
    return f"scheduler: worker {address} has {has}, here is version {__version__}"
