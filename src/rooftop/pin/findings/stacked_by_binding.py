"""More busy threads are bound to some CPUs than there are CPUs, while others carry nothing of the command."""

from collections.abc import Iterator

from rooftop.machine.cpu_list import format_cpu_list
from rooftop.pin.findings import Ground, Placement, busy_threads, cpus_text, made
from rooftop.pin.shared_cpus import crowds

ORDER = 10


def find(ground: Ground) -> Iterator[Placement]:
    idle = ground.cpus - ground.used()
    for crowd in crowds(ground):
        if not idle:
            continue
        stories = [story for story, one in zip(ground.scene.busy, crowd.chosen, strict=True) if one]
        ranks = sorted({story.facts.rank for story in stories if story.facts.rank is not None})
        of = f" of rank{'' if len(ranks) == 1 else 's'} {format_cpu_list(ranks)}" if ranks else ""
        yield made(
            "stacked",
            stories,
            crowd.cpus,
            f"{busy_threads(crowd.level)}{of} at once are bound to {cpus_text(crowd.cpus)}, while {cpus_text(idle)} "
            f"carr{'ies' if len(idle) == 1 else 'y'} nothing of the command",
            "give every rank as many cores as it has threads, and every thread a core of its own",
        )
