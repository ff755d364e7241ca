"""labs/denormals: arithmetic on numbers below the smallest normal one."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

experiment = Experiment(
    title="Denormal numbers",
    question="What does arithmetic on numbers close to zero cost?",
    rate_unit="M steps/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={
        "quick": [Case("chain", {"steps": 100_000}, nominal=100_000, workers=(1,))],
        "S": [Case("chain", {"steps": 10_000_000}, nominal=10_000_000, workers=(1,))],
    },
    predictions=[
        Prediction(of="20-flushed", over="30-normal", formula="1", within=1.2),
        # A multiplication and an addition that wait for each other: 3 cycles each on Zen, 4 on Intel's Skylake.
        Prediction(of="30-normal", formula="steps * (3 + 3) / figure('clock')", within=1.2),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=15,
        symptoms=(
            "A simulation becomes slower and slower as its field decays to zero.",
            "The same loop takes ten times as long on other data of the same size.",
        ),
    ),
)
