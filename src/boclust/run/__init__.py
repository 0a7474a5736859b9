"""One adaptive run: its state, the loop, algorithms by name, ask and tell."""
