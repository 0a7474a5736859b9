"""Export the values of a study to a CSV or Parquet file, page by page."""

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection

from boclust._files import appearing
from boclust._validate import invalid, path_of, shown
from boclust.study import log
from boclust.study.events import Event, Kind, iso, unpack
from boclust.study.session import Session


def export(session: Session, path: Any, upto: int) -> None:
    """Write the values told up to event ``upto``."""
    target = export_path(path)
    with appearing(target) as part:
        if target.suffix.lower() == ".parquet":
            _write_parquet(part, _columns(session), _tables(session, upto))
            return
        with part.open("w", newline="", encoding="utf-8") as file:
            file.writelines(csv_text(session, upto))


def export_path(path: Any) -> Path:
    """The path of a .csv or .parquet file."""
    accepted = "a file name that ends in .csv or .parquet"
    target = path_of("path", path, accepted)
    if target.suffix.lower() not in (".csv", ".parquet"):
        raise invalid("path", accepted, shown(str(path)))
    return target


def csv_text(session: Session, upto: int) -> Iterator[str]:
    """The same values as CSV text, one piece per page of the log."""
    header: list[tuple[Any, ...]] = [tuple(_columns(session))]
    for rows in chain([header], _tables(session, upto)):
        lines = StringIO()
        csv.writer(lines, lineterminator="\n").writerows(rows)
        yield lines.getvalue()


def _columns(session: Session) -> list[str]:
    dim = session.spec.dim
    values = ["value"] if dim == 1 else [f"value_{i}" for i in range(dim)]
    return ["seq", "time", "arm", *values, "status", "client", "key", "ask", "metadata"]


def _tables(session: Session, upto: int) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of the file, one list per page of the log."""

    def revised_values(connection: Connection) -> dict[int, bytes | None]:
        return log.revised_values(log.revisions(connection, session.number, upto))

    revised = session.store.read(revised_values)
    for page in session.pages(upto=upto):
        yield [_row(session, event, revised) for event in page if event.kind == Kind.TOLD]


def _row(session: Session, event: Event, revised: dict[int, bytes | None]) -> tuple[Any, ...]:
    """The row of one observation with its present value; a voided one shows what was told."""
    now = revised.get(event.seq, event.value)
    status = "kept" if event.seq not in revised else "voided" if now is None else "corrected"
    numbers = unpack([now or event.value or b""], session.spec.dim)[0].tolist()
    ask = None if event.ask is None else session.ask_id(event.ask)
    name = session.spec.arms[event.arm or 0].name
    return (
        event.seq, iso(event.time), name, *numbers, status, event.client, event.key, ask,
        event.payload,
    )  # fmt: skip


def _write_parquet(path: Path, columns: list[str], tables: Iterator[list[tuple[Any, ...]]]) -> None:
    import pyarrow
    from pyarrow import parquet

    types = {"seq": pyarrow.int64()}
    schema = pyarrow.schema(
        [
            (name, pyarrow.float64() if name.startswith("value") else types.get(name, "string"))
            for name in columns
        ]
    )
    with parquet.ParquetWriter(path, schema) as writer:
        for rows in tables:
            turned = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
            writer.write_table(pyarrow.table(turned, schema=schema))
