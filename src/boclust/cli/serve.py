"""``boclust serve``: the studies of a database over HTTP."""

import click

from boclust.cli import HELP
from boclust.cli.study import printing_errors
from boclust.cli.study.common import served_database


@click.command(name="serve", context_settings=HELP)
@served_database
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port (0 picks a free one).",
)  # fmt: skip
@click.option("--root-path", default="", metavar="/PATH", help="The path that a proxy adds.")
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME",
    help="A further host name to answer to; repeat for each.",
)  # fmt: skip
@click.option(
    "--without-tokens", is_flag=True, help="Allow a public address while there are no tokens."
)
@click.option(
    "--rate", type=click.FloatRange(0), metavar="N",
    help="Requests per second of one token or address (default 500; 0 for no limit).",
)  # fmt: skip
@click.option(
    "--max-body", type=click.IntRange(1000), metavar="BYTES",
    help="The largest size of a request (default 1000000).",
)  # fmt: skip
@click.option("--log", is_flag=True, help="Write one line per request to standard error.")
def command(
    url: str, host: str, port: int, root_path: str, hosts: tuple[str, ...], without_tokens: bool,
    rate: float | None, max_body: int | None, log: bool,
) -> None:  # fmt: skip
    """Serve the studies of a database: a page for people, an HTTP API for programs.

    \b
    boclust serve
    boclust serve --url postgresql+psycopg://user@host/database --port 8080

    With --host 0.0.0.0 others can reach the server; this is refused until there are tokens, see
    boclust token. Ctrl-C stops the server after it has answered pending requests; a second Ctrl-C
    stops it at once.
    """
    from boclust.cli.terminal import compiling
    from boclust.server import create_app, limits
    from boclust.server.process import serve, warm_up

    def prepare() -> None:
        with compiling():
            warm_up()

    with printing_errors():
        app = create_app(
            url, root_path=root_path, hosts=[host, *hosts],
            rate=limits.RATE if rate is None else rate or None,
            max_body=limits.BODY if max_body is None else max_body,
        )  # fmt: skip
        serve(
            app, host, port, without_tokens=without_tokens, log=log, say=click.echo, prepare=prepare
        )
