"""labs/amdahl: a program with a serial share, on more threads and on more work."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(additions: int, *percents: int) -> list[Case]:
    return [
        Case(f"{one} % serial", {"additions": additions, "serial_percent": one}, nominal=additions, workers=(1, 2))
        for one in percents
    ]


experiment = Experiment(
    title="Amdahl's law and Gustafson's",
    question="How much faster can a program become if a part of it stays serial?",
    rate_unit="G additions/s",
    rate_scale=1e9,
    sizes={"quick": _cases(6_000_000, 5, 50), "S": _cases(10_000_000, 1, 5, 20, 50)},
    predictions=[
        Prediction(
            of="10-amdahl",
            formula="additions * (serial_percent + (100 - serial_percent) / threads) / 100 / figure('clock')",
            within=1.2,
        ),
        Prediction(
            of="10-amdahl",
            over="20-all-parallel",
            formula="(serial_percent * threads + 100 - serial_percent) / 100",
            within=1.2,
        ),
        Prediction(of="30-gustafson", formula="additions / figure('clock')", within=1.2),
    ],
    lesson=Lesson(
        chapter="Scaling",
        place=1,
        symptoms=("With twice the cores a program is hardly faster.",),
        course={"p = 0.95": "at most 20 times as fast"},
    ),
)
