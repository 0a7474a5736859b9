"""The first tables; new databases are made by ``boclust.study.tables`` and begin further on."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Nothing is upgraded to these."""
