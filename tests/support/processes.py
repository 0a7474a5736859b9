"""Processes that tests start, and how long they are waited for."""

import sys

#: Seconds after which what is waited for hangs, however busy the machine is.
PATIENCE = 600

_MAIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from boclust.cli import main
main()
"""


def command_line(*arguments: object) -> list[str]:
    """``boclust ARGUMENTS`` in a process of its own, which takes notice of Ctrl-C.

    A shell makes what it starts in the background ignore SIGINT; were pytest started like that,
    its children would inherit it.
    """
    return [sys.executable, "-c", _MAIN, *map(str, arguments)]
