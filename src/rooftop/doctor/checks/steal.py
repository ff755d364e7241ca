"""Time that a hypervisor gave to somebody else."""

import time

from rooftop.doctor.check import Check, Found, limited, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings
from rooftop.machine.steal import StealMeter, steal_since_boot
from rooftop.text.quantities import percent

_NOTABLE = 0.01
_INTERVAL_S = 0.3


def _steal(here: Surroundings) -> Found:
    meter = StealMeter(here.files)
    time.sleep(_INTERVAL_S)
    now, ever = meter.fraction(), steal_since_boot(here.files)
    if ever is None:
        return ok("not visible")
    evidence = f"{percent(ever)} of the time wanted since boot" + ("" if now is None else f", {percent(now)} just now")
    return limited(evidence) if max(ever, now or 0.0) > _NOTABLE else ok(evidence)


steal = Check(
    name="steal",
    group="machine",
    costs="samples are slow whenever a neighbour runs: more pairs are needed, and small effects stay unresolved",
    look=_steal,
    remedy=Remedy(remark="no setting here helps: use a dedicated host, or measure when it is quiet"),
)
