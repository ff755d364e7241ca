"""Options that users know from other tools and Rooftop does not have: where to go instead, and what was meant.

Sources: hyperfine(1), version 1.20; Kernel Tuner's tune_kernel; Optuna's study.optimize.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

_ALIKE = 0.75  # how alike two names are where one may be meant by the other: from 0 to 1

_PAIRS = "Rooftop measures pairs, one run of each command"
_ORDER = "results stand in the order in which the commands are given, and each verdict names its two"
_UNITS = "each time has the unit that suits it; --json and --export csv:FILE give seconds"
_PLACES = "give --param NAME=a,b, and the range 1..8 or 0..1..0.1 as a value"
_OF_GATE = "--json has every sample, and --junit FILE and --markdown FILE are for CI servers"

# By what the option is called: where to go, in every command and in some.
_EVERYWHERE = {
    "-r": f"{_PAIRS}: give --pairs N and --max-pairs N",
    "-m": f"{_PAIRS}: give --pairs N",
    "-M": f"{_PAIRS}: give --max-pairs N",
    "--sort": _ORDER,
    "-u": _UNITS,
    "--style": "it is plain where it is piped; NO_COLOR=1 leaves colours out",
    "-C": "give --prepare, which runs before every run, or --cleanup, which runs after the last",
}
_IN_COMMAND = {
    "compare": {
        "--export-asciidoc": "give --export markdown:FILE or csv:FILE",
        "--export-orgmode": "give --export markdown:FILE or csv:FILE",
        "--n-trials": "it is an option of 'rooftop tune'",
        "--strategy": "it is an option of 'rooftop tune'",
        "--param": "give -L NAME a,b for each command with each value, or let 'rooftop tune' find the best",
    },
    "tune": {
        "-L": _PLACES,
        "-P": _PLACES,
        "-D": _PLACES,
        "-n": "configurations are named after their parameters",
        "--reference": "give --default NAME=VALUE",
        "--export": "--json has every sample, and the page all that was tried",
        "--google-benchmark": "give --metric-regex, or tune one benchmark with --benchmark_filter",
    },
    "scale": {
        "-L": "give --size NAME=VALUE, or --weak NAME=EXPR for a size that grows",
        "-n": "points are named after their ranks and threads",
        "--reference": "give --serial CMD",
        "--param": "give --size NAME=VALUE",
        "--export": "--json has every sample",
        "--google-benchmark": "give --metric-regex, or scale one benchmark with --benchmark_filter",
    },
    "gate": {
        "-L": "give each command by itself, with ::: between, or as a [[benchmark]] in --file",
        "-n": "give --file, in which each [[benchmark]] may have a name",
        "--reference": "the first revision is the base",
        "--export": _OF_GATE,
        "--google-benchmark": "one benchmark's regression would be lost in the mean: give each as a command with "
        "--benchmark_filter and --metric-regex, or use 'rooftop compare --google-benchmark'",
    },
}
_SAME = {
    "--runs": "-r",
    "--min-runs": "-m",
    "--max-runs": "-M",
    "--time-unit": "-u",
    "--conclude": "-C",
    "--parameter-list": "-L",
    "--parameter-scan": "-P",
    "--parameter-step-size": "-D",
    "--command-name": "-n",
    "--export-json": "--export",
    "--export-csv": "--export",
    "--export-markdown": "--export",
    "--restrictions": "--where",
}


def refusal(command: str, option: str) -> str | None:
    """Return where to go instead of an option that a command of Rooftop does not have; None where nothing is known."""
    own = _IN_COMMAND.get(command)
    if own is None:
        return None
    known = _EVERYWHERE | own
    return known.get(option, known.get(_SAME.get(option, option)))


def explained(error: Exception) -> str | None:
    """Return what is wrong with a command line in one line, where the option parser refuses it; None: it does not."""
    explain: Callable[[], str] | None = getattr(error, "format_message", None)
    if explain is None:
        return None
    context: Any = getattr(error, "ctx", None)
    option: str | None = getattr(error, "option_name", None)
    program = context.command_path if context is not None else "rooftop"
    message = explain()
    possible = getattr(error, "possibilities", None)
    if option is not None and hasattr(error, "possibilities"):
        if (instead := refusal(context.info_name if context is not None else "", option)) is not None:
            return f"there is no {option} here: {instead} (see {program} --help)"
        alike = difflib.get_close_matches(option, possible or (), n=2, cutoff=_ALIKE)
        hint = f", perhaps {' or '.join(alike)}" if alike else ""
        message = f"there is no option {option}{hint}"
    return f"{message} (see {program} --help)" if message else ""
