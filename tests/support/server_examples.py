"""The examples of the API: a session with a server, whose answers are part of the package.

Run ``python -m support.server_examples`` in ``tests`` after a change of the answers: tests compare
them.
"""

import json
import re
import tempfile

from boclust.server.gate import API
from boclust.study.spec import token_of

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
DATE = "2026-11-16T09:30:00+00:00"
KEY = "tides 1"
TIDES = {
    "name": "tides",
    "arms": ["north", {"name": "south", "cost": 2.5, "tags": ["sea"]}, "west"],
    "n_clusters": 2,
    "delta": 0.05,
    "dim": 1,
    "family": {"name": "gaussian", "sigma": 1.0},
    "algorithm": "span",
    "budget": {"samples": 1000},
    "lease": 3600.0,
}
ROWS = [
    {"ask": f"{token_of('tides', KEY)}-2", "value": 1.3},
    {"arm": "south", "value": 1.1, "key": "row 17", "metadata": {"by": "hand"}},
    {"arm": "west", "value": 7.2, "key": "row 18"},
]
#: The requests in their order: queries come when there is something to see.
SESSION = [
    ("GET /health", None),
    ("POST /login", {"token": "boc_3f2a91bc_SECRET"}),
    ("GET /whoami", None),
    ("POST /studies", TIDES),
    ("POST /studies/{study}/asks", {"n": 1, "client": "ann"}),
    ("POST /studies/{study}/observations", {"observations": ROWS, "client": "ann"}),
    ("POST /studies/{study}/correct", {"event": 5, "value": 7.4, "reason": "misread"}),
    ("GET /studies", None),
    ("GET /studies/{study}", None),
    ("GET /studies/{study}/explain", None),
    ("GET /studies/{study}/history", None),
    ("GET /studies/{study}/trace", None),
    ("GET /studies/{study}/picture", None),
    ("GET /studies/{study}/proportions", None),
    ("GET /studies/{study}/export", None),
    ("POST /studies/{study}/void", {"event": 5, "reason": "sensor unplugged"}),
    ("POST /studies/{study}/pause", {"client": "ann"}),
    ("POST /studies/{study}/resume", {"client": "ann"}),
    ("POST /studies/{study}/budget", {"samples": 2000, "client": "ann"}),
    ("POST /studies/{study}/stop", {"reason": "no funds", "client": "ann"}),
    ("POST /logout", {}),
]


def play(client):
    """The answers of a server to the session, by call."""
    said = {}
    for call, body in SESSION:
        method, _, path = call.partition(" ")
        more = {} if method == "GET" else {"json": body, "headers": {"Idempotency-Key": KEY}}
        answer = client.request(method, API + path.replace("{study}", "tides"), **more)
        assert answer.is_success, (call, answer.text)
        text = _TIME.sub(DATE, answer.text)
        is_json = answer.headers["content-type"] == "application/json"
        said[f"{method} {API}{path}"] = {
            "request": body,
            "status": answer.status_code,
            "answer": json.loads(text) if is_json else text,
        }
    return said


def main():
    from boclust.server.app import EXAMPLES, create_app
    from support.in_process import InProcess

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(f"sqlite:///{folder}/studies.db")
        written = json.dumps(play(InProcess(app)), indent=1)
        app.state.boclust.close()
    EXAMPLES.write_text(written + "\n")


if __name__ == "__main__":
    main()
