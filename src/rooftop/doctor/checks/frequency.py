"""What lets a core's clock change between two samples."""

import os

from rooftop.doctor.check import Check, Found, limited, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings
from rooftop.machine.conditions import governors


def _governor(here: Surroundings) -> Found:
    names = governors(here.files, os.sched_getaffinity(0))
    if names is None:
        return ok("not visible: firmware or the hypervisor decides")
    return ok(names) if names == "performance" else limited(f"{names}, expected performance")


governor = Check(
    name="frequency governor",
    group="machine",
    costs="short samples start at a low clock: first runs look slow and samples spread",
    look=_governor,
    remedy=Remedy(
        command="echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        root=True,
        remark="until the next boot",
    ),
)
