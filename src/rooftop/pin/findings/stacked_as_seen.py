"""Busy threads that need not share a CPU share one all the same, while others stand idle."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, cpus_text, made, waited
from rooftop.pin.shared_cpus import clusters, crowds, together
from rooftop.text.plural import some

ORDER = 20


def find(ground: Ground) -> Iterator[Placement]:
    crowded = [crowd.chosen for crowd in crowds(ground)]
    pairs = [
        (a, b, share)
        for a, b, share in together(ground, {cpu: cpu for cpu in ground.cpus})
        if not any(chosen[a] and chosen[b] for chosen in crowded)
    ]
    for members, share in clusters(pairs):
        stories = [ground.scene.busy[row] for row in members]
        homes = {story.home for story in stories if story.home is not None}
        yield made(
            "stacked",
            stories,
            homes,
            f"{some([story.name for story in stories])} were on one CPU ({cpus_text(homes)}) for at least {share:.0%} "
            "of the time in which they were busy together, while another stood idle; they waited "
            f"{waited(stories):.0%} of it",
            "bind every thread to a core of its own",
        )
