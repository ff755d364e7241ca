"""labs/overlapping_writes: threads that write the same bytes of a file."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(mebi: int) -> Case:
    return Case(f"{mebi} MiB each", {"words": mebi << 17}, nominal=mebi << 20)


experiment = Experiment(
    title="Overlapping writes to one file",
    question="What is the result, and how long does it take, if threads write to the same bytes of a file?",
    rate_unit="MB/s per thread",
    rate_scale=1e6,
    sizes={"quick": [_case(2)], "S": [_case(2), _case(16)]},
    predictions=[
        # All but the last thread write two parts, and writes to one file go one after another.
        Prediction(of="10-any-order", over="30-no-overlap", formula="2 - 1 / threads", within=1.5),
        Prediction(of="20-in-order", over="10-any-order", formula="1", within=1.5),
        Prediction(of="10-any-order", figure="whole_percent", formula="100", within=1.2),
    ],
    lesson=Lesson(
        chapter="Input and output",
        place=5,
        symptoms=("A file that several threads or ranks write differs from run to run.",),
    ),
)
