"""More threads are busy at once than there are CPUs."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, busy_threads, cpus_text, made, waited

ORDER = 40


def find(ground: Ground) -> Iterator[Placement]:
    if ground.level > len(ground.cpus):
        yield made(
            "oversubscribed",
            ground.scene.busy,
            ground.cpus,
            f"{busy_threads(ground.level)} at once on {cpus_text(ground.cpus)}; they waited "
            f"{waited(ground.scene.busy):.0%} of the time for one",
            f"start at most {len(ground.cpus)} busy threads: ranks times threads",
        )
