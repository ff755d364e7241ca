"""labs/concurrent_queues: Michael and Scott's queues with one lock, two locks and none."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

_TIME = "pairs * (cycles / figure('clock') + (0 if threads == 1 else 3 * figure('core_to_core')))"

experiment = Experiment(
    title="Concurrent queues",
    question="Is a lock-free queue faster?",
    rate_unit="M pairs/s per thread",
    rate_scale=1e6,
    sizes={
        size: [Case(f"{one} cycles", {"pairs": 1000, "cycles": one}, nominal=1000) for one in cycles]
        for size, cycles in {"quick": (1000,), "S": (0, 1000, 5000)}.items()
    },
    predictions=[
        Prediction(of="10-one-lock", formula=_TIME),
        Prediction(of="30-lock-free", over="10-one-lock", formula="1"),
    ],
    lesson=Lesson(chapter="Threads", place=7, symptoms=("A profile shows workers that wait for their common queue.",)),
)
