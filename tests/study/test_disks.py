"""Full and read-only disks: one clear message, nothing is lost, and the study continues.

Some need a disk of their own, which only root may mount; for others permissions do.
"""

import resource
import shutil
from pathlib import Path

import pytest

import boclust
from boclust.study import DiskFullError, OlderSchemaError, ReadOnlyError, StorageError
from support.disks import disk, filled, unwritable

FROZEN = Path(__file__).parent / "data"


def create(url):
    return boclust.Study.create(url, "tides", ["a", "b", "c"], 2, 1e-300)


def told(study):
    return [event["value"] for event in study.history() if event["kind"] == "told"]


def tell_until(study, error, match):
    """Tell 0, 1, 2... until a refusal; the log has exactly the acknowledged values."""
    kept = []

    def tell():
        for i in range(100_000):
            study.tell("a", float(i))
            kept.append(float(i))

    with pytest.raises(error, match=match):
        tell()
    assert told(study) == kept
    assert study.verify().ok
    return kept


def test_a_full_disk(tmp_path):
    with disk(tmp_path, 2) as folder:
        url = f"sqlite:///{folder}/studies.db"
        with create(url) as study:
            with filled(folder, 100_000):
                kept = tell_until(study, DiskFullError, "the disk is full")
                with boclust.Study.open(url, "tides") as other:
                    for one in (study, other):
                        for attempt in (lambda one=one: one.tell("b", 1.0), one.ask):
                            with pytest.raises(DiskFullError, match="the disk is full"):
                                attempt()
                        assert one.status().samples == len(kept)
            study.tell("c", 3.0)
            assert told(study) == [*kept, 3.0]
            assert study.verify().ok


def test_an_upgrade_on_a_full_disk(tmp_path):
    """Refused as a whole, and done once there is space; SQLite's lock file has 32 kB."""
    with disk(tmp_path, 2) as folder:
        url = f"sqlite:///{folder}/studies.db"
        shutil.copy(FROZEN / "schema_1.db", folder / "studies.db")
        with filled(folder, 40_000):
            with pytest.raises(DiskFullError, match="the disk is full"):
                boclust.Study.upgrade(url)
            with pytest.raises(OlderSchemaError):
                boclust.Study.list(url)
        boclust.Study.upgrade(url)
        with boclust.Study.open(url, "tides") as study:
            assert study.status().samples == 31
            assert study.verify().ok


def test_a_full_database(tmp_path):
    """A file at its size limit fails at INSERT, a full disk at COMMIT."""
    with create(f"sqlite:///{tmp_path}/studies.db") as study:
        study.tell("a", 1.0)
        raw = study._session.store._connection.connection.driver_connection
        raw.execute(f"PRAGMA max_page_count = {raw.execute('PRAGMA page_count').fetchone()[0]}")
        with pytest.raises(DiskFullError, match="the disk is full"):
            study.tell_many([("b", float(i)) for i in range(10_000)])
        assert told(study) == [1.0]
        assert study.verify().ok
        raw.execute("PRAGMA max_page_count = 100000")
        study.tell("c", 3.0)
        assert told(study) == [1.0, 3.0]
        assert study.verify().ok


def test_a_limit_on_files(tmp_path):
    """A limit on file sizes looks like a quota."""
    with create(f"sqlite:///{tmp_path}/studies.db") as study:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, before[1]))
        try:
            kept = tell_until(study, StorageError, "a limit on file sizes")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        study.tell("c", 3.0)
        assert told(study) == [*kept, 3.0]
        assert study.verify().ok


@pytest.mark.slow
def test_a_full_disk_of_a_server(mortal):
    folder = mortal.folder / "disk"
    folder.mkdir()
    with disk(folder, 24):
        place = folder / "tables"
        place.mkdir()
        shutil.chown(place, mortal.user, mortal.user)
        mortal.admin(f"CREATE TABLESPACE small LOCATION '{place}'")
        mortal.admin("CREATE DATABASE tides TABLESPACE small")
        with create(mortal.url("tides")) as study:
            with filled(folder, 100_000):
                kept = tell_until(study, DiskFullError, "the disk is full")
            study.tell("c", 3.0)
            assert told(study) == [*kept, 3.0]
            assert study.verify().ok
        mortal.stop("immediate")


def test_a_file_that_may_only_be_read(tmp_path):
    file = tmp_path / "studies.db"
    with create(f"sqlite:///{file}") as study:
        study.tell("a", 1.0)
    with unwritable(file), boclust.Study.open(f"sqlite:///{file}", "tides") as study:
        for attempt in (lambda: study.tell("b", 2.0), study.ask):
            with pytest.raises(ReadOnlyError, match="the database is read-only"):
                attempt()
        assert told(study) == [1.0]
    with boclust.Study.open(f"sqlite:///{file}", "tides") as study:
        study.tell("b", 2.0)
        assert told(study) == [1.0, 2.0]


def test_a_folder_that_may_only_be_read(tmp_path):
    file = tmp_path / "studies.db"
    with create(f"sqlite:///{file}") as study:
        study.tell("a", 1.0)
    with unwritable(tmp_path):
        for attempt in (
            lambda: boclust.Study.open(f"sqlite:///{file}", "tides"),
            lambda: create(f"sqlite:///{tmp_path}/other.db"),
        ):
            with pytest.raises(ReadOnlyError, match="its folder is read-only"):
                attempt()
        archive = f"sqlite:///file:{file}?mode=ro&immutable=1&uri=true"  # as the message says
        with boclust.Study.open(archive, "tides") as study:
            assert told(study) == [1.0]
            with pytest.raises(ReadOnlyError, match="the database is read-only"):
                study.tell("b", 2.0)
    with boclust.Study.open(f"sqlite:///{file}", "tides") as study:
        study.tell("b", 2.0)
        assert told(study) == [1.0, 2.0]


def test_a_file_that_is_opened_to_be_read(tmp_path):
    file = tmp_path / "studies.db"
    with create(f"sqlite:///{file}") as study:
        study.tell("a", 1.0)
    with boclust.Study.open(f"sqlite:///file:{file}?mode=ro&uri=true", "tides") as study:
        with pytest.raises(ReadOnlyError, match="the database is read-only"):
            study.tell("a", 1.0)
        assert study.status().samples == 1


def test_a_server_that_may_only_be_read(database, server):
    with create(database) as study:
        study.tell("a", 1.0)
    name = database.partition("?")[0].rpartition("/")[2]
    server.admin(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    try:
        with boclust.Study.open(database, "tides") as study:
            for attempt in (lambda: study.tell("b", 2.0), study.ask):
                with pytest.raises(ReadOnlyError, match="the database is read-only"):
                    attempt()
            assert told(study) == [1.0]
    finally:
        server.admin(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    with boclust.Study.open(database, "tides") as study:
        study.tell("b", 2.0)
        assert told(study) == [1.0, 2.0]
