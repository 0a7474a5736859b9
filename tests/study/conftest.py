"""The same tests run over all stores: in memory, SQLite and PostgreSQL.

PostgreSQL is a private server that the tests start, or the one whose URL ``BOCLUST_TEST_POSTGRES``
gives (an account that may create databases). Where none can be had its tests are skipped, unless
the variable says "required", as in CI: then they fail.
"""

import os
from contextlib import ExitStack

import psycopg
import pytest
from sqlalchemy.engine import make_url

import boclust
from boclust.bench import postgres
from boclust.study import store
from servers import mortal_server


def entered(stack, make):
    """What ``make`` gives; skipped where there is no server and none is required."""
    try:
        return stack.enter_context(make())
    except postgres.NoServerError as error:
        if os.environ.get(postgres.VARIABLE) == "required":
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def server():
    with ExitStack() as stack:
        yield entered(stack, postgres.server)


@pytest.fixture
def mortal():
    """A server that a test may stop."""
    with ExitStack() as stack:
        yield entered(stack, mortal_server)


@pytest.fixture(scope="session")
def _database(server):
    with postgres.database(server) as url:
        yield url


@pytest.fixture
def database(_database):
    """The URL of an empty PostgreSQL database."""
    plain = make_url(_database).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return _database


@pytest.fixture
def memory():
    store.memory.cache_clear()
    yield "sqlite://"
    store.memory.cache_clear()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def url(request, tmp_path):
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'studies.db'}"
    return request.getfixturevalue("memory" if request.param == "memory" else "database")


@pytest.fixture
def opened():
    """Studies that are closed when the test ends."""
    made = []

    def keep(study):
        made.append(study)
        return study

    yield keep
    for study in made:
        study.close()


@pytest.fixture
def create(url, opened):
    """``create(name, arms, ...)`` in an empty database."""

    def make(name="tides", arms=("a", "b", "c"), n_clusters=2, delta=0.1, **more):
        return opened(boclust.Study.create(url, name, list(arms), n_clusters, delta, **more))

    return make


@pytest.fixture
def reopen(url, opened):
    """The same study as another process would see it."""
    return lambda study: opened(boclust.Study.open(url, study.name))
