"""labs/working_set: latency and bandwidth over the size of the working set."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(level: str, size: int, hops: int, passes: int) -> Case:
    parameters = {"level": level, "bytes": size, "hops": hops, "passes": passes}
    return Case(level, parameters, nominal=hops, workers=(1,))


# The probe's own sizes: well within each level of most processors.
experiment = Experiment(
    title="The staircase of the working set",
    question="Which level of the memory does a loop see, and how much slower is it without a known order?",
    rate_unit="M hops/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("L2", 184_320, 100_000, 100), _case("memory", 134_217_728, 20_000, 1)],
        "S": [_case("L1", 16_384, 1_000_000, 1000), _case("L3", 5_931_008, 100_000, 10)],
    },
    predictions=[
        Prediction(of="10-random-hops", formula="hops * figure('latency', level=level)", within=1.2),
        Prediction(of="20-stream.avx2", formula="bytes * passes / figure('read', level=level)", within=1.2),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=10,
        symptoms=(
            "The time per element jumps at certain sizes of the data.",
            "A list or a tree is many times slower than an array with as many elements.",
        ),
    ),
)
