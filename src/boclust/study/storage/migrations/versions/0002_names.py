"""Prefix all names with boclust, so that other tables may share the database; add tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

#: Constraints of each table that PostgreSQL names by default; SQLite does not name them.
_CONSTRAINTS = {
    "studies": ("pkey", "name_key"),
    "events": ("pkey", "study_fkey"),
    "snapshots": ("pkey", "study_fkey"),
}


def upgrade() -> None:
    """Rename the tables, indexes, sequences and constraints; foreign keys follow."""
    for name in ("key", "ask", "target"):
        op.drop_index(f"events_{name}", "events")
    for table in _CONSTRAINTS:
        op.rename_table(table, f"boclust_{table}")
    for name in ("key", "ask", "target"):
        given = sa.column(name).isnot(None)
        op.create_index(
            f"boclust_events_{name}", "boclust_events", ["study", name], unique=name != "target",
            sqlite_where=given, postgresql_where=given,
        )  # fmt: skip
    if op.get_context().dialect.name == "postgresql":
        op.execute("ALTER SEQUENCE studies_id_seq RENAME TO boclust_studies_id_seq")
        for table, constraints in _CONSTRAINTS.items():
            for end in constraints:
                old, new = f"{table}_{end}", f"boclust_{table}_{end}"
                op.execute(f"ALTER TABLE boclust_{table} RENAME CONSTRAINT {old} TO {new}")
    op.create_table(
        "boclust_tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("studies", sa.Text),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger),
    )
