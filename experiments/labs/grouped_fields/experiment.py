"""labs/grouped_fields: members of a structure, grouped by who writes them."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*cycles: int) -> list[Case]:
    return [Case(f"{one} cycles", {"steps": 10_000, "cycles": one}, 10_000, workers=(2,)) for one in cycles]


# Cycles of a step: the work and two atomic increments in L1, 20 each. If another thread writes to their line, an
# increment of a line that another core has comes in place of the first. If what is read lies there too, the line is
# asked for to be read and to be written: it comes once if the core asks for it to be written at once, else twice.
_APART = "(cycles + 40)"
_WAY = "figure('line_transfer') * figure('clock')"

experiment = Experiment(
    title="Members grouped by who writes them",
    question="Which members of a structure should share a cache line?",
    rate_unit="M steps/s per thread",
    rate_scale=1e6,
    sizes={"quick": _cases(200, 2000), "S": _cases(200, 500, 1000, 2000, 5000)},
    predictions=[
        Prediction(
            of="10-as-declared",
            over="30-by-writer",
            formula=f"(cycles + 20 + {_WAY}) / {_APART}",
            up_to=f"(cycles + 20 + 2 * {_WAY}) / {_APART}",
            within=1.5,
        ),
        Prediction(
            of="20-read-only-apart", over="30-by-writer", formula=f"(cycles + 20 + {_WAY}) / {_APART}", within=1.5
        ),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=6,
        symptoms=("Reading a setting that never changes shows up in the profile of a threaded program.",),
    ),
)
