"""labs/ways_of_output_mpi: one or all ranks write one file or one each, by MPI-IO."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

COPY = "16 * words / figure('copy', level='L3', threads=1)"  # of a part, to the system's cache


def _case(mebi: int, *ranks: int) -> Case:
    return Case(f"{mebi} MiB each", {"words": mebi << 17}, nominal=mebi << 20, workers=ranks)


experiment = Experiment(
    title="Ways of output with MPI-IO",
    question="Which rank should write which file?",
    rate_unit="MB/s per rank",
    rate_scale=1e6,
    sizes={"quick": [_case(2, 2)], "S": [_case(2, 2, 4), _case(16, 2)]},
    predictions=[
        Prediction("10-one-to-one", f"threads + (threads - 1) * message(8 * words) / ({COPY})", "60-all-to-all", 1.5),
        Prediction(of="40-all-to-one", over="60-all-to-all", formula="min(threads, cores)", within=1.5),
    ],
    lesson=Lesson(chapter="Input and output", place=2, symptoms=("Output takes longer the more ranks there are.",)),
)
