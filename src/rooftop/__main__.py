"""``python -m rooftop``: the command line."""

import gc
import signal
import sys
from types import FrameType

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
_YOUNG_OBJECTS = 100_000  # between collections: imports make so many objects that the default of 700 costs 30 ms


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def run() -> int:
    """Return the command line's exit code; an interrupt while it is being imported is one like any other."""
    code = 130
    gc.set_threshold(_YOUNG_OBJECTS)
    try:
        try:
            for number in _INTERRUPTS:
                if number == signal.SIGTERM or signal.getsignal(number) is not signal.SIG_IGN:
                    signal.signal(number, _interrupt)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)  # which ./rooftop blocks until here
            from rooftop.cli.app import main
            from rooftop.terminal.streams import occupy_closed

            occupy_closed()
            code = main()
        finally:
            gc.freeze()  # Python's last collections would visit every object of every module: 40 ms after h5py
            # All is said. Of Python's own ending an interrupt would make a traceback, or a death by the signal. To
            # block it here would not do: libraries' threads would take it.
            for number in _INTERRUPTS:
                signal.signal(number, signal.SIG_IGN)
            # Python ends by SIGINT, whatever the exit code, if one came while a text was executed, as dataclasses do:
            # Executing another takes that back.
            exec("")
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("rooftop: interrupted\n")
    return code


if __name__ == "__main__":
    sys.exit(run())
