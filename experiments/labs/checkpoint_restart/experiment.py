"""labs/checkpoint_restart: a state that all ranks write and half of them read."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(mebi: int, *ranks: int) -> Case:
    return Case(f"{mebi} MiB", {"elements": mebi << 17}, nominal=mebi << 21, workers=ranks)


# Parts that a reader reads, in all (threads + 1) // 2 readers.
_READ = "threads / ((threads + 1) // 2)"

experiment = Experiment(
    title="Checkpoint, and restart on fewer ranks",
    question="What does it cost to write a checkpoint that any number of ranks can read?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2)], "S": [_case(8, 2, 4), _case(64, 2)]},
    predictions=[
        Prediction(
            of="10-one-file", over="20-file-per-rank", formula=f"(threads + {_READ}) / (1 + {_READ})", within=1.5
        ),
    ],
    lesson=Lesson(
        chapter="Input and output",
        place=4,
        symptoms=("A job cannot go on with another number of ranks than it was begun with.",),
    ),
)
