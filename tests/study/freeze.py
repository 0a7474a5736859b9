"""Makes the frozen databases of the present schema, a file of SQLite and a dump of PostgreSQL.

Run once for each released schema: python tests/study/freeze.py
"""

import subprocess
from pathlib import Path

import numpy as np
from sqlalchemy.engine import make_url

import boclust
from boclust.bench import postgres
from boclust.study.storage.tables import SCHEMA

FROZEN = Path(__file__).parent / "data"
#: Lines of a dump that belong to the session that loads it, or to one version of the server.
_LEFT_OUT = ("--", "SET ", "\\", "SELECT pg_catalog.set_config")


def fill(url):
    rng = np.random.default_rng(1)
    arms = ["north", {"name": "south", "cost": 2.5, "tags": ["sea"]}, 'it\'s "west" — é']
    with boclust.Study.create(url, "tides", arms, 2, 1e-6, budget={"cost": 500}) as study:
        ask = study.ask(client="ann")
        study.tell(ask, 0.5, key="row 1", client="ann", metadata={"by": "hand"})
        study.tell_many([(i % 3, float(rng.normal([0, 0.4, 3][i % 3]))) for i in range(30)])
        study.ask(2, client="bob")
        study.pause()
        study.resume()
        study.void(7, "mistyped")
        study.correct(8, 0.125, "decimal point")
    family = boclust.Bernoulli()
    with boclust.Study.create(url, "clicks", ["a", "b", "c"], 2, 0.3, family=family) as study:
        while study.status().state == "open":
            ask = study.ask()
            study.tell(ask, int(rng.random() < [0.02, 0.03, 0.97][ask.arm]))


def dumped(url):
    """The statements that make a PostgreSQL database again."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", plain]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return "\n".join(line for line in lines if line and not line.startswith(_LEFT_OUT)) + "\n"


if __name__ == "__main__":
    fill(f"sqlite:///{FROZEN}/schema_{SCHEMA}.db")
    with postgres.server() as server, postgres.database(server) as url:
        fill(url)
        (FROZEN / f"schema_{SCHEMA}.sql").write_text(dumped(url), encoding="utf-8")
