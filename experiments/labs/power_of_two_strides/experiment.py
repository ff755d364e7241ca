"""labs/power_of_two_strides: lines that compete for one set of the cache."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(lines: int) -> Case:
    return Case(f"{lines} lines", {"lines": lines, "hops": 200_000}, nominal=200_000, workers=(1,))


# An L1 cache holds as many lines at a stride of 4096 bytes as its ways: its bytes / 4096 where it has 64 sets.
_RATIO = "figure('latency', level='L2') / figure('latency', level='L1')"

experiment = Experiment(
    title="Strides of a power of two",
    question="How much of a cache can lines use that are a power of two apart?",
    rate_unit="M hops/s",
    rate_scale=1e6,
    sizes={"quick": [_case(6), _case(24)], "S": [_case(lines) for lines in (4, 6, 8, 10, 12, 16, 24, 48)]},
    predictions=[
        Prediction(
            of="10-stride-4096",
            over="30-stride-4160",
            formula=f"{_RATIO} if lines > cache('L1') / 4096 else 1",
            within=1.2,
        ),
        Prediction(
            of="20-stride-2048",
            over="30-stride-4160",
            formula=f"{_RATIO} if lines > cache('L1') / 2048 else 1",
            within=1.2,
        ),
        Prediction(
            of="30-stride-4160",
            over="40-additions",
            formula="figure('latency', level='L1') * figure('clock')",
            within=1.2,
        ),
        Prediction(of="40-additions", formula="hops / figure('clock')", within=1.2),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=11,
        symptoms=(
            "A matrix with 1024 columns is slower than one with 1000, or with 1040.",
            "A transform is slow exactly where its size is a power of two.",
        ),
    ),
)
