"""${message}."""

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """What the tables gain."""
    ${upgrades if upgrades else "pass"}
