"""How alembic runs the migrations: on the connection, and in the transaction, that it is given."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"], version_table="boclust_version"
)
context.run_migrations()
