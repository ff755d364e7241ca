"""labs/osaca_bounds: OSACA's cycles of small loops, held against the processor's."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

experiment = Experiment(
    title="In-core bounds by OSACA",
    question="How many cycles does a loop need at least, given the ports and latencies of its instructions?",
    rate_unit="M values/s",
    rate_scale=1e6,
    sizes={"quick": [Case("2000 values", {"length": 2000, "passes": 20}, 2000.0 * 20, workers=(1,))]},
    predictions=[
        Prediction(of=name, figure="cycles_over_osaca", formula="1", within=1.2)
        for name in ("10-chain", "30-fused-chain", "40-divisions")
    ],
    lesson=Lesson(
        chapter="Core",
        place=7,
        symptoms=("A loop on data in cache is slow, and nobody knows which unit of the core it waits for.",),
    ),
)
