"""What a server counts, in the text format of Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)


class Metrics:
    """Requests by route, method and status, and how long they took; asks, values and streams.

    No label comes from a caller: there are as many series as routes, whatever is sent.
    """

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
        self.streams = Gauge("boclust_streams", "Event streams open", registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        known = method if method in ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE") else "other"
        self.requests.labels(known, route, str(status)).inc()
        self.seconds.labels(known, route).observe(seconds)

    def text(self) -> bytes:
        """All of it."""
        return generate_latest(self._registry)
