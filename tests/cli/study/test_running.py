"""``boclust study pause | resume | budget | stop`` and ``db upgrade``."""

import shutil
import sqlite3
from pathlib import Path

FROZEN = Path(__file__).parents[2] / "study" / "data"


def test_pause_and_resume(call, study):
    assert "boclust study resume tides" in call("study", "pause", "tides", "--client", "ann").out
    with study() as one:
        assert one.status().state == "paused"
    assert "boclust study ask tides" in call("study", "resume", "tides").out
    with study() as one:
        assert [(e["kind"], e["client"]) for e in one.history(1)] == [
            ("paused", "ann"), ("resumed", None)
        ]  # fmt: skip


def test_budget(call, refused, study):
    with study() as one:
        one.tell("a", 1.0)
    result = call("study", "budget", "tides", "--budget", "1")
    assert "The budget is set. State: ended, the budget is spent." in result.out
    with study() as one:
        assert one.status().state == "budget"
    result = call("study", "budget", "tides", "--budget", "9", "--budget-cost", "20.5")
    assert "State: open." in result.out
    with study() as one:
        assert one.status().state == "open"
        assert (one.status().budget.samples, one.status().budget.cost) == (9, 20.5)
    assert call("study", "budget", "tides", "--none").code == 0
    with study() as one:
        assert one.status().budget.samples is None
    refused("Give --budget, --budget-cost or both; or --none", "study", "budget", "tides")
    refused("or --none", "study", "budget", "tides", "--none", "--budget", "3")
    refused("budget samples: is 0", "study", "budget", "tides", "--budget", "0")


def test_stop(call, refused, study):
    refused("Missing option '--reason'", "study", "stop", "tides")
    assert (
        "State: ended, stopped by hand."
        in call("study", "stop", "tides", "--reason", "no funds").out
    )
    with study() as one:
        assert one.status().state == "stopped"
        assert list(one.history())[-1]["payload"]["reason"] == "no funds"


def test_upgrade(call, refused):
    shutil.copy(FROZEN / "schema_1.db", "studies.db")
    refused("upgrade it first (boclust study db upgrade", "study", "list")
    result = call("study", "db", "upgrade")
    assert "has schema" in result.out
    assert "clicks" in call("study", "list").out
    with sqlite3.connect("other.db") as other:
        other.execute("CREATE TABLE boclust_events (x)")
    other.close()
    refused("table 'boclust_events'", "study", "db", "upgrade", "--url", "sqlite:///other.db")
