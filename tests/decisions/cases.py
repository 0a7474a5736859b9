"""The named cases whose decisions are recorded; only public names of boclust are used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from decisions import draws, infima, learners, simulations


@dataclass(frozen=True)
class Case:
    """A name like "learner/A/span/restored", and the run that gives its result as JSON."""

    name: str
    run: Callable[[], Any]

    @property
    def kind(self) -> str:
        return self.name.partition("/")[0]


def _all() -> Iterator[Case]:
    parts = (draws.cases(), simulations.cases(), learners.cases(), infima.cases())
    for name, run in chain.from_iterable(parts):
        yield Case(name, run)


#: All cases by name.
CASES = {case.name: case for case in _all()}
