"""labs/working_set: latency and bandwidth over the size of the working set."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(level: str, size: int, hops: int, passes: int) -> Case:
    parameters = {"level": level, "bytes": size, "hops": hops, "passes": passes}
    return Case(level, parameters, nominal=hops, workers=(1,))


_HOPS, _STREAM = "hops * figure('latency', level={})", "bytes * passes / figure('read', level={})"
# What fits into the last-level cache may be there, and not in memory.
_NEAREST = "('L3' if level == 'memory' and bytes <= cache('L3') else level)"

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
        Prediction("10-random-hops", _HOPS.format(_NEAREST), up_to=_HOPS.format("level"), within=1.2),
        Prediction("20-stream.avx2", _STREAM.format(_NEAREST), up_to=_STREAM.format("level"), within=1.2),
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
