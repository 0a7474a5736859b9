"""``Study``, the public class: every call is one transaction."""

from dataclasses import asdict
from typing import Any, overload

from boclust._validate import integer, invalid
from boclust.problem.families import Family
from boclust.run.learner import Learner
from boclust.run.algorithm import Algorithm
from boclust.study import ask as asks
from boclust.study import create as studies
from boclust.study import log, tell
from boclust.study.checks import optional_text, packed_sample, text
from boclust.study.events import Event, Kind, to_json
from boclust.study.queries import Queries
from boclust.study.session import Transaction
from boclust.study.spec import Spec, arm_list, as_budget, token_of
from boclust.study.status import Ask
from boclust.study.storage import schema
from boclust.study.storage.store import store

#: Seconds after which an unanswered ask no longer counts as pending.
LEASE = 3600.0
#: The largest number of asks per call.
MOST_ASKS = 10_000

_CHANGEABLE = ("n_clusters", "delta", "family", "algorithm", "budget", "lease")


class Study(Queries):
    """A live study: an append-only log of events in a database, and all that follows from it.

    ``Study.create`` and ``Study.open`` return one. Any number of processes may use the same study.
    A call returns only after its events are on disk. If a process dies, at whatever moment, the
    study continues as if nothing had happened. A ``with`` statement closes the connection.

    Databases: ``sqlite:///file.db`` (one file), ``postgresql+psycopg://...`` (several hosts),
    ``sqlite://`` (in the memory of this process, for trials).

    >>> study = Study.create("sqlite://", "tides", ["north", "south", "west"], 2, 0.05)
    >>> ask = study.ask(client="ann")
    >>> study.tell(ask, 1.3)
    3
    >>> study.status().samples
    1
    """

    # --- create -------------------------------------------------------------------------------

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
        key: str | None = None,
    ) -> "Study":
        """Create a study, and the database if there is none.

        ``arms`` is a number, or a list of names or of mappings with ``name`` and optionally
        ``cost`` (1 by default) and ``tags``. ``budget`` is a number of samples, or a mapping with
        ``samples``, ``cost`` or both. ``lease`` is the number of seconds after which an unanswered
        ask no longer counts as pending. The other arguments are those of ``boclust.Learner``. A
        call that repeats the ``key`` and the parameters of an earlier one opens that study; any
        other call with the name of an existing study raises ``StudyExistsError``.

        >>> arms = [{"name": "a", "cost": 2.0, "tags": ["lab"]}, "b", "c"]
        >>> study = Study.create("sqlite://", "costs", arms, 2, 0.1, budget={"cost": 100})
        >>> study.name, [arm.cost for arm in study.arms]
        ('costs', [2.0, 1.0, 1.0])
        """
        known = arm_list(arms)
        learner = Learner(
            len(known), n_clusters, delta=delta, dim=dim, algorithm=algorithm, family=family
        )
        called, again = text("name", name), optional_text("key", key)
        token = None if again is None else token_of(called, again)
        spec = Spec.new(known, learner, lease, as_budget(budget), token=token)
        return cls(studies.create(store(url, must_exist=False), called, spec))

    @classmethod
    def open(cls, url: str, name: str) -> "Study":
        """Open an existing study.

        >>> _ = Study.create("sqlite://", "again", ["a", "b", "c"], 2, 0.1)
        >>> Study.open("sqlite://", "again").status().state
        'open'
        """
        return cls(studies.open_study(store(url, must_exist=True), text("name", name)))

    @staticmethod
    def upgrade(url: str) -> None:
        """Upgrade a database of an older version, without losing anything.

        >>> Study.upgrade("sqlite://")
        """
        schema.upgrade(store(url, must_exist=True))

    def fork(self, name: str, **changes: Any) -> "Study":
        """Create another study in the same database, with the same values and other parameters.

        ``changes`` are ``n_clusters``, ``delta``, ``family``, ``algorithm``, ``budget`` or
        ``lease``; the rest stays the same. The fork has the values that are not voided here, in
        their order and with their keys, and no asks. Its guarantee holds for it alone: see
        ``Status.notes``.

        >>> study = Study.create("sqlite://", "two", ["a", "b", "c"], 2, 0.1)
        >>> _ = study.tell_many([("a", 0.1), ("b", 0.3), ("c", 9.0)])
        >>> fork = study.fork("three", n_clusters=3)
        >>> fork.status().samples, fork.status().state
        (3, 'certified')
        """
        session, old = self._session, self._session.spec
        for change in changes:
            if change not in _CHANGEABLE:
                accepted = f"{', '.join(_CHANGEABLE[:-1])} or {_CHANGEABLE[-1]}"
                raise invalid("changes", accepted, change)
        new = {field: getattr(old, field) for field in _CHANGEABLE} | changes
        learner = Learner(
            len(old.arms), new["n_clusters"], delta=new["delta"], dim=old.dim,
            algorithm=new["algorithm"], family=new["family"],
        )  # fmt: skip
        parent = {
            "name": self.name, "events": session.read(lambda state: state.seq),
            "n_clusters": old.n_clusters, "delta": old.delta,
        }  # fmt: skip
        spec = Spec.new(old.arms, learner, new["lease"], as_budget(new["budget"]), parent)
        return type(self)(studies.create(session.store, text("name", name), spec, session))

    # --- ask and tell -------------------------------------------------------------------------

    @overload
    def ask(self, n: None = None, client: str | None = None) -> Ask: ...

    @overload
    def ask(self, n: int, client: str | None = None) -> list[Ask]: ...

    def ask(self, n: int | None = None, client: str | None = None) -> Ask | list[Ask]:
        """The next sample to take: one ask, or a list of at most ``n``.

        A client first gets its own pending asks, so that it may safely repeat the call; without a
        client, all asks are new. Until its lease expires, a pending ask counts as a sample in the
        choice of others. There may be fewer than ``n`` asks if the round of a rule or the budget
        has no room for more. If there is none, ``ask`` raises ``NothingToAskError``; it raises
        ``StudyStoppedError`` or ``StudyPausedError`` if the study has ended or is paused.

        >>> study = Study.create("sqlite://", "asks", ["a", "b", "c"], 2, 0.1)
        >>> first = study.ask(client="ann")
        >>> first.arm, first.name, study.ask(client="ann") == first
        (0, 'a', True)
        >>> [ask.name for ask in study.ask(2, client="bob")]
        ['b', 'c']
        """
        count = 1 if n is None else integer("n", n, 1, MOST_ASKS)
        found = asks.ask(self._session, count, optional_text("client", client))
        return found[0] if n is None else found

    def find_ask(self, id: str) -> Ask:
        """The ask with that id, answered or not.

        >>> study = Study.create("sqlite://", "found", ["a", "b", "c"], 2, 0.1)
        >>> ask = study.ask()
        >>> study.find_ask(ask.id) == ask
        True
        """
        wanted = text("id", id)
        return self._session.store.read(lambda c: asks.find_ask(self._session, c, wanted))

    def tell(
        self,
        ask_or_arm: Ask | int | str,
        value: Any,
        key: str | None = None,
        client: str | None = None,
        metadata: Any = None,
    ) -> int:
        """Record one value of an ask or of an arm (its name or number); returns its event number.

        A repeated call with the same ``key`` or ask changes nothing if it says the same, else it
        raises ``ConflictError``. Late values, after the ask expired or the study ended, are
        recorded too. ``metadata`` is a mapping of JSON values.

        >>> study = Study.create("sqlite://", "tells", ["a", "b", "c"], 2, 0.1)
        >>> study.tell("b", 0.5, key="row 1", metadata={"by": "hand"})
        2
        >>> study.tell("b", 0.5, key="row 1", metadata={"by": "hand"})
        2
        """
        sample = packed_sample(self._blank, value)
        event = tell.draft(self._session, ask_or_arm, sample, key, client, metadata)
        return tell.tell(self._session, [event])[0]

    def tell_many(self, observations: Any, client: str | None = None) -> list[int]:
        """Record all of these values or none, in one transaction; returns their event numbers.

        Each is ``(ask or arm, value)``, ``(ask or arm, value, key)``, or a mapping with ``value``,
        either ``arm`` or ``ask``, and optionally ``key``, ``client`` and ``metadata``.

        >>> study = Study.create("sqlite://", "many", ["a", "b", "c"], 2, 0.1)
        >>> study.tell_many([("a", 0.1), ("b", 0.2, "row 2"), {"arm": "c", "value": 7}])
        [2, 3, 4]
        """
        events = tell.drafts(self._session, self._blank, observations, client)
        return tell.tell(self._session, events, many=True)

    def void(self, event: int, reason: str, client: str | None = None) -> int:
        """Exclude the value of an event, by its number; the state is recomputed from the others.

        ``Status.notes`` says what this means for the guarantee. A certified study whose certificate
        no longer holds continues.

        >>> study = Study.create("sqlite://", "voids", ["a", "b", "c"], 2, 0.1)
        >>> mistyped = study.tell("a", 77.0)
        >>> _ = study.void(mistyped, "sensor unplugged")
        >>> study.status().notes[0].split(":")[0]
        '1 observation was voided'
        """
        seq, why = integer("event", event, 1, log.END), text("reason", reason)
        return tell.revise(self._session, seq, None, why, optional_text("client", client))

    def correct(self, event: int, value: Any, reason: str, client: str | None = None) -> int:
        """Replace the value of an event, by its number; the state is recomputed.

        >>> study = Study.create("sqlite://", "corrects", ["a", "b", "c"], 2, 0.1)
        >>> mistyped = study.tell("a", 77.0)
        >>> _ = study.correct(mistyped, 7.7, "decimal point")
        >>> study.status().arms[0].estimate
        [7.7]
        """
        seq, why = integer("event", event, 1, log.END), text("reason", reason)
        packed = packed_sample(self._blank, value)
        return tell.revise(self._session, seq, packed, why, optional_text("client", client))

    # --- lifecycle ----------------------------------------------------------------------------

    def pause(self, client: str | None = None) -> None:
        """Stop asking until ``resume``; the study still accepts values.

        >>> study = Study.create("sqlite://", "pauses", ["a", "b", "c"], 2, 0.1)
        >>> study.pause()
        >>> study.status().state
        'paused'
        >>> study.resume()
        """
        self._set_paused(True, client)

    def resume(self, client: str | None = None) -> None:
        """Ask again after ``pause``."""
        self._set_paused(False, client)

    def _set_paused(self, paused: bool, client: str | None) -> None:
        who = optional_text("client", client)
        kind = Kind.PAUSED if paused else Kind.RESUMED

        def work(transaction: Transaction) -> None:
            if transaction.state.paused != paused:
                transaction.record(Event(0, kind, 0, who))

        self._session.write(work)

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
                payload = to_json({"budget": asdict(new)})
                transaction.record(Event(0, Kind.BUDGET, 0, who, payload=payload))

        self._session.write(work)

    def stop(self, reason: str, client: str | None = None) -> None:
        """End the study by hand, for good; a study that has ended stays as it is.

        >>> study = Study.create("sqlite://", "stops", ["a", "b", "c"], 2, 0.1)
        >>> study.stop("no funds")
        >>> study.status().state
        'stopped'
        """
        payload = to_json({"how": "stopped", "reason": text("reason", reason)})
        who = optional_text("client", client)

        def work(transaction: Transaction) -> None:
            if transaction.state.ended is None:
                transaction.record(Event(0, Kind.STOPPED, 0, who, payload=payload))

        self._session.write(work)
