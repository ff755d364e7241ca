"""labs/dependency_chains: accumulators of a sum, against the latency and the width of the multiply-add."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(length: int, passes: int) -> Case:
    return Case(f"{length} values", {"length": length, "passes": passes}, 2.0 * length * passes, workers=(1,))


# Latency times width: how long a multiply-add takes, and how many begin per cycle. The units of a scalar one are those
# of a vector of four, by whose peak they are counted: the probe's scalar kernel multiplies and adds, which is two.
_LATENCY = "figure('fma_latency')"
_CHAINS_IN_FLIGHT = f"{_LATENCY} * figure('fma', isa='avx2', precision='fp64') / 8 / figure('clock')"

experiment = Experiment(
    title="Dependency chains",
    question="How many accumulators does a sum need?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    precision="fp64",
    sizes={"quick": [_case(1536, 200)], "S": [_case(1536, 200), _case(192, 1600)]},
    predictions=[
        Prediction(of="10-one-chain.avx2", formula=f"length * passes * {_LATENCY} / figure('clock')", within=1.2),
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
