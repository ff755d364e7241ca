"""labs/contended_locks: kinds of locks that all threads want at once."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

experiment = Experiment(
    title="Locks under contention",
    question="What do different kinds of lock cost under contention?",
    rate_unit="M entries/s",
    rate_scale=1e6,
    sizes={
        size: [Case(f"{one} cycles", {"entries": 1000, "cycles": one}, nominal=1000) for one in cycles]
        for size, cycles in {"quick": (200,), "S": (20, 200, 2000)}.items()
    },
    predictions=[
        # One entry after another: the work, the lock's line to the next core, which reads and takes it, and the data's.
        Prediction(
            of="20-ticket", formula="entries * threads * (cycles / figure('clock') + 2 * figure('core_to_core'))"
        ),
        Prediction(of="20-ticket", over="30-queue", formula="1"),
        Prediction(of="30-queue", figure="handovers", formula="entries * threads if threads > 1 else 1", within=1.2),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=6,
        symptoms=("A profile shows threads in pthread_mutex_lock, and more threads make it worse.",),
    ),
)
