"""``boclust demo --serve``: a live study in the browser, fed by simulated samples."""

import tempfile
import threading
from pathlib import Path

import click

from boclust import Instance, Study, StudyStoppedError
from boclust.study import NothingToAskError, StudyPausedError

_ARMS = ("Ayr", "Bude", "Cromer", "Deal", "Exmouth", "Fowey", "Goole")
_CLIENT = "simulation"


def serve_demo_study(instance: Instance, delta: float, port: int, pace: float) -> None:
    """Serve a study in a temporary database and tell it ``pace`` simulated samples per second."""
    from boclust.cli.terminal import compiling
    from boclust.server import create_app
    from boclust.server.process import serve

    with tempfile.TemporaryDirectory(prefix="boclust-demo-") as folder:
        url = f"sqlite:///{Path(folder) / 'demo.db'}"
        with Study.create(url, "demo", _ARMS, instance.n_clusters, delta) as study:
            with compiling():
                study.status()
            over = threading.Event()
            source = threading.Thread(target=_feed, args=(study, instance, pace, over))
            source.start()
            try:
                app = create_app(url)
                serve(
                    app, "127.0.0.1", port, without_tokens=False, log=False, say=click.echo,
                    query=f"?study={study.name}",
                )  # fmt: skip
            finally:
                over.set()
                source.join()


def _feed(study: Study, instance: Instance, pace: float, over: threading.Event) -> None:
    """Answer asks at the given pace until the study ends; wait while it is paused."""
    from boclust.sources import Simulated

    sample = Simulated(instance, seed=7)
    while not over.wait(1 / pace):
        try:
            ask = study.ask(client=_CLIENT)
        except (StudyPausedError, NothingToAskError):
            continue
        except StudyStoppedError as end:
            click.echo(f"The study has ended ({end.how}); the page stays until Ctrl-C.")
            return
        study.tell(ask, sample(ask.arm), client=_CLIENT)
