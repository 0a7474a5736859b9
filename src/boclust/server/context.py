"""What the parts of one server share: its studies, tokens, streams and metrics."""

from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from boclust.server.stream import Notifier
from boclust.server.studies import Studies
from boclust.server.tokens import Keyring

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE")


class Metrics:
    """Requests by route, method and status, their durations, and asks, values and streams.

    No label comes from a caller, so that the number of series does not depend on requests.
    """

    CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter(
            "boclust_requests", "Requests answered", labels, registry=self._registry
        )
        self.seconds = Histogram(
            "boclust_request_seconds", "Seconds until a request was answered", labels[:2],
            registry=self._registry, buckets=_BUCKETS,
        )  # fmt: skip
        self.asks = Counter("boclust_asks", "Asks handed out", registry=self._registry)
        self.values = Counter("boclust_values", "Values told", registry=self._registry)
        self.streams = Gauge("boclust_streams", "Open event streams", registry=self._registry)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        known = method if method in _METHODS else "other"
        self.requests.labels(known, route, str(status)).inc()
        self.seconds.labels(known, route).observe(seconds)

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self._registry)


@dataclass(frozen=True)
class Context:
    """The shared state of one server."""

    studies: Studies
    keyring: Keyring
    notifier: Notifier
    metrics: Metrics
    #: The path under which a proxy, or an enclosing application, shows the server.
    root_path: str

    def close(self) -> None:
        """End the streams and close the database."""
        self.notifier.close()
        self.studies.close()
