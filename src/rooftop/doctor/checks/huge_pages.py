"""Transparent huge pages, without which large working sets measure the TLB."""

from rooftop.doctor.check import Check, Found, limited, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings
from rooftop.machine.conditions import chosen


def _thp(here: Surroundings) -> Found:
    mode = chosen(here.files.text("/sys/kernel/mm/transparent_hugepage/enabled"))
    if mode in ("always", "madvise"):
        return ok(mode)
    return limited("this kernel has none" if mode is None else f"{mode}, expected madvise or always")


thp = Check(
    name="transparent huge pages",
    group="machine",
    costs="bandwidth and latency of large arrays include TLB misses; the figures for huge pages are skipped",
    look=_thp,
    remedy=Remedy(
        command="echo madvise | tee /sys/kernel/mm/transparent_hugepage/enabled",
        root=True,
        remark="until the next boot",
    ),
)
