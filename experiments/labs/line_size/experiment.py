"""labs/line_size: strides that show how long a cache line is."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, size: int, passes: int) -> Case:
    return Case(name, {"bytes": size, "passes": passes}, nominal=size / 64 * passes, workers=(1,))


experiment = Experiment(
    title="The size of a cache line",
    question="At what stride does a loop over an array become faster?",
    rate_unit="G lines of the array/s",
    rate_scale=1e9,
    sizes={
        "quick": [_case("L2", 184_320, 100)],
        "S": [_case("L1", 16_384, 1000), _case("L2", 184_320, 100), _case("memory", 134_217_728, 1)],
    },
    predictions=[
        # The lines that a pass needs, of 64 bytes: all of them, all of them, and half of them. A prefetcher that
        # fetches the next line along brings the other half as well.
        Prediction(of="20-every-8th", over="30-every-16th", formula="1", within=1.2),
        Prediction(of="30-every-16th", over="40-every-32nd", formula="1", up_to="128 / 64", within=1.2),
        Prediction(
            of="30-every-16th",
            formula="bytes * passes / figure('read', level='L2' if bytes <= cache('L2') else 'memory')",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=3,
        symptoms=("A loop that reads a tenth of the data takes as long as one that reads all of it.",),
        course={"every 32nd int": "32 ints are 128 bytes: N/32 accesses"},
    ),
)
