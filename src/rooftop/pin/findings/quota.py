"""The control group pays for less processor time than the busy threads want."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, busy_threads, made

ORDER = 50


def find(ground: Ground) -> Iterator[Placement]:
    wanted = min(ground.level, len(ground.cpus))
    if ground.quota is not None and ground.quota < wanted:
        yield made(
            "quota",
            ground.scene.busy,
            ground.cpus,
            f"{busy_threads(wanted)} at once, and the control group allows {ground.quota:.3g} CPUs' worth of time",
            f"start at most {max(1, int(ground.quota))}, or have the quota raised",
        )
