"""labs/queue_reclamation: hazard pointers and counted pointers in a lock-free queue."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# A pair: locked instructions of 18 cycles (Skylake), and six lines from core to core.
_LINES = "(0 if threads == 1 else 3 * figure('core_to_core') * figure('clock'))"
_RATIO = f"(8 * 18 + {_LINES}) / (5 * 18 + {_LINES})"

experiment = Experiment(
    title="Safe reclamation in a lock-free queue",
    question="What does safe memory reclamation cost in a lock-free queue?",
    rate_unit="M pairs/s per thread",
    rate_scale=1e6,
    sizes={"quick": [Case("2000 pairs", {"pairs": 2000}, nominal=2000, workers=(1, 2))]},
    predictions=[Prediction(of="10-hazard-pointers", over="20-counted-pointers", formula=_RATIO, within=1.5)],
    lesson=Lesson(chapter="Threads", place=7.5, symptoms=("A lock-free structure fails once in a million runs.",)),
)
