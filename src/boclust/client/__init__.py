"""A study server from Python: the same calls as on a ``boclust.Study``, with the same errors."""

from boclust.client.calls import AccessError
from boclust.client.client import Client
from boclust.client.remote import RemoteStudy

__all__ = ["AccessError", "Client", "RemoteStudy"]
