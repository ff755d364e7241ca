"""The user's own commands: how they are written, run to their end, measured and checked."""
