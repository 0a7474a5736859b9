"""One module per figure or table of the paper, named as ``boclust paper list`` names it."""
