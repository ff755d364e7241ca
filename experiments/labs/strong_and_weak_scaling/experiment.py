"""labs/strong_and_weak_scaling: an even and an uneven kernel, on the same problem and on one that grows."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(rows: int, cycles: int) -> Case:
    return Case(f"{rows} rows", {"rows": rows, "cycles": cycles}, nominal=rows, workers=(1, 2))


experiment = Experiment(
    title="Strong and weak scaling",
    question="How does a program scale if its work is shared unevenly?",
    rate_unit="M rows/s",
    rate_scale=1e6,
    sizes={"quick": [_case(1000, 5000)], "S": [_case(1000, 5000), _case(10_000, 1000)]},
    predictions=[
        # The last of the shares of a triangle has 2 - 1 / threads times the mean.
        Prediction(of="20-uneven-strong", over="10-even-strong", formula="2 - 1 / threads", within=1.2),
        Prediction(of="20-uneven-strong", figure="balance_percent", formula="100 / (2 - 1 / threads)", within=1.2),
        # With T times the rows, of which the last are T times as long: work T ** 2, and the last share of it.
        Prediction(of="40-uneven-weak", over="30-even-weak", formula="2 * threads - 1", within=1.2),
    ],
    lesson=Lesson(
        chapter="Scaling",
        place=2,
        symptoms=("The speed-up grows, but far more slowly than the number of cores.",),
    ),
)
