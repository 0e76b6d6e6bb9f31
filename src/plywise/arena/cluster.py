"""Play the pairs of a match on a Dask cluster.

It needs the extra `plywise[cluster]`. If a worker dies, the scheduler gives its pair to another one.
"""

import queue
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from plywise import __version__
from plywise.arena.executors import POLL, MatchFailed
from plywise.arena.pair_runner import play_pair
from plywise.arena.schedule import Pair, PairResult
from plywise.arena.setup import Setup
from plywise.arena.worker import error_text
from plywise.core.errors import PlywiseError, exception_text

CONNECT_TIMEOUT = 10  # seconds to find the scheduler
PAIRS_PER_THREAD = 2  # submitted for each thread of the cluster: none waits for the network
COUNT_EVERY = 2.0  # seconds between counts of the workers


class Cluster:
    """A Dask cluster by the address of its scheduler, `tcp://host:8786` or `tls://host:8786`."""

    def __init__(
        self, address: str, ca: str | None = None, cert: str | None = None, key: str | None = None
    ) -> None:
        try:
            import distributed
            from distributed.comm.addressing import get_address_host_port
        except ImportError:
            raise PlywiseError("--cluster needs Dask: pip install 'plywise[cluster]'") from None
        for option, path in (("--tls-ca", ca), ("--tls-cert", cert), ("--tls-key", key)):
            if path is not None and not Path(path).is_file():
                raise PlywiseError(f"{option} {path}: there is no such file")
        security = None
        if ca or cert or key:
            security = distributed.Security(
                tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True
            )
        self.address = address
        try:
            get_address_host_port(address)  # a client that cannot even begin is not closed well by Dask
            self.client: Any = distributed.Client(
                address, security=security, timeout=CONNECT_TIMEOUT, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as error:
            text = " ".join(str(error).split()) or type(error).__name__
            raise PlywiseError(f"--cluster {address}: no scheduler answers there ({text[:200]})") from None
        self._counted, self._count_again = 0, 0.0
        self._check()

    def _check(self) -> None:
        """Check that all workers have this version: results of another one must not be mixed in."""
        try:
            found = self.client.run(_version)
        except Exception as error:
            text = " ".join(exception_text(error).split())
            raise PlywiseError(
                f"--cluster {self.address}: a worker cannot run Plywise ({text[:200]})"
            ) from None
        for worker, version in found.items():
            if version != __version__:
                where = f"--cluster {self.address}: worker {worker}"
                raise PlywiseError(f"{where} has Plywise {version}, here it is {__version__}")

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function where the games will be played."""
        return self.client.submit(function, *arguments, pure=False).result()

    def run(self, setup: Setup, pairs: Iterator[Pair], stopped: Callable[[], bool]) -> Iterator[PairResult]:
        """Play all pairs, and keep all threads of the cluster busy."""
        finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running: set[Any] = set()
        more, match = True, uuid.uuid4().hex  # other matches may use this cluster, too
        try:
            while (more or running) and not stopped():
                while more and len(running) < PAIRS_PER_THREAD * max(1, self._threads()):
                    pair = next(pairs, None)
                    if pair is None:
                        more = False
                        break
                    key = f"pair-{match}-{pair.number}"
                    future = self.client.submit(_play, setup, pair, __version__, pure=False, key=key)
                    running.add(future)
                    future.add_done_callback(finished.put)
                try:
                    future = finished.get(timeout=POLL)
                except queue.Empty:
                    continue
                running.discard(future)
                yield self._result(future)
        finally:
            for future in running:
                future.cancel()
            self.client.close()

    def keep_ready(self) -> AbstractContextManager[None]:
        return nullcontext()  # its workers stay anyway

    def _threads(self) -> int:
        """The threads of the cluster, counted every few seconds: workers come and go."""
        if time.monotonic() >= self._count_again:
            self._counted = sum(self.client.nthreads().values())
            self._count_again = time.monotonic() + COUNT_EVERY
        return self._counted

    def _result(self, future: Any) -> PairResult:
        if future.status != "finished":
            error = future.exception() if future.status == "error" else None
            text = exception_text(error) if error is not None else f"a pair was {future.status}"
            raise MatchFailed(
                f"--cluster {self.address}: {text}; what is finished is kept, and --resume goes on"
            )
        kind, content = future.result()
        if kind == "failed":
            raise MatchFailed(content)
        return content


def _version() -> str:
    return __version__


def _play(setup: Setup, pair: Pair, version: str) -> tuple[str, Any]:
    """Play a pair on a worker. It checks the version again, because the worker may be new."""
    if version != __version__:
        return "failed", f"a worker of the cluster has Plywise {__version__}, the match {version}"
    try:
        return "done", play_pair(setup, pair)
    except Exception as error:
        return "failed", error_text(error)
