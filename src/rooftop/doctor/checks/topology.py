"""hwloc's lstopo, from which the picture of the machine is drawn."""

from rooftop.doctor.check import Check, Found, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _lstopo(here: Surroundings) -> Found:
    line = here.first_line("lstopo-no-graphics", "--version")
    return ok(line) if line else missing("no lstopo-no-graphics")


lstopo = Check(
    name="hwloc",
    group="measuring",
    costs="the topology is read from /sys: the report's picture of the machine is drawn from the list of caches",
    look=_lstopo,
    remedy=Remedy(debian=("hwloc-nox",)),
)
