"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Studies, events and snapshots."""
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
    )
    op.create_table(
        "events",
        sa.Column("study", sa.Integer, sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.SmallInteger, nullable=False),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("client", sa.String),
        sa.Column("key", sa.String),
        sa.Column("ask", sa.BigInteger),
        sa.Column("target", sa.BigInteger),
        sa.Column("arm", sa.Integer),
        sa.Column("value", sa.LargeBinary),
        sa.Column("payload", sa.Text),
        sqlite_with_rowid=False,
    )
    for name in ("key", "ask", "target"):
        given = sa.text(f'"{name}" IS NOT NULL')
        op.create_index(
            f"events_{name}", "events", ["study", name], unique=name != "target",
            sqlite_where=given, postgresql_where=given,
        )  # fmt: skip
    op.create_table(
        "snapshots",
        sa.Column("study", sa.Integer, sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("checksum", sa.String, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
