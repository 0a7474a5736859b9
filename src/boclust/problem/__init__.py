"""What is asked: arms with means, how their samples scatter, and their clusters."""
