"""Simultaneous multithreading: two hardware threads on one core."""

from rooftop.doctor.check import Check, Found, limited, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _smt(here: Surroundings) -> Found:
    control = here.files.text("/sys/devices/system/cpu/smt/control")
    active = here.files.number("/sys/devices/system/cpu/smt/active")
    if active == 1:
        return limited(f"on (control: {control}): two threads share a core's ports and caches")
    return ok(f"off (control: {control})" if control else "not visible; taken as off")


smt = Check(
    name="SMT",
    group="machine",
    costs="as many threads as processors are twice as many as cores: speed-ups stop at half of them",
    look=_smt,
    remedy=Remedy(
        command="echo off | tee /sys/devices/system/cpu/smt/control",
        root=True,
        remark="or measure with --threads set to the number of cores",
    ),
)
