"""What the parts of one server share."""

from dataclasses import dataclass

from boclust.server.metrics import Metrics
from boclust.server.stream import News
from boclust.server.studies import Studies
from boclust.server.tokens import Keyring


@dataclass(frozen=True)
class Context:
    """The studies, the tokens, the streams and the counts of a server."""

    studies: Studies
    keyring: Keyring
    news: News
    metrics: Metrics
    #: Where a proxy, or the application that it is mounted in, shows the server.
    root_path: str

    def close(self) -> None:
        """End the streams and let go of the database."""
        self.news.close()
        self.studies.close()
