"""The errors that a user of Rooftop can meet, each with the exit code that a script can act on.

A message is one line: what was wrong, the value seen, and what is expected or what to do next.

====  ==================================================================================================================
code  meaning
====  ==================================================================================================================
0     fine
1     a result is wrong, a rung failed, or something required is missing
2     misuse: the command, its arguments or an input file
3     nothing was measured: everything was skipped or nothing matched
4     not built, or built for another machine
5     busy: another campaign holds this machine, from whatever home or user, or its store
6     ``gate``: a regression, confirmed
7     ``gate``: not resolved, so that neither a regression nor its absence was shown
70    an error inside Rooftop itself
130   interrupted; ``--resume`` of ``climb``, ``compare``, ``tune``, ``scale`` and ``gate`` goes on from the last sample
====  ==================================================================================================================
"""

from __future__ import annotations

FINE = 0
WRONG = 1
MISUSE = 2
NOTHING_MEASURED = 3
NOT_BUILT = 4
BUSY = 5
REGRESSION = 6
NOT_RESOLVED = 7
INTERNAL = 70
INTERRUPTED = 130


class RooftopError(Exception):
    """Base of all errors that are shown to the user as one line."""

    exit_code = WRONG

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class Misuse(RooftopError):
    """The command, an argument or an input file is not what was expected."""

    exit_code = MISUSE


class NothingMeasured(RooftopError):
    """There is no measurement to show."""

    exit_code = NOTHING_MEASURED


class NotBuilt(RooftopError):
    """A driver, module or probe that is needed has not been built."""

    exit_code = NOT_BUILT


class Busy(RooftopError):
    """Another process holds what this command needs for itself."""

    exit_code = BUSY


class StoreError(RooftopError):
    """The store cannot be read or written."""

    exit_code = WRONG
