"""labs/dependency_chains: accumulators of a sum, against the latency and the width of the multiply-add."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(length: int, passes: int) -> Case:
    return Case(f"{length} values", {"length": length, "passes": passes}, 2.0 * length * passes, workers=(1,))


# A multiply-add takes 4 cycles; the probe's peak says how many begin per cycle.
_CHAINS_IN_FLIGHT = "4 * figure('fma', isa='scalar', precision='fp64') / 2 / figure('clock')"

experiment = Experiment(
    title="Dependency chains",
    question="How many accumulators does a sum need?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    precision="fp64",
    sizes={"quick": [_case(1536, 200)], "S": [_case(1536, 200), _case(192, 1600)]},
    predictions=[
        Prediction(of="10-one-chain.avx2", formula="length * passes * 4 / figure('clock')", within=1.2),
        Prediction(
            of="10-one-chain.avx2", over="30-four-chains.avx2", formula=f"min(4, {_CHAINS_IN_FLIGHT})", within=1.2
        ),
        Prediction(
            of="10-one-chain.avx2", over="50-twelve-chains.avx2", formula=f"min(12, {_CHAINS_IN_FLIGHT})", within=1.2
        ),
    ],
    lesson=Lesson(
        chapter="Core",
        place=1,
        symptoms=(
            "A sum or a dot product whose data is in cache stays far below the peak.",
            "Unrolling a loop changes nothing as long as it keeps one accumulator.",
        ),
    ),
)
