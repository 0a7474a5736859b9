"""The public class: thin, every call one transaction."""

from dataclasses import asdict
from typing import Any, overload

from boclust._validate import fail, integer
from boclust.problem.families import Family
from boclust.run.learner import Learner
from boclust.run.algorithm import Algorithm
from boclust.study import asking, log, making, telling
from boclust.study.checks import as_budget, optional_text, packed_sample, text
from boclust.study.events import Event, Kind, to_json
from boclust.study.session import Transaction
from boclust.study.spec import Spec, arm_list, token_of
from boclust.study.status import Ask
from boclust.study.store import store
from boclust.study.view import View

#: Seconds until an ask that was not answered no longer counts as pending.
LEASE = 3600.0
#: Asks at a time.
MOST = 10_000

Asks = list[Ask]
Numbers = list[int]


class Study(View):
    """A live study: an append-only log of events in a database, and what follows from it.

    ``Study.create`` and ``Study.open`` make one. Any number of processes may work on the same
    study; a call that returns has its events on disk, and a process that dies at any moment leaves
    a study that continues as if nothing had happened. A study may be used in a ``with`` statement,
    which closes its connection.

    Databases: ``sqlite:///file.db`` (one file), ``postgresql+psycopg://...`` (several hosts),
    ``sqlite://`` (in the memory of this process, for trials).

    >>> study = Study.create("sqlite://", "tides", ["north", "south", "west"], 2, 0.05)
    >>> ask = study.ask(client="ann")
    >>> study.tell(ask, 1.3)
    3
    >>> study.status().samples
    1
    """

    # --- beginning ----------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        url: str,
        name: str,
        arms: Any,
        n_clusters: int,
        delta: float,
        dim: int = 1,
        family: Family | None = None,
        algorithm: str | Algorithm = "span",
        budget: Any = None,
        lease: float = LEASE,
        seed: int | None = None,
        key: str | None = None,
    ) -> "Study":
        """A new study; the database is made where there is none.

        ``arms`` are names or mappings with ``name`` and perhaps ``cost`` (1 unless said otherwise)
        and ``tags``; ``budget`` a number of samples or a mapping with ``samples``, ``cost`` or
        both; ``lease`` the seconds after which an ask that was not answered counts no longer. The
        other arguments are those of ``boclust.Learner``. Created again with the same ``key`` and
        the same parameters it is opened; all else that has its name is a ``StudyExistsError``.

        >>> arms = [{"name": "a", "cost": 2.0, "tags": ["lab"]}, "b", "c"]
        >>> study = Study.create("sqlite://", "costs", arms, 2, 0.1, budget={"cost": 100})
        >>> study.name, [arm.cost for arm in study.arms]
        ('costs', [2.0, 1.0, 1.0])
        """
        known = arm_list(arms)
        learner = Learner(len(known), n_clusters, delta, dim, algorithm, family, seed)
        called, again = text("name", name), optional_text("key", key)
        token = None if again is None else token_of(called, again)
        spec = Spec.new(known, learner, lease, as_budget(budget), token=token)
        return cls(making.create(store(url, must_exist=False), called, spec))

    @classmethod
    def open(cls, url: str, name: str) -> "Study":
        """A study that exists.

        >>> _ = Study.create("sqlite://", "again", ["a", "b", "c"], 2, 0.1)
        >>> Study.open("sqlite://", "again").status().state
        'open'
        """
        return cls(making.open_study(store(url, must_exist=True), text("name", name)))

    @staticmethod
    def upgrade(url: str) -> None:
        """Bring a database that an older version made up to date; nothing is lost.

        >>> Study.upgrade("sqlite://")
        """
        making.upgrade(store(url, must_exist=True))

    def fork(self, name: str, **changes: Any) -> "Study":
        """Another study in the same database, over the same values, with other parameters.

        ``changes`` are ``n_clusters``, ``delta``, ``family``, ``algorithm``, ``budget`` or
        ``lease``; all else is as in this one. It has the values that stand here, in their order and
        with their keys, and no asks. What it certifies holds for it alone: see the status.

        >>> study = Study.create("sqlite://", "two", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.1), ("b", 0.3), ("c", 9.0)])
        >>> fork = study.fork("three", n_clusters=3)
        >>> fork.status().samples, fork.status().state
        (3, 'certified')
        """
        old = self._session.spec
        accepted = ("n_clusters", "delta", "family", "algorithm", "budget", "lease")
        for change in changes:
            if change not in accepted:
                raise fail(change, "cannot be changed", ", ".join(accepted))
        asked = {field: getattr(old, field) for field in accepted} | changes
        learner = Learner(
            len(old.arms), asked["n_clusters"], asked["delta"], old.dim, asked["algorithm"],
            asked["family"], old.seed,
        )  # fmt: skip
        events = self._session.read(lambda _, state: state.seq)
        parent = {
            "name": self.name, "events": events, "n_clusters": old.n_clusters, "delta": old.delta
        }  # fmt: skip
        spec = Spec.new(old.arms, learner, asked["lease"], as_budget(asked["budget"]), parent)
        session = self._session
        return type(self)(making.create(session.store, text("name", name), spec, session))

    # --- asking and telling -------------------------------------------------------------------

    @overload
    def ask(self, n: None = None, client: str | None = None) -> Ask: ...

    @overload
    def ask(self, n: int, client: str | None = None) -> Asks: ...

    def ask(self, n: int | None = None, client: str | None = None) -> Ask | Asks:
        """What to sample next: one ask, or a list of at most ``n``.

        A client gets first what it holds already, so that to ask again is harmless; without a
        client all asks are new. Asks that are out count as samples in the choice of others until
        their lease expires. Fewer than ``n`` come where a rule goes in rounds and the round has no
        more, or the budget has not; where there is none, ``NothingToAskError`` is raised, and
        ``StudyStoppedError`` or ``StudyPausedError`` where nothing is asked for at all.

        >>> study = Study.create("sqlite://", "asks", ["a", "b", "c"], 2, 0.1)
        >>> first = study.ask(client="ann")
        >>> first.arm, first.name, study.ask(client="ann") == first
        (0, 'a', True)
        >>> [ask.name for ask in study.ask(2, client="bob")]
        ['b', 'c']
        """
        count = 1 if n is None else integer("n", n, 1, MOST)
        asks = asking.ask(self._session, count, optional_text("client", client))
        return asks[0] if n is None else asks

    def find_ask(self, id: str) -> Ask:
        """The ask of that name, whether answered or not.

        >>> study = Study.create("sqlite://", "found", ["a", "b", "c"], 2, 0.1)
        >>> ask = study.ask()
        >>> study.find_ask(ask.id) == ask
        True
        """
        name = text("id", id)
        return self._session.store.read(lambda c: asking.find_ask(self._session, c, name))

    def tell(
        self,
        ask_or_arm: Ask | int | str,
        value: Any,
        key: str | None = None,
        client: str | None = None,
        metadata: Any = None,
    ) -> int:
        """Record one value, of an ask or of an arm (its name or number); returns its number.

        Told again with the same ``key``, or for the same ask, nothing happens if it says the same,
        and ``ConflictError`` is raised if it does not. The value may come late, when the ask has
        expired or the study has ended: it is kept. ``metadata`` is a mapping of JSON values.

        >>> study = Study.create("sqlite://", "tells", ["a", "b", "c"], 2, 0.1)
        >>> study.tell("b", 0.5, key="row 1", metadata={"by": "hand"})
        2
        >>> study.tell("b", 0.5, key="row 1", metadata={"by": "hand"})
        2
        """
        sample = packed_sample(self._blank, value)
        told = telling.draft(self._session, ask_or_arm, sample, key, client, metadata)
        return telling.tell(self._session, [told])[0]

    def tell_many(self, observations: Any, client: str | None = None) -> Numbers:
        """Record many values, all or none, in one transaction; returns their numbers.

        Each is ``(ask or arm, value)``, ``(ask or arm, value, key)`` or a mapping with ``value``,
        ``arm`` or ``ask``, and perhaps ``key``, ``client`` and ``metadata``.

        >>> study = Study.create("sqlite://", "many", ["a", "b", "c"], 2, 0.1)
        >>> study.tell_many([("a", 0.1), ("b", 0.2, "row 2"), {"arm": "c", "value": 7}])
        [2, 3, 4]
        """
        events = telling.drafts(self._session, self._blank, observations, client)
        return telling.tell(self._session, events, many=True)

    def void(self, event: int, reason: str, client: str | None = None) -> int:
        """Leave a value out, by its number; the state is computed anew from all others.

        The status says what that does to the guarantee. A study that had ended as certified and no
        longer is goes on.

        >>> study = Study.create("sqlite://", "voids", ["a", "b", "c"], 2, 0.1)
        >>> mistyped = study.tell("a", 77.0)
        >>> _ = study.void(mistyped, "sensor unplugged")
        >>> study.status().notes[0].split(":")[0]
        '1 observation was voided'
        """
        seq, why = integer("event", event, 1, log.END), text("reason", reason)
        who = optional_text("client", client)
        return telling.revise(self._session, seq, None, why, who)

    def correct(self, event: int, value: Any, reason: str, client: str | None = None) -> int:
        """Put another value in the place of one that was told, by its number.

        >>> study = Study.create("sqlite://", "corrects", ["a", "b", "c"], 2, 0.1)
        >>> mistyped = study.tell("a", 77.0)
        >>> _ = study.correct(mistyped, 7.7, "decimal point")
        >>> study.status().arms[0].estimate
        [7.7]
        """
        seq, why = integer("event", event, 1, log.END), text("reason", reason)
        packed = packed_sample(self._blank, value)
        return telling.revise(self._session, seq, packed, why, optional_text("client", client))

    # --- running ------------------------------------------------------------------------------

    def pause(self, client: str | None = None) -> None:
        """Ask for nothing until ``resume``; values may still be told.

        >>> study = Study.create("sqlite://", "pauses", ["a", "b", "c"], 2, 0.1)
        >>> study.pause()
        >>> study.status().state
        'paused'
        >>> study.resume()
        """
        self._set_paused(True, client)

    def resume(self, client: str | None = None) -> None:
        """Ask again: see ``pause``."""
        self._set_paused(False, client)

    def change_budget(self, value: Any, client: str | None = None) -> None:
        """Set another budget, as in ``create``; None for no limit.

        >>> study = Study.create("sqlite://", "budgets", ["a", "b", "c"], 2, 0.1, budget=1)
        >>> _ = study.tell("a", 1.0)
        >>> study.status().state
        'budget'
        >>> study.change_budget(100)
        >>> study.status().state
        'open'
        """
        new, who = as_budget(value), optional_text("client", client)

        def work(transaction: Transaction) -> None:
            if transaction.state.budget != new:
                written = to_json({"budget": asdict(new)})
                transaction.record(Event(0, Kind.BUDGET, 0, who, payload=written))

        self._session.write(work)

    def stop(self, reason: str, client: str | None = None) -> None:
        """End the study by hand, for good; it does nothing where it has ended already.

        >>> study = Study.create("sqlite://", "stops", ["a", "b", "c"], 2, 0.1)
        >>> study.stop("no funds")
        >>> study.status().state
        'stopped'
        """
        said = to_json({"how": "stopped", "reason": text("reason", reason)})
        who = optional_text("client", client)

        def work(transaction: Transaction) -> None:
            if transaction.state.ended is None:
                transaction.record(Event(0, Kind.STOPPED, 0, who, payload=said))

        self._session.write(work)

    def _set_paused(self, paused: bool, client: str | None) -> None:
        who = optional_text("client", client)
        kind = Kind.PAUSED if paused else Kind.RESUMED

        def work(transaction: Transaction) -> None:
            if transaction.state.paused != paused:
                transaction.record(Event(0, kind, 0, who))

        self._session.write(work)
