"""Reference engines: one folder a game, plain and slow, written from the rules and independent of the kernels."""
