"""Damaged and missing databases, and those of another version: one clear message.

Those that are full or read-only are in ``test_disks``.
"""

import hashlib
import json
import os
import sqlite3

import psycopg
import pytest
import sqlalchemy as sa

import boclust
from boclust.study import (
    BusyError,
    CorruptError,
    ServerLostError,
    StorageError,
    StudyNotFoundError,
    snapshot,
)
from boclust.study.storage import store
from support.processes import PATIENCE
from support.workers import ROLES, ROUNDS, forking, take_part


def change(url, statement, **values):
    """Write to the tables without the study."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text(statement), values)
    engine.dispose()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "studies.db"


def make(path, name="tides", **more):
    return boclust.Study.create(f"sqlite:///{path}", name, ["a", "b", "c"], 2, 0.1, **more)


def told(study):
    return [event["value"] for event in study.history() if event["kind"] == "told"]


# --- files ------------------------------------------------------------------------------------


def test_nothing_is_made_by_opening(tmp_path):
    for attempt in (boclust.Study.list, boclust.Study.upgrade):
        with pytest.raises(StudyNotFoundError, match="no database"):
            attempt(f"sqlite:///{tmp_path}/none.db")
    with pytest.raises(StudyNotFoundError, match="no database"):
        boclust.Study.open(f"sqlite:///{tmp_path}/none.db", "x")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StorageError, match="cannot be opened"):
        make(tmp_path / "no" / "folder.db")


def test_settings_of_sqlite(file):
    with make(file) as study:
        connection = study._session.store._connected()
        found = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
        connection.rollback()
    assert found == ["wal", 2, 1, 1000 * store.PATIENCE]


def test_a_file_that_is_no_database(file):
    file.write_bytes(b"something else entirely" * 100)
    with pytest.raises(CorruptError, match="damaged or not a database"):
        boclust.Study.open(f"sqlite:///{file}", "x")


def test_a_damaged_file(file):
    with make(file) as study:
        study.tell_many([("a", float(i)) for i in range(3000)])
    data = bytearray(file.read_bytes())
    data[5000:-4096] = os.urandom(len(data) - 4096 - 5000)
    file.write_bytes(data)
    with (
        pytest.raises(CorruptError, match="damaged"),
        boclust.Study.open(f"sqlite:///{file}", "tides") as study,
    ):
        study.verify()


def test_a_lock_that_is_held_too_long(file, monkeypatch):
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    with make(file) as study:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyError, match="locked"):
            study.tell("a", 1.0)
        other.execute("ROLLBACK")
        other.close()
        assert study.tell("a", 1.0) == 2


# --- servers ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_server_that_vanishes(mortal, monkeypatch):
    monkeypatch.setattr(store, "RECONNECT", 0.3)
    url = mortal.url("postgres")
    study = boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 0.1)
    study.tell("a", 1.0, key="k")
    mortal.stop("immediate")
    for attempt in (lambda: study.tell("b", 2.0), study.status, study.ask):
        with pytest.raises(ServerLostError, match="cannot reach the server"):
            attempt()
    with pytest.raises(ServerLostError, match="cannot reach the server"):
        boclust.Study.open(url, "tides")
    mortal.start()
    assert study.tell("a", 1.0, key="k") == 2
    study.tell("b", 2.0)
    assert told(study) == [1.0, 2.0]
    assert study.verify().ok
    study.close()


def test_a_connection_that_is_cut_is_made_again(database, server):
    with boclust.Study.create(database, "tides", ["a", "b", "c"], 2, 0.1) as study:
        study.tell("a", 1.0)
        server.admin(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname LIKE 'boclust%'"
        )
        study.tell("b", 2.0)  # had not begun: repeated
        assert told(study) == [1.0, 2.0]


@pytest.mark.parametrize("key", ["k", None])
def test_a_commit_whose_answer_is_lost(database, server, monkeypatch, key):
    """The commit succeeded: repeat it if that is idempotent, else report that it is unknown."""
    with boclust.Study.create(database, "tides", ["a", "b", "c"], 2, 0.1) as study:
        commit = sa.engine.RootTransaction.commit

        def lost(transaction):
            commit(transaction)
            monkeypatch.setattr(sa.engine.RootTransaction, "commit", commit)
            raise sa.exc.OperationalError("COMMIT", {}, psycopg.OperationalError("lost"))

        monkeypatch.setattr(sa.engine.RootTransaction, "commit", lost)
        if key:
            assert study.tell("a", 1.0, key=key) == 2
        else:
            with pytest.raises(ServerLostError, match="it is unknown"):
                study.tell("a", 1.0)
        assert told(study) == [1.0]
        assert study.verify().ok


def test_a_password_is_not_shown():
    url = "postgresql+psycopg://u:secret@127.0.0.1:1/x"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "RECONNECT", 0.0)
        with pytest.raises(ServerLostError) as caught:
            boclust.Study.list(url)
    assert "secret" not in str(caught.value)


# --- snapshots --------------------------------------------------------------------------------


def test_a_damaged_snapshot_is_dropped(create, reopen, url):
    study = create()
    study.tell_many([("a", float(i)) for i in range(1500)])
    before = study.status()
    if url == "sqlite://":
        study._session.store.write(
            lambda c: c.execute(sa.text("UPDATE boclust_snapshots SET checksum = 'x'"))
        )
    else:
        change(url, "UPDATE boclust_snapshots SET checksum = 'x'")
    found = study.verify()
    assert not found.ok
    assert "damaged" in found.problems[0]
    other = reopen(study)
    with pytest.warns(RuntimeWarning, match="damaged .wrong checksum.: the state is computed"):
        assert other.status() == before
    other.tell_many([("b", float(i)) for i in range(1500)])
    assert other.verify().ok  # a new one was written


def test_a_snapshot_that_lies_is_found_out(create):
    study = create()
    study.tell_many([("a", float(i)) for i in range(1500)])
    session = study._session

    def forge(connection):
        state = snapshot.load(session.spec, snapshot.find(connection, session.number).state)
        state.told[0] += 1
        snapshot.write(connection, session.number, state)

    session.store.write(forge)
    found = study.verify()
    assert not found.ok
    assert "differs" in found.problems[0]


@pytest.mark.parametrize(
    "change",
    [
        ("told", [1, 2]), ("told", None), ("told", [0, 0, "x"]), ("asks", [[2, 3, None, 5]]),
        ("asks", [[2, -1, None, 5]]), ("asks", [[2]]), ("stride", 0), ("paused", 1), ("seq", -1),
        ("budget", {"samples": 0}), ("arrays", []), ("arrays", [["counts", "O", [3]]]),
        ("stop_reason", 7),
    ],
)  # fmt: skip
def test_a_snapshot_of_something_else_is_not_used(memory, change):
    """Also if its checksum and version are right."""
    study = boclust.Study.create(memory, "x", ["a", "b", "c"], 2, 0.1)
    study.tell_many([("a", float(i)) for i in range(1500)])
    session = study._session
    before = study.status()

    def forge(connection):
        saved = snapshot.find(connection, session.number).state
        line, _, rest = saved.partition(b"\n")
        data = json.dumps(json.loads(line) | dict([change])).encode() + b"\n" + rest
        checksum = hashlib.sha256(data).hexdigest()
        text = sa.text("UPDATE boclust_snapshots SET state = :state, checksum = :checksum")
        connection.execute(text, {"state": data, "checksum": checksum})

    session.store.write(forge)
    other = boclust.Study.open(memory, "x")
    with pytest.warns(RuntimeWarning, match="the snapshot is not one of this study"):
        assert other.status() == before
    assert not other.verify().ok


def test_snapshots_of_other_versions_are_not_used(create, reopen, monkeypatch):
    study = create()
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "VERSION", "0/0.0.1")
        study.tell_many([("a", float(i)) for i in range(1500)])
    other = reopen(study)
    assert other.status() == study.status()
    found = other.verify()
    assert found.ok
    assert found.snapshot.startswith("has version 0/0.0.1")


# --- several at once --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_eight_processes_take_turns(create, reopen, url):
    study = create(delta=1e-300)
    context = forking()
    together, results = context.Barrier(len(ROLES)), context.Queue()
    workers = [
        context.Process(target=take_part, args=(url, study.name, number, together, results))
        for number in range(len(ROLES))
    ]
    for worker in workers:
        worker.start()
    said = [row for _ in workers for row in results.get(timeout=PATIENCE)]
    for worker in workers:
        worker.join(PATIENCE)
        assert worker.exitcode == 0
    history = list(study.history())
    assert [event["seq"] for event in history] == list(range(1, len(history) + 1))
    kept = [(e["seq"], e["arm"], e["value"]) for e in history if e["kind"] == "told"]
    assert kept == sorted(set(said))
    assert len(kept) == ROUNDS * sum(values for _, values in ROLES)
    asked = [e["ask"] for e in history if e["kind"] == "asked"]
    assert sorted(e["ask"] for e in history if e["kind"] == "told" and e["ask"]) == sorted(asked)
    voided = [e["target"] for e in history if e["kind"] == "voided"]
    assert voided == [seq for seq, _, value in kept if round(value % 1, 9) == 0.8]
    assert study.verify().ok
    assert reopen(study).status() == study.status()


def test_a_study_survives_a_fork_of_the_process(create, url):
    if url == "sqlite://":
        pytest.skip("memory is not shared with other processes")
    study = create()
    study.tell("a", 1.0)
    child = os.fork()
    if child == 0:
        try:
            study.tell("b", 2.0)
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    study.tell("c", 3.0)
    assert told(study) == [1.0, 2.0, 3.0]
    assert study.verify().ok
