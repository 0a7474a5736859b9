"""Tokens: who may do what, in a table of the same database.

A token is ``boc_ID_SECRET``. Its secret has 256 random bits and is shown once; kept is the SHA-256
of it, which for a secret of that size is as hard to turn around as any slower hash.
"""

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from boclust._validate import choice, fail, shown
from boclust.study import StudyNotFoundError
from boclust.study.checks import text
from boclust.study.events import iso
from boclust.study.making import upgrade
from boclust.study.schema import check_schema
from boclust.study.store import Store
from boclust.study.tables import tokens as table

#: Each may do what those before it may.
ROLES = ("read", "tell", "admin")
#: Seconds for which a server takes what it has read of the table for the truth.
FRESH = 1.0


@dataclass(frozen=True)
class Token:
    """A token without its secret; ``studies`` None means all; times as ISO 8601."""

    id: str
    name: str
    role: str
    studies: tuple[str, ...] | None
    created: str
    revoked: str | None


def create(store: Store, name: str, role: str, studies: Sequence[str] | None) -> tuple[Token, str]:
    """A new token, and its text, which cannot be had again."""
    text("name", name)
    choice("role", role, ROLES)
    if studies is not None:
        if isinstance(studies, str) or not studies:
            raise fail("studies", f"is {shown(studies)}", "names of studies, or None for all")
        studies = tuple(text("studies", study) for study in studies)
    upgrade(store, only_if_new=True)
    id, secret = secrets.token_hex(4), secrets.token_urlsafe(32)

    def work(connection: Connection) -> Token:
        now = store.now(connection)
        listed = None if studies is None else json.dumps(studies)
        row = {"id": id, "name": name, "role": role, "studies": listed, "created": now}
        connection.execute(sa.insert(table).values(hash=_hash(secret), **row))
        return Token(id, name, role, studies, iso(now), None)

    return store.write(work, repeatable=False), f"boc_{id}_{secret}"


def listed(store: Store) -> list[Token]:
    """All tokens, revoked ones too, in the order in which they were made."""

    def work(connection: Connection) -> list[Token]:
        check_schema(connection)
        return [token for token, _ in _rows(connection)]

    return store.read(work)


def revoke(store: Store, id: str) -> Token:
    """Let a token do nothing any more; to say so again changes nothing."""

    def work(connection: Connection) -> Token:
        check_schema(connection)
        known = {token.id: token for token, _ in _rows(connection)}
        if id not in known:
            raise StudyNotFoundError(f"there is no token {id!r}")
        if known[id].revoked is None:
            change = sa.update(table).where(table.c.id == id)
            connection.execute(change.values(revoked=store.now(connection)))
        return next(token for token, _ in _rows(connection) if token.id == id)

    return store.write(work)


def _rows(connection: Connection) -> list[tuple[Token, str]]:
    rows = connection.execute(sa.select(table).order_by(table.c.created, table.c.id)).all()
    return [
        (
            Token(
                row.id, row.name, row.role,
                None if row.studies is None else tuple(json.loads(row.studies)),
                iso(row.created), None if row.revoked is None else iso(row.revoked),
            ),
            row.hash,
        )
        for row in rows
    ]  # fmt: skip


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Keyring:
    """The tokens as a server knows them: read again when that is more than a second old."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[Token, str]] = {}
        self._until = 0.0
        self._lock = threading.Lock()

    @property
    def is_fresh(self) -> bool:
        """Whether what is known may still be used."""
        return time.monotonic() < self._until

    def refresh(self) -> None:
        """Read the table; an error leaves it unread, so that nobody is let in by old knowledge."""
        with self._lock:
            if not self.is_fresh:
                began = time.monotonic()
                rows = self._store.read(_rows)
                self._known = {token.id: (token, hash) for token, hash in rows}
                self._until = began + FRESH

    @property
    def is_used(self) -> bool:
        """Whether a token was ever made: from then on nothing is done without one."""
        return bool(self._known)

    def find(self, given: str) -> Token | None:
        """The token of that text, unless it is wrong or revoked; compared in constant time."""
        parts: Any = given.split("_", 2)
        if len(parts) != 3 or parts[0] != "boc":
            return None
        token, hash = self._known.get(parts[1], (None, _hash("")))
        same = hmac.compare_digest(hash, _hash(parts[2]))
        return token if same and token is not None and token.revoked is None else None

    def stands(self, id: str) -> bool:
        """Whether a token that was found before may still be used."""
        return id in self._known and self._known[id][0].revoked is None
