"""One file per thing to look for, each binding a ``Check``; adding a file adds the check."""
