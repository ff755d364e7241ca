"""Nothing holds busy threads where they are."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, busy_threads, cpus_text, made

ORDER = 80
HINT = True


def find(ground: Ground) -> Iterator[Placement]:
    free = [story for story in ground.scene.busy if story.facts.allowed >= ground.cpus]
    if free and len(ground.cpus) > 1 and ground.level <= len(ground.cpus):
        yield made(
            "unbound",
            free,
            ground.cpus,
            f"{busy_threads(len(free))} may run on all of {cpus_text(ground.cpus)}",
            "bind them: what stays where it is keeps its caches and its memory near",
        )
