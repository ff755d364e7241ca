"""Programs that run a rung: the process protocol and what executes it."""
