"""Alembic's entry point: runs the migrations in the connection and transaction that it is given."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], version_table="boclust_version"
)
context.run_migrations()
