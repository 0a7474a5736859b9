"""Tables of this and other versions and of other programs; upgrades lose nothing.

What was in a frozen database is read with plain SQL before and after.
"""

import json
import os
import shutil
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

import boclust
from boclust.study import (
    CorruptError,
    NewerSchemaError,
    OlderSchemaError,
    StudyExistsError,
    StudyNotFoundError,
)
from boclust.study.storage import schema
from boclust.study.storage.tables import SCHEMA, metadata
from support.processes import PATIENCE
from support.workers import forking

FROZEN = Path(__file__).parent / "data"
#: The columns of schema 1.
OLD = {
    "studies": "id, name",
    "events": "study, seq, kind, time, client, key, ask, target, arm, value, payload",
    "snapshots": "study, seq, version, checksum, state",
}
DATABASES = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


def run(url, *statements, **values):
    """Run SQL without boclust; returns the rows of the last statement, if it has any."""
    with sa.create_engine(url, poolclass=NullPool).begin() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        for statement in statements:
            found = connection.execute(sa.text(statement), values)
        return [tuple(row) for row in found] if found.returns_rows else []


def restore(url, number):
    """Restore the frozen database of a schema at ``url``."""
    if url.startswith("sqlite"):
        shutil.copy(FROZEN / f"schema_{number}.db", make_url(url).database)
        return
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as connection:
        connection.execute((FROZEN / f"schema_{number}.sql").read_text().encode())


@pytest.fixture
def first(url):
    """The URL of a database of schema 1."""
    restore(url, 1)
    return url


def rows(url, prefix=""):
    return {
        table: sorted(run(url, f"SELECT {columns} FROM {prefix}{table}"), key=lambda row: row[:2])
        for table, columns in OLD.items()
    }


def structure(url):
    """Everything that the database knows about our tables."""
    with sa.create_engine(url, poolclass=NullPool).connect() as connection:
        found = sa.inspect(connection)
        said = {}
        for name in sorted(found.get_table_names()):
            columns = [(c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)]
            said[name] = (
                columns, found.get_pk_constraint(name), found.get_foreign_keys(name),
                found.get_unique_constraints(name), found.get_indexes(name),
            )  # fmt: skip
        if connection.dialect.name == "postgresql":
            relations = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            said["names"] = sorted(connection.execute(sa.text(relations)).scalars())
    return json.dumps(said, default=str, indent=1)


# --- versions ---------------------------------------------------------------------------------


def test_other_schemas_are_told_apart(create, url, reopen, monkeypatch):
    study = create()
    if url == "sqlite://":
        pytest.skip("no other version can have made it")
    study.close()
    run(url, "UPDATE boclust_version SET version_num = :n", n=f"{SCHEMA + 1:04}")
    for attempt in (
        lambda: reopen(study),
        create,
        lambda: boclust.Study.list(url),
        lambda: boclust.Study.upgrade(url),
    ):
        with pytest.raises(NewerSchemaError, match="made by a newer boclust"):
            attempt()
    monkeypatch.setattr(schema, "SCHEMA", SCHEMA + 2)
    with pytest.raises(OlderSchemaError, match="upgrade it first"):
        reopen(study)


def test_a_database_without_studies(url, tmp_path):
    (tmp_path / "studies.db").touch()
    for attempt in (lambda: boclust.Study.open(url, "x"), lambda: boclust.Study.list(url)):
        with pytest.raises(StudyNotFoundError, match="no studies in the database yet"):
            attempt()


def _create(url, results):
    try:
        boclust.Study.create(url, "x", ["a", "b", "c"], 2, 0.1).close()
        results.put("made")
    except StudyExistsError:
        results.put("exists")


@DATABASES
def test_only_one_creates_a_study(url):
    assert sorted(at_once(_create, url)) == ["exists", "exists", "made"]


