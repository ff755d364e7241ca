"""The threads of a profile: how long each was on a core, and how much of that it waited in a runtime."""

from __future__ import annotations

from rooftop.diagnose.stacks import SampledThread
from rooftop.diagnose.where_time_goes import BARRIERS, BLAS_WAITS, MESSAGES, purpose
from rooftop.observe.profile import HotFunction
from rooftop.observe.stacks import Place, Samples

_RUNTIMES = (BARRIERS, BLAS_WAITS, MESSAGES)
_MOST = 256  # threads


def _waits(place: Place) -> bool:
    """Return whether who is there waits in a runtime; what it calls in the kernel belongs to it."""
    return purpose(HotFunction(share=0.0, file=place.file, function=place.function)) in _RUNTIMES


def sampled_threads(samples: Samples, hz: int) -> list[SampledThread]:
    """Return the threads with most samples, by process and in the order in which they were first seen."""
    waits = {place: _waits(place) for one in samples.threads.values() for place in one.places}
    began_s = min((one.first_s for one in samples.threads.values()), default=0.0)
    chosen = sorted(samples.threads.values(), key=lambda one: -one.places.total())[:_MOST]
    return [
        SampledThread(
            process=one.process,
            name=f"thread {one.thread} ({one.name})",
            first_s=one.first_s - began_s,
            last_s=one.last_s - began_s,
            run_s=one.places.total() / hz,
            inside_s=sum(count for place, count in one.places.items() if waits[place]) / hz,
        )
        for one in sorted(chosen, key=lambda one: (one.process, one.first_s))
    ]
