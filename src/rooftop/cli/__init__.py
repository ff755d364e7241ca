"""The command line: one file per command, each with ``register(app)``; adding a file adds the command."""
