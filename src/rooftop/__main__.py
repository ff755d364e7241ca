"""``python -m rooftop``: the command line."""

from rooftop.cli.app import main

if __name__ == "__main__":
    raise SystemExit(main())
