"""Makes the frozen database of the present schema; run once for each released schema.

python tests/study/freeze.py tests/study/data/schema_1.db
"""

import sys

import numpy as np

import boclust


def freeze(path):
    url = f"sqlite:///{path}"
    rng = np.random.default_rng(1)
    arms = ["north", {"name": "south", "cost": 2.5, "tags": ["sea"]}, 'it\'s "west" — é']
    with boclust.Study.create(url, "tides", arms, 2, 1e-6, budget={"cost": 500}) as study:
        ask = study.ask(client="ann")
        study.tell(ask, 0.5, key="row 1", client="ann", metadata={"by": "hand"})
        study.tell_many([(i % 3, float(rng.normal([0, 0.4, 3][i % 3]))) for i in range(30)])
        study.ask(2, client="bob")
        study.pause()
        study.resume()
        study.void(7, "mistyped")
        study.correct(8, 0.125, "decimal point")
    family = boclust.Bernoulli()
    with boclust.Study.create(url, "clicks", ["a", "b", "c"], 2, 0.3, family=family) as study:
        while study.status().state == "open":
            ask = study.ask()
            study.tell(ask, int(rng.random() < [0.02, 0.03, 0.97][ask.arm]))


if __name__ == "__main__":
    freeze(sys.argv[1])
