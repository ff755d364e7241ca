"""Usable CPUs carry nothing of the command."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, busy_threads, cpus_text, made

ORDER = 90
HINT = True


def find(ground: Ground) -> Iterator[Placement]:
    left = ground.cpus - ground.used()
    if left and ground.scene.busy and ground.level < len(ground.cpus):
        yield made(
            "idle",
            [],
            left,
            f"{cpus_text(left)} of {cpus_text(ground.cpus)} carried nothing of the command: "
            f"{busy_threads(ground.level)} at once",
            "more ranks or threads could use them: 'rooftop tune' tells whether that helps",
        )
