"""labs/barriers: constructs that end with a barrier, and the same with nowait."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# Blocks that no two threads may execute at once take their sum; otherwise the fullest thread's share.
_RATIO = "blocks / ((blocks + threads - 1) // threads)"

experiment = Experiment(
    title="Explicit and implicit barriers",
    question="What does the implicit barrier at the end of a construct cost?",
    rate_unit="k blocks/s",
    rate_scale=1e3,
    sizes={
        "quick": [Case("24 blocks", {"blocks": 24, "cycles": 100_000}, nominal=24)],
        "S": [Case(f"{one} cycles", {"blocks": 24, "cycles": one}, nominal=24) for one in (1000, 10_000, 100_000)],
    },
    predictions=[
        Prediction(of="10-single", over="40-nowait", formula=_RATIO, within=1.2),
        Prediction(of="20-sections", over="40-nowait", formula=_RATIO, within=1.2),
        Prediction(of="10-single", over="50-simd", formula=_RATIO, within=1.2),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=1,
        symptoms=(
            "A program with independent single blocks or sections is no faster with more threads.",
            "A profile shows threads that wait at the ends of constructs.",
        ),
        course={"four single blocks of 1 s, with the barrier and with nowait": "4.004 and 1.004 s"},
        corrects="omp simd has no barrier: one thread alone may meet it, as 50-simd does (OpenMP 5.2, section 10.4).",
    ),
)
