"""Tokens: a table of the database that says who may do what.

A token is ``boc_ID_SECRET``. Its secret has 256 random bits and is shown once. The table holds its
SHA-256, which for a secret of that size is as hard to invert as any slower hash.
"""

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from boclust._validate import choice, invalid, shown
from boclust.study import StudyNotFoundError
from boclust.study.checks import text
from boclust.study.events import iso
from boclust.study.storage.schema import check_schema, prepare
from boclust.study.storage.store import Store
from boclust.study.storage.tables import tokens as table

Role = Literal["read", "tell", "admin"]
#: Each role includes the ones before it.
ROLES: tuple[Role, ...] = get_args(Role)
#: Seconds after which a server reads the table again.
FRESH = 1.0


@dataclass(frozen=True)
class Token:
    """A token without its secret; ``studies`` is None for all studies; times are ISO 8601."""

    id: str
    name: str
    role: Role
    studies: tuple[str, ...] | None
    created: str
    revoked: str | None


def create(store: Store, name: str, role: str, studies: Sequence[str] | None) -> tuple[Token, str]:
    """A new token and its text, which cannot be shown again."""
    text("name", name)
    choice("role", role, ROLES)
    if studies is not None:
        if isinstance(studies, str) or not studies:
            raise invalid("studies", "a list of names of studies, or None for all", shown(studies))
        studies = tuple(text("studies", study) for study in studies)
    prepare(store)
    id, secret = secrets.token_hex(4), secrets.token_urlsafe(32)

    def work(connection: Connection) -> Token:
        now = store.now(connection)
        listed = None if studies is None else json.dumps(studies)
        row = {"id": id, "name": name, "role": role, "studies": listed, "created": now}
        connection.execute(sa.insert(table).values(hash=_hash(secret), **row))
        return Token(id, name, cast(Role, role), studies, iso(now), None)

    return store.write(work, repeatable=False), f"boc_{id}_{secret}"


def list_tokens(store: Store) -> list[Token]:
    """All tokens, also revoked ones, in the order of their creation."""

    def work(connection: Connection) -> list[Token]:
        check_schema(connection)
        return [token for token, _ in _rows(connection)]

    return store.read(work)


def revoke(store: Store, id: str) -> Token:
    """Revoke a token; a repetition changes nothing."""

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
    """The tokens that a server knows; it reads them again after ``FRESH`` seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[Token, str]] = {}
        self._until = 0.0
        self._lock = threading.Lock()

    @property
    def is_fresh(self) -> bool:
        """Whether the tokens were read recently enough."""
        return time.monotonic() < self._until

    def refresh(self) -> None:
        """Read the table; after an error the old tokens stay unusable."""
        with self._lock:
            if not self.is_fresh:
                began = time.monotonic()
                rows = self._store.read(_rows)
                self._known = {token.id: (token, hash) for token, hash in rows}
                self._until = began + FRESH

    @property
    def is_used(self) -> bool:
        """Whether the database has any token, revoked or not: then every request needs one."""
        return bool(self._known)

    def find(self, given: str) -> Token | None:
        """The token with that text unless it is wrong or revoked; compares in constant time."""
        parts: Any = given.split("_", 2)
        if len(parts) != 3 or parts[0] != "boc":
            return None
        token, hash = self._known.get(parts[1], (None, _hash("")))
        same = hmac.compare_digest(hash, _hash(parts[2]))
        return token if same and token is not None and token.revoked is None else None

    def is_valid(self, id: str) -> bool:
        """Whether the token with that id exists and is not revoked."""
        return id in self._known and self._known[id][0].revoked is None
