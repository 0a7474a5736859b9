"""Write the record of all cases: ``python -m decisions.record OUT.json`` from ``tests``."""

import os

# More threads of BLAS may add up in another order. Before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from decisions.arithmetic import arithmetic
from decisions.cases import CASES

PATH = Path(__file__).with_name("decisions.json")


def record() -> dict[str, Any]:
    seconds: dict[str, float] = {}
    found = {}
    for case in CASES.values():
        began = time.perf_counter()
        found[case.name] = case.run()
        seconds[case.name] = time.perf_counter() - began
    _report(seconds)
    return {"arithmetic": arithmetic(), "cases": found}


def _report(seconds: dict[str, float]) -> None:
    for kind, count in Counter(case.kind for case in CASES.values()).items():
        took = sum(seconds[case.name] for case in CASES.values() if case.kind == kind)
        print(f"{kind:9} {count:4} cases {took:7.1f} s")
    print(f"{'all':9} {len(CASES):4} cases {sum(seconds.values()):7.1f} s")


def write(path: Path) -> None:
    found = record()
    lines = ",\n".join(f"{_json(name)}:{_json(case)}" for name, case in found["cases"].items())
    path.write_text(f'{{"arithmetic":{_json(found["arithmetic"])},"cases":{{\n{lines}\n}}}}\n')


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else PATH)
