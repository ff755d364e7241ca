"""Busy threads share a core's hardware threads while whole cores stand idle."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, busy_threads, cpus_text, made
from rooftop.pin.shared_cpus import together

ORDER = 30


def find(ground: Ground) -> Iterator[Placement]:
    if ground.places.cores == len(ground.cpus):
        return
    same_cpu = {(a, b) for a, b, _ in together(ground, {cpu: cpu for cpu in ground.cpus})}
    pairs = [one for one in together(ground, ground.places.core) if (one[0], one[1]) not in same_cpu]
    if not pairs:
        return
    members = sorted({row for a, b, _ in pairs for row in (a, b)})
    stories = [ground.scene.busy[row] for row in members]
    homes = {story.home for story in stories if story.home is not None}
    cores = {ground.places.core[cpu] for cpu in ground.used()}
    yield made(
        "siblings",
        stories,
        homes,
        f"{busy_threads(len(members))} share cores with each other as hardware threads ({cpus_text(homes)}), while "
        f"{ground.places.cores - len(cores)} of {ground.places.cores} cores stand idle",
        "place threads by cores rather than by hardware threads",
    )
