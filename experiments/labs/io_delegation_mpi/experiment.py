"""labs/io_delegation_mpi: output by the ranks that compute, or by one that only writes."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, cycles: int) -> Case:
    return Case(name, {"steps": 8, "cycles": cycles, "device_us": 1000}, nominal=8, workers=(2,))


# s of a step: of computing by all ranks, and of output; of computing by all but one, and of output.
_ALL, _OUTPUT = "cycles * (threads - 1) / figure('clock', threads=1)", "device_us / 1e6"
_BOTH = f"cycles * threads / figure('clock', threads=1), {_OUTPUT}"

experiment = Experiment(
    title="Output delegated to a rank",
    question="When does a dedicated rank for output pay off?",
    rate_unit="steps/s",
    rate_scale=1,
    sizes={
        "quick": [_case("long output", 1_500_000), _case("long computing", 9_000_000)],
        "S": [_case(f"{one} cycles", one) for one in (150_000, 1_500_000, 3_000_000, 9_000_000)],
    },
    predictions=[
        Prediction(
            of="10-each-writes",
            over="20-delegated",
            formula=f"steps * ({_ALL} + {_OUTPUT}) / (steps * max({_BOTH}) + min({_BOTH}))",
            within=1.5,
        )
    ],
    lesson=Lesson(chapter="Input and output", place=3.5, symptoms=("All ranks wait for the disk at the same time.",)),
)
