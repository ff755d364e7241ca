"""``python -m rooftop``: the command line."""

import sys


def run() -> int:
    """Give the command line's exit code; an interrupt while it is being imported is one like any other."""
    try:
        from rooftop.cli.app import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("rooftop: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(run())
