"""One step a schema version; run by ``boclust.study.schema``."""
