"""Settings and fixtures of all tests.

PostgreSQL is a private server that the tests start, or the one whose URL ``BOCLUST_TEST_POSTGRES``
gives (an account that may create databases). Where none can be had its tests are skipped, unless
the variable says "required", as in CI: then they fail.
"""

import os
from contextlib import ExitStack

# Two processes share the cores: threads of BLAS would wait for each other. Before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import numpy as np
import pytest

from benchmarks import postgres

EXAMPLES = 4 if "NUMBA_DISABLE_JIT" in os.environ else 60
hypothesis.settings.register_profile(
    "boclust", deadline=None, derandomize=True, max_examples=EXAMPLES
)
hypothesis.settings.load_profile("boclust")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261115)


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
    from support.servers import mortal_server

    with ExitStack() as stack:
        yield entered(stack, mortal_server)


@pytest.fixture(scope="session")
def _database(server):
    with postgres.database(server) as url:
        name = url.partition("?")[0].rpartition("/")[2]
        server.admin(f"ALTER DATABASE {name} SET synchronous_commit = off")  # nobody pulls the plug
        yield url


@pytest.fixture
def database(_database):
    """The URL of an empty PostgreSQL database."""
    import psycopg
    from sqlalchemy.engine import make_url

    plain = make_url(_database).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return _database
