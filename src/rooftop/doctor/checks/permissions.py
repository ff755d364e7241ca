"""What this process may do: bind its threads, write its data."""

import os

from rooftop.doctor.check import Check, Found, limited, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _binding(here: Surroundings) -> Found:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
    except OSError as error:
        return limited(f"sched_setaffinity: {error.strerror}")
    finally:
        os.sched_setaffinity(0, allowed)
    return ok(f"{len(allowed)} processors, threads can be bound to each")


def _home(here: Surroundings) -> Found:
    folder = here.settings.home_folder
    return ok(str(folder)) if here.writable(folder) else missing(f"{folder} cannot be written")


binding = Check(
    name="thread binding",
    group="measuring",
    costs="threads wander between cores: samples spread more",
    look=_binding,
    remedy=Remedy(remark="allow sched_setaffinity in the container's or the service's system-call filter"),
)
home = Check(
    name="data folder",
    group="measuring",
    required=True,
    costs="no sample, probe or report can be kept",
    look=_home,
    remedy=Remedy(command='export ROOFTOP_HOME="$HOME/.rooftop"', remark="any folder that you may write will do"),
)
