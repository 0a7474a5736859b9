"""The study server: an HTTP API and a page over the studies of one database."""

from boclust.server.app import create_app

__all__ = ["create_app"]
