"""labs/grouped_fields: members of a structure, grouped by who writes them."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*cycles: int) -> list[Case]:
    return [Case(f"{one} cycles", {"steps": 10_000, "cycles": one}, 10_000, workers=(2,)) for one in cycles]


# Cycles of a step: the work and two atomic increments in L1, 20 each. If another thread writes to their line, its way
# to this core comes in place of the first. If what is read lies there too, the line comes once to be read and once more
# to be written, which is what the probe's threads do.
_APART = "(cycles + 40)"
_WAY = "figure('core_to_core') * figure('clock')"

experiment = Experiment(
    title="Members grouped by who writes them",
    question="Which members of a structure should share a cache line?",
    rate_unit="M steps/s per thread",
    rate_scale=1e6,
    sizes={"quick": _cases(200, 2000), "S": _cases(200, 500, 1000, 2000, 5000)},
    predictions=[
        Prediction(of="10-as-declared", over="30-by-writer", formula=f"(cycles + 20 + {_WAY}) / {_APART}", within=1.5),
        Prediction(
            of="20-read-only-apart", over="30-by-writer", formula=f"(cycles + 20 + {_WAY} / 2) / {_APART}", within=1.5
        ),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=6,
        symptoms=("Reading a setting that never changes shows up in the profile of a threaded program.",),
    ),
)
