"""Choose the arms that a client samples next."""

from sqlalchemy.engine import Connection

from boclust.study import log
from boclust.study.errors import (
    NothingToAskError,
    StudyNotFoundError,
    StudyPausedError,
    StudyStoppedError,
)
from boclust.study.events import Event, Kind, to_json
from boclust.study.session import Session, Transaction
from boclust.study.state import PendingAsk, State
from boclust.study.status import Ask

_ENDINGS = {
    "certified": "its clusters are certified",
    "budget": "its budget is spent",
    "stopped": "it was stopped by hand",
}


def ask(session: Session, count: int, client: str | None) -> list[Ask]:
    """The client's pending asks, then new ones, as far as the round and the budget allow."""

    def work(transaction: Transaction) -> list[Ask]:
        state, now = transaction.state, transaction.now
        check_open(session.name, state)
        pending = state.pending_asks(now)
        held = [
            session.public_ask(seq, one)
            for seq, one in pending.items()
            if client and one.client == client
        ]
        if len(held) >= count:
            return held[:count]
        planned, arms = _new_arms(transaction, count - len(held))
        if not arms and not held:
            raise NothingToAskError(
                f"the study {session.name!r} asks for no more samples until some of its pending "
                f"asks ({len(pending)}) are answered or expire: they fill its round or its budget"
            )
        drafts = [Event(0, Kind.ASKED, 0, client, arm=arm) for arm in arms]
        if planned > 1:  # the first event of a batch records how many were planned together
            drafts = [
                draft._replace(payload=to_json({"batch": 0 if i else planned}))
                for i, draft in enumerate(drafts)
            ]
        new = transaction.record(*drafts, planned=True) if drafts else []
        return held + [session.public_ask(event.seq, state.asks[event.seq]) for event in new]

    return session.write(work)


def _new_arms(transaction: Transaction, wanted: int) -> tuple[int, list[int]]:
    """How many arms the learner selected, given all pending asks, and those within the budget.

    A budget of costs allows arms until it is reached; the last one may exceed it.
    """
    state, learner = transaction.state, transaction.state.learner
    pending = state.pending_counts(transaction.now)
    samples = int(pending.sum())
    costs = [arm.cost for arm in state.spec.arms]
    cost = float(pending @ costs)
    learner.pending = pending
    if learner.room is not None:  # what the present round has left
        wanted = min(wanted, learner.room)
    if state.budget.samples is not None:
        wanted = min(wanted, state.budget.samples - sum(state.told) - samples)
    if wanted <= 0 or state.is_budget_spent(samples, cost):
        return 0, []
    transaction.changed = True
    arms: list[int] = []
    for arm in learner.ask(wanted):
        if state.is_budget_spent(samples, cost):
            break
        arms.append(arm)
        samples += 1
        cost += costs[arm]
    return wanted, arms


def check_open(name: str, state: State) -> None:
    """Refuse to ask if the study has ended or is paused."""
    if (how := state.ended) is not None:
        raise StudyStoppedError(f"the study {name!r} has ended: {_ENDINGS[how]}", how)
    if state.paused:
        raise StudyPausedError(f"the study {name!r} is paused: resume it to ask")


def find_ask(session: Session, connection: Connection, id: str) -> Ask:
    """The ask with that id, answered or not."""
    number = session.ask_number(id)
    event = log.at(connection, session.number, number)
    if event is None or event.kind != Kind.ASKED or event.arm is None:
        raise StudyNotFoundError(f"the study {session.name!r} has no ask {id!r}")
    until = event.time + round(1e6 * session.spec.lease)
    return session.public_ask(event.seq, PendingAsk(event.arm, event.client, until))
