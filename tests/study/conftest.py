"""The same tests run over all stores: in memory, SQLite and PostgreSQL (see the parent folder)."""

import pytest

import boclust
from boclust.study.storage import store


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
