"""How fast boclust is: ``python -m benchmarks``; beside another checkout: ``benchmarks.compare``."""
