"""``boclust study status``: in 80 columns, whatever the arms are called."""

import json

import boclust


def create(url, arms, **more):
    return boclust.Study.create(url, "tides", arms, 2, **{"delta": 1e-9, **more})


def lines(call, name="tides"):
    result = call("study", "status", name)
    assert result.code == 0, result.err
    assert result.err.count("\n") == result.err.count("Compiling")
    return [line.rstrip() for line in result.out.splitlines()]


def test_before_the_first_value(call, study):
    text = lines(call)
    for part in (
        "study      tides",
        "state      open",
        "goal       2 clusters of 3 arms, delta = 0.1",
        "algorithm  span (challenger, local-directional)",
        "samples    0 samples, cost 0",
        "progress   0 % of the certificate",
        "remaining  unknown yet",
        "guarantee  none: the certificate does not hold yet",
        "Next: boclust study ask tides",
    ):
        assert part in text


def test_everything_there_is_to_say(call, said, url, rng):
    arms = [{"name": "a", "cost": 3, "tags": ["x"]}, {"name": "b", "cost": 3}, "c"]
    with create(url, arms, budget={"samples": 5000, "cost": 1e5}) as study:
        means = [0, 0.5, 3]
        study.tell_many([(i, float(rng.normal(means[i]))) for _ in range(12) for i in range(3)])
        study.void(3, "unplugged")
        study.correct(5, 0.25, "comma")
        asks = study.ask(25, client="ann")
        status = study.status()
    text = "\n".join(lines(call))
    for part in (
        "samples    36 samples of 5,000, cost 84 of 100,000 (1 voided, 1 corrected)",
        "note       1 observation was voided: the guarantee holds if the reasons",
        f"progress   {int(100 * status.progress)} % of the certificate █",
        "remaining  about ",
        "pending asks",
        "ann",
        "and 5 other asks (--json lists all)",
        asks[0].id,
    ):
        assert part in text
    assert asks[24].id not in text
    found = said("status", "tides")
    assert found["clusters"] == [["a", "b"], ["c"]]
    assert found["remaining_samples"] == vars(status.remaining_samples)
    assert found["remaining_cost"]["high"] == status.remaining_cost.high
    assert found["arms"][0] == {
        "name": "a", "cost": 3.0, "tags": ["x"], "samples": 12, "cluster": 0,
        "estimate": status.arms[0].estimate, "pending": status.arms[0].pending,
    }  # fmt: skip
    assert len(found["asks"]) == 25
    assert found["budget"] == {"samples": 5000, "cost": 1e5}
    assert found["notes"] == list(status.notes)


def test_an_algorithm_without_a_name(call, url):
    create(url, list("abc"), algorithm=boclust.Algorithm("rr", "local", precision=2.0)).close()
    assert "algorithm  rr, local, precision = 2.0" in lines(call)


def test_80_columns_and_odd_names(call, said, odd, url):
    from rich.cells import cell_len

    names = [*odd, "x" * 300, "長い名前" * 20, "right\u202eleft", "[/]", "\\", "tab\there"]
    with create(url, names, dim=7, family=boclust.Gaussian(1e6)) as study:
        study.tell_many([(i, [1234.5678 * (i % 2)] * 7) for i in range(len(names))])
        study.ask(5, client=odd[2])
    text = lines(call)
    assert max(map(cell_len, text)) <= 80
    whole = "\n".join(text)
    assert all(character.isprintable() or character == "\n" for character in whole)
    for shown in (odd[0], "[red]south[/red] :", "wést\\n東京\\x1b[31m", "[/]", "tab\\there"):
        assert shown in whole
    assert "right\\u202eleft" in whole
    assert whole.count("x" * 15) == 2  # cut short: in the tables of the arms and of the asks
    assert [arm["name"] for arm in said("status", "tides")["arms"]] == names


def test_odd_names_of_studies_and_clients(call, said, odd, url):
    for name in odd:
        with boclust.Study.create(url, name, odd, 2, 0.1) as study:
            study.ask(client=name)
        text = "\n".join(lines(call, name))
        assert all(character.isprintable() or character == "\n" for character in text)
        assert said("status", name)["name"] == name
        assert name in [one["name"] for one in said("list")]
        for command in ("ask", "explain", "history", "verify"):
            result = call("study", command, name)
            assert result.code == 0, result.err
            assert all(c.isprintable() or c == "\n" for c in result.out)
    listed = call("study", "list").out
    assert "[red]south[/red] :smile:" in listed
    assert "wést\\n東京\\x1b[31m" in listed


def test_how_it_ended(call, said, study):
    with study() as one:
        one.pause()
        assert "state      paused" in lines(call)
        one.resume()
        one.change_budget(1)
        one.tell("a", 1.0)
        text = lines(call)
        assert "state      ended, the budget is spent" in text
        assert not [line for line in text if line.startswith(("Next", "remaining"))]
        one.change_budget(None)
        one.stop("no funds")
        assert "state      ended, stopped by hand" in lines(call)
        fork = one.fork("sure", n_clusters=3)
    fork.close()
    text = lines(call, "sure")
    assert "state      ended, the clusters are certified" in text
    assert "progress   100 % of the certificate " + "█" * 30 in text
    assert said("status", "sure")["remaining_samples"] == {"value": 0.0, "low": 0.0, "high": 0.0}


def test_infinite_estimates_are_valid_json(call, monkeypatch, study):
    from boclust.study import status
    from boclust.study.status import Estimate

    with study() as one:
        one.tell_many([("a", 0.1), ("b", 0.2), ("c", 7.0)])
    monkeypatch.setattr(status, "remaining", lambda _: Estimate(12.4, 0.0, float("inf")))
    assert any("about 13 samples (0 to infinite), cost 12.4" in line for line in lines(call))
    found = json.loads(call("study", "status", "tides", "--json").out)
    assert found["remaining_samples"] == {"value": 12.4, "low": 0.0, "high": None}
