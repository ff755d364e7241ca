"""labs/ways_of_output: one or all threads write one file or one each."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(mebi: int) -> Case:
    return Case(f"{mebi} MiB each", {"words": mebi << 17}, nominal=mebi << 20)


experiment = Experiment(
    title="Ways of output with POSIX",
    question="Who should write which file?",
    rate_unit="MB/s per thread",
    rate_scale=1e6,
    sizes={"quick": [_case(2)], "S": [_case(2), _case(4)]},
    predictions=[
        # Writes to files of their own run side by side, writes to one file one after another.
        Prediction(of="10-one-to-one", over="50-all-to-all", formula="min(threads, cores)", within=1.5),
        Prediction(of="40-all-to-one", over="10-one-to-one", formula="1", within=1.5),
        # A write copies to the system's cache: each byte is read and written, in L3 at these sizes.
        Prediction(of="10-one-to-one", formula="16 * threads * words / figure('copy', level='L3', threads=1)"),
    ],
    lesson=Lesson(
        chapter="Input and output", place=1, symptoms=("Output takes as long with many threads as with one.",)
    ),
)
