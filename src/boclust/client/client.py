"""The studies of a server."""

import uuid
from collections.abc import Iterator
from typing import Any

from boclust._closing import Closing
from boclust._data import as_data, in_path
from boclust._validate import fail, shown
from boclust.client.calls import Calls
from boclust.client.remote import RemoteStudy
from boclust.problem.families import Family
from boclust.run.algorithm import Algorithm
from boclust.study import StudyNotFoundError

Rows = list[dict[str, Any]]


class Client(Closing):
    """A study server: ``Client("http://127.0.0.1:8000", token="boc_...")``.

    ``token`` is what ``boclust token create`` printed; ``timeout`` the seconds that an answer may
    take (a write may wait a minute for others); ``retries`` how often a call is tried again when
    the connection is lost or the server is busy, after pauses that grow up to eight seconds. It may
    be used by several threads, and in a ``with`` statement, which closes its connections.

    >>> with Client("http://127.0.0.1:8000") as client:  # doctest: +SKIP
    ...     study = client.study("tides")
    ...     study.tell(study.ask(client="ann"), 1.3)
    """

    def __init__(
        self, url: str, token: str | None = None, timeout: float = 90.0, retries: int = 6
    ) -> None:
        self._calls = Calls(url, token, timeout, retries)

    def studies(self) -> Rows:
        """The studies, each in a few words."""
        return list(self._listed())

    def create(
        self,
        name: str,
        arms: Any,
        n_clusters: int,
        delta: float,
        dim: int = 1,
        family: Family | None = None,
        algorithm: str | Algorithm = "span",
        budget: Any = None,
        lease: float = 3600.0,
        seed: int | None = None,
        key: str | None = None,
    ) -> RemoteStudy:
        """A new study, with the arguments of ``boclust.Study.create``."""
        said = {
            "name": name, "arms": arms, "n_clusters": n_clusters, "delta": delta, "dim": dim,
            "algorithm": algorithm, "budget": budget, "lease": lease, "seed": seed,
        }  # fmt: skip
        if family is not None:
            said["family"] = {"name": family.name, **as_data(family)}
        if isinstance(algorithm, Algorithm):
            said["algorithm"] = {
                "sampling": algorithm.sampling, "stopping": algorithm.stopping,
                "options": dict(algorithm.options),
            }  # fmt: skip
        self._calls.post("studies", said, key or uuid.uuid4().hex)
        return self.study(name)

    def study(self, name: str) -> RemoteStudy:
        """A study that exists."""
        if not isinstance(name, str):
            raise fail("name", f"is {shown(name)}", "the name of a study")
        listed = (one["path"] for one in self._listed() if one["name"] == name)
        path = in_path(name) or next(listed, None)
        if path is None:
            raise StudyNotFoundError(f"there is no study {name!r}")
        return RemoteStudy(self._calls, path)

    def _listed(self) -> Iterator[dict[str, Any]]:
        after: str | None = ""
        while after is not None:
            page = self._calls.get("studies", after=after, limit=1000)
            yield from page["studies"]
            after = page["next"]

    def close(self) -> None:
        """Let go of the connections."""
        self._calls.http.close()
