"""How fast boclust is, beside the paper's method in NumPy and beside other checkouts.

``python -m benchmarks`` measures, ``python -m benchmarks.compare OTHER`` compares two checkouts,
``python -m benchmarks.results`` writes docs/results.md.
"""
