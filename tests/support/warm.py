"""Imported by the process that ``workers.forking`` forks from: loads what a study needs."""

import psycopg  # noqa: F401
import sqlalchemy.dialects.postgresql.psycopg  # noqa: F401

import boclust
from boclust.study import snapshot

study = boclust.Study.create("sqlite://", "warm", ["a", "b", "c"], 2, 0.1)
study.tell_many([("a", 0.0), ("b", 0.1), ("c", 9.0)])
study.ask()
study.status()
session = study._session
snapshot.load(session.spec, session.read(lambda state: snapshot.dump(state)))
