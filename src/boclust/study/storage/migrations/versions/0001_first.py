"""The first tables. New databases start at the newest schema: see ``boclust.study.storage``."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Do nothing: there is no older schema."""
