"""A rung of a ladder in the place of a command: what `compare`, `tune`, `scale` and `gate` measure of it."""
