"""Other programs used the machine as well."""

from collections.abc import Iterator

from rooftop.pin.findings import UNUSED, Ground, Placement, cpus_text, made

ORDER = 100
HINT = True

_OTHERS = 0.25  # of a CPU's time, all CPUs together


def find(ground: Ground) -> Iterator[Placement]:
    shares = {cpu: share for cpu, share in ground.others().items() if share > UNUSED}
    if ground.scene.busy and sum(shares.values()) > _OTHERS:
        yield made(
            "others",
            [],
            set(shares),
            f"other programs used {sum(shares.values()):.2g} CPUs' worth of time on {cpus_text(set(shares))}",
            "stop them, and look again: threads wait and move because of them",
        )