def at_once(target, url):
    """The results of three processes that do the same."""
    context = forking()
    results = context.Queue()
    workers = [context.Process(target=target, args=(url, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    said = [results.get(timeout=PATIENCE) for _ in workers]
    for worker in workers:
        worker.join(PATIENCE)
    return said


def test_the_tables_are_what_they_are_said_to_be(create):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    context = {"compare_type": True, "version_table": "none"}
    found = create()._session.store.read(
        lambda c: compare_metadata(MigrationContext.configure(c, opts=context), metadata)
    )
    assert found == []


# --- upgrades ---------------------------------------------------------------------------------


def test_there_are_frozen_databases_of_this_version():
    assert (FROZEN / f"schema_{SCHEMA}.db").exists()
    assert (FROZEN / f"schema_{SCHEMA}.sql").exists()


@DATABASES
@pytest.mark.parametrize("number", range(1, SCHEMA + 1))
def test_frozen_databases(url, number):
    """A database of each released version: upgraded, opened, verified, continued."""
    restore(url, number)
    if number < SCHEMA:
        with pytest.raises(OlderSchemaError, match=f"has schema {number}, .* upgrade it first"):
            boclust.Study.list(url)
    boclust.Study.upgrade(url)
    assert [one["name"] for one in boclust.Study.list(url)] == ["clicks", "tides"]
    with boclust.Study.open(url, "tides") as study:
        assert study.verify().ok
        status = study.status()
        assert (status.samples, status.voided, status.corrected) == (31, 1, 1)
        assert [arm.name for arm in status.arms] == ["north", "south", 'it\'s "west" — é']
        assert [arm.cost for arm in status.arms] == [1.0, 2.5, 1.0]
        asked = next(event for event in study.history() if event["kind"] == "asked")
        again = dict(key="row 1", metadata={"by": "hand"})
        assert study.tell(study.find_ask(asked["ask"]), 0.5, **again) == 3
        study.tell("south", 0.25)
        assert study.verify().ok
    with boclust.Study.open(url, "clicks") as study:
        assert study.status().state == "certified"
    with boclust.Study.create(url, "new", ["a", "b", "c"], 2, 0.1) as study:
        assert study.tell("a", 1.0) == 2


@DATABASES
def test_an_upgrade_keeps_every_row(first):
    before = rows(first)
    boclust.Study.upgrade(first)
    assert rows(first, "boclust_") == before
    assert run(first, "SELECT * FROM boclust_tokens") == []
    boclust.Study.upgrade(first)  # again: nothing to do
    assert rows(first, "boclust_") == before


@DATABASES
def test_an_upgraded_database_is_as_a_new_one(first, tmp_path):
    """Columns, keys, indexes and, on PostgreSQL, the names of all of them."""
    boclust.Study.upgrade(first)
    upgraded = structure(first)
    url = f"sqlite:///{tmp_path}/new.db"
    if not first.startswith("sqlite"):
        run(first, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
        url = first
    boclust.Study.create(url, "x", ["a", "b"], 1, 0.1).close()
    assert structure(url) == upgraded


@DATABASES
def test_foreign_keys_hold_after_an_upgrade(first):
    boclust.Study.upgrade(first)
    for statement in (
        "INSERT INTO boclust_events (study, seq, kind, time) VALUES (999, 1, 1, 1)",
        "INSERT INTO boclust_snapshots VALUES (999, 1, 'x', 'x', '')",
        "DELETE FROM boclust_studies",
    ):
        with pytest.raises(sa.exc.IntegrityError, match=r"(?i)foreign key"):
            run(first, statement)


@DATABASES
def test_an_upgrade_that_fails_at_any_statement_has_done_nothing(first, monkeypatch):
    before = rows(first)
    execute = sa.engine.Connection._execute_context
    count = 0

    def counted(self, *arguments, **more):
        nonlocal count
        count += 1
        if count == last:
            raise KeyboardInterrupt
        return execute(self, *arguments, **more)

    last = 0
    done = False
    while not done:
        last, count = last + 1, 0
        with monkeypatch.context() as patch:
            patch.setattr(sa.engine.Connection, "_execute_context", counted)
            try:
                boclust.Study.upgrade(first)
                done = True
            except KeyboardInterrupt:
                pass
        if not done:
            assert rows(first) == before
    assert last > 10
    assert rows(first, "boclust_") == before


@DATABASES
def test_a_process_that_dies_before_its_upgrade_is_committed(first):
    before = rows(first)
    child = os.fork()
    if child == 0:
        sa.engine.RootTransaction.commit = lambda transaction: os._exit(9)
        boclust.Study.upgrade(first)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert rows(first) == before
    boclust.Study.upgrade(first)
    assert rows(first, "boclust_") == before


def _upgrade(url, results):
    try:
        boclust.Study.upgrade(url)
        results.put("done")
    except BaseException as error:
        results.put(repr(error))


@DATABASES
def test_several_upgrade_at_once(first):
    before = rows(first)
    assert at_once(_upgrade, first) == ["done"] * 3
    assert rows(first, "boclust_") == before


# --- tables of others -------------------------------------------------------------------------

#: Tables of another program that uses alembic and the names of schema 1.
OTHERS = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
    "INSERT INTO alembic_version VALUES ('0001')",
    "CREATE TABLE studies (id INTEGER PRIMARY KEY, title TEXT)",
    "INSERT INTO studies VALUES (7, 'theirs')",
    "CREATE TABLE events (x INTEGER)",
    "CREATE INDEX events_key ON events (x)",
    "CREATE TABLE snapshots (x INTEGER)",
)


@DATABASES
def test_other_tables_are_left_alone(url):
    run(url, *OTHERS)
    boclust.Study.upgrade(url)
    with boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 0.1) as study:
        study.tell("a", 1.0, key="k")
        assert study.verify().ok
    assert [one["name"] for one in boclust.Study.list(url)] == ["tides"]
    assert run(url, "SELECT * FROM studies") == [(7, "theirs")]
    assert run(url, "SELECT * FROM alembic_version") == [("0001",)]


@DATABASES
def test_other_tables_stay_when_ours_are_upgraded(first):
    run(first, "CREATE TABLE things (x INTEGER)", "INSERT INTO things VALUES (7)")
    boclust.Study.upgrade(first)
    assert run(first, "SELECT * FROM things") == [(7,)]


@DATABASES
@pytest.mark.parametrize("name", sorted(metadata.tables))
@pytest.mark.parametrize("what", ["TABLE {} (x INTEGER)", "VIEW {} AS SELECT 1 AS x"])
def test_tables_of_others_with_our_names(url, name, what):
    run(url, f"CREATE {what.format(name)}")
    for attempt in (
        lambda: boclust.Study.create(url, "x", ["a", "b"], 1, 0.1),
        lambda: boclust.Study.open(url, "x"),
        lambda: boclust.Study.list(url),
        lambda: boclust.Study.upgrade(url),
    ):
        with pytest.raises(CorruptError, match=f"table '{name}'"):
            attempt()
    assert name == "boclust_studies" or "boclust_studies" not in structure(url)


@DATABASES
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DROP TABLE boclust_snapshots", "boclust_snapshots"),
        ("ALTER TABLE boclust_tokens RENAME COLUMN hash TO x", "boclust_tokens"),
        ("DELETE FROM boclust_version", "boclust_studies"),
        ("INSERT INTO boclust_version VALUES ('0001')", "boclust_studies"),
        ("UPDATE boclust_version SET version_num = 'x'", "boclust_studies"),
    ],
)
def test_tables_that_are_no_longer_whole(url, statement, named):
    boclust.Study.create(url, "x", ["a", "b"], 1, 0.1).close()
    run(url, statement)
    with pytest.raises(CorruptError, match=f"table '{named}'"):
        boclust.Study.list(url)
