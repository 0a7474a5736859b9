"""The engine decides as it did when ``decisions.json`` was recorded, bit for bit.

Where something decides otherwise for a good reason, run ``python -m decisions.record`` from the
``tests`` directory to record anew, and list the differences with that reason.
"""

import json

import pytest

from decisions.arithmetic import arithmetic
from decisions.cases import CASES, Case
from decisions.encoding import first_difference, integers, reals
from decisions.record import PATH

RECORD = json.loads(PATH.read_text())

#: Cases that are not slow: every algorithm and family, and every kind of case.
QUICK = {
    "draws/exponential-mean",
    "draws/B,again",
    *(f"simulate/A/{name}" for name in ("span", "atboc", "lucbboc", "lucbboc-ucb", "boc-elim")),
    *(f"simulate/C/{name}" for name in ("maxgap-elim", "maxgap-ucb", "maxgap-top2ucb", "fss")),
    *(f"simulate/shuffled/{name}" for name in ("atboc-1pexp", "dtboc", "watboc", "boc", "rr")),
    "simulate/B/boc-slink",
    "simulate/bounded-plane/span",
    "simulate/bounded-two/lucbboc",
    "simulate/bernoulli-two/span",
    "simulate/poisson-mean/lucbboc-ucb",
    "simulate/exponential-natural/span",
    "pair/A/weighted+mixture",
    "pair/B/direct+local-semi",
    "pair/poisson-mean/challenger+mixture",
    "option/A/elimination+decided/constant=True",
    "source/shuffled,once/span",
    "source/beta-plane/span",
    "many/M=60,d=1,sigma=0.15/span",
    "many/M=120,d=2,sigma=0.15/rr",
    *(f"learner/shuffled/span/{way}" for way in ("at-once", "unsolicited", "replayed")),
    "learner/B/span/two-batches-of-5",
    "learner/shuffled/atboc/restored",
    "learner/shuffled/boc-elim/copied",
    "learner/bernoulli-mean/rr+local/three-open",
    "learner/M=60,d=2/span/two-batches-of-20",
    "infimum/B",
    "infimum/bernoulli-natural",
    "bound/A",
    "bound/poisson-mean",
}


def parameters():
    found = []
    for case in CASES.values():
        marks = [pytest.mark.compiled]
        if case.name not in QUICK:
            marks.append(pytest.mark.slow)
        found.append(pytest.param(case, id=case.name, marks=marks))
    return found


@pytest.mark.parametrize("case", parameters())
def test_decisions_are_those_of_the_record(case: Case):
    here, there = arithmetic(), RECORD["arithmetic"]
    if case.kind == "bound" and here != there:
        pytest.skip("recorded with another solver or processor: only the bracket is the same")
    exact = here["numbers"] == there["numbers"]
    difference = first_difference(RECORD["cases"][case.name], case.run(), exact)
    assert not difference, difference


def test_the_record_is_of_these_cases():
    assert RECORD["cases"].keys() == CASES.keys()
    assert CASES.keys() >= QUICK


def test_the_first_difference_is_named():
    recorded, found = list(range(300)), list(range(300))
    found[213] = 7
    asked = [{"asked": integers(arms)} for arms in (recorded, found)]
    assert first_difference(*asked).startswith("asked, steps 200 to 249: recorded ")
    found[3] = 8
    asked[1] = {"asked": integers(found)}
    assert first_difference(*asked) == "asked, step 3: recorded 3, found 8"
    assert first_difference({"n": [1, 2]}, {"n": [1]}) == "n, length: recorded 2, found 1"
    assert first_difference(asked, asked) == ""


def test_other_arithmetic_may_change_the_last_bits_of_numbers_only():
    ones = [{"progress": reals([0.1, value] * 5), "labels": [0, 1]} for value in (0.5, 0.5 + 1e-12)]
    assert first_difference(*ones).startswith("progress, entry 1: ")
    assert first_difference(*ones, exact=False) == ""
    assert first_difference(ones[0], ones[0] | {"labels": [0, 0]}, exact=False)
    assert first_difference({"n": reals([1.0])}, {"n": reals([1.001])}, exact=False)
