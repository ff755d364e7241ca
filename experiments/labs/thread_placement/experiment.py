"""labs/thread_placement: threads on one core, close together and spread."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(mebi: int) -> Case:
    return Case(f"{mebi} MiB", {"words": mebi << 17}, nominal=mebi << 20)


_ONE = "figure('read', level='memory', threads=1)"

experiment = Experiment(
    title="Placement of threads",
    question="How much does it matter on which cores threads run?",
    rate_unit="GB/s",
    rate_scale=1e9,
    sizes={"quick": [_case(128)], "S": [_case(128), _case(1024)]},
    predictions=[
        Prediction(of="10-one-core", over="20-close", formula=f"figure('read', level='memory') / {_ONE}", within=1.2),
        Prediction(of="20-close", over="30-spread", formula="min(threads, numa_nodes)", within=2),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=9,
        symptoms=("A program's time changes by a factor from run to run, or with OMP_PROC_BIND.",),
        course={"OMP_PROC_BIND close and spread": "7.63 and 8.08 s"},
        corrects="KMP_AFFINITY and I_MPI_ASYNC_PROGRESS are Intel's: of its OpenMP (and LLVM's) and of its MPI. "
        "OMP_PLACES and OMP_PROC_BIND are the standard's.",
        placed={
            "close": {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"},
            "spread": {"OMP_PLACES": "cores", "OMP_PROC_BIND": "spread"},
            "as numbers": {"OMP_PLACES": "{0:4}:4:4"},
        },
    ),
)
