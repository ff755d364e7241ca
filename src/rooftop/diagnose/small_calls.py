"""Suspect that small functions are called too often: sampling sees their time, counting that it is many calls."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.diagnose.function_facts import CalledFunction, FunctionFacts
from rooftop.diagnose.suspicion import Suspicion
from rooftop.text.plural import listed, plural

NAME = "small calls"
_SMALL_S = 50e-9  # of its own: calling, saving registers and returning take 2 to 5, and no loop spans two calls
_OFTEN = 100_000
_LEAST_SHARE = 0.02  # of a function
_TOGETHER = 0.25  # of all such functions, from which on they are worth a line
_NAMED = 3


def _is_small(one: CalledFunction, whole: float) -> bool:
    """Return whether a function takes little time each time, and much because of its calls."""
    often = one.calls >= _OFTEN and (one.share or 0.0) >= _LEAST_SHARE * whole
    return often and one.call_s is not None and one.call_s <= _SMALL_S


def _told(one: CalledFunction, whole: float) -> str:
    each = f"{(one.call_s or 0.0) * 1e9:.2g} ns each, {(one.share or 0.0) / whole:.0%} of the samples"
    return f"{one.function} is called {one.calls:,} times, {each}"


def small_calls(told: FunctionFacts, elapsed_s: float, width: float) -> Iterator[Suspicion]:
    """Suspect functions that together take much of the time that is not spent in counting.

    width  cores that work at once, on average
    """
    whole = max(1e-9, 1.0 - told.counting)
    small = sorted((one for one in told.functions if _is_small(one, whole)), key=lambda one: -(one.share or 0.0))
    if sum(one.share or 0.0 for one in small) < _TOGETHER * whole:
        return
    seconds = sum(one.seconds or 0.0 for one in small) / width
    more = [plural(len(small) - _NAMED, "other function")] if len(small) > _NAMED else []
    counted = f", without the {told.counting:.0%} that counting takes" if told.counting >= _LEAST_SHARE else ""
    yield Suspicion(
        NAME,
        min(elapsed_s, seconds),
        f"{listed([*(_told(one, whole) for one in small[:_NAMED]), *more])}{counted}; {seconds:.3g} s of "
        f"{elapsed_s:.3g} s ({seconds / max(elapsed_s, 1e-9):.0%}) in all",
        "call it less often: keep what it returned, or give it many values at once; or let the compiler inline it: a "
        "definition in the header, or -flto",
    )
