"""labs/vector_and_fused: operations per instruction, from one to sixteen."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(points: int, passes: int) -> Case:
    return Case(f"{points} points", {"points": points, "passes": passes}, 16.0 * points * passes, workers=(1,))


def _peak(isa: str) -> str:
    return f"figure('fma', isa='{isa}', precision='fp64')"


experiment = Experiment(
    title="Scalar, vector and fused rates",
    question="How much faster is a loop if its instructions do 2, 4, 8 or 16 operations each?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    precision="fp64",
    sizes={"quick": [_case(1024, 200)], "S": [_case(1024, 200), _case(128, 1600)]},
    predictions=[
        # Eight steps of Horner's scheme for each point, 2 operations each. As many scalars start as vectors of 4.
        Prediction(of="20-scalar-fused.avx2", formula=f"16 * points * passes / ({_peak('avx2')} / 4)", within=1.2),
        Prediction(of="20-scalar-fused.avx2", over="40-vector-fused.avx2", formula="4", within=1.2),
        Prediction(
            of="40-vector-fused.avx2",
            over="50-wide-fused.avx512",
            formula=f"{_peak('avx512')} / {_peak('avx2')}",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Core",
        place=2,
        symptoms=("A loop on data in cache runs at a small part of the processor's advertised peak.",),
    ),
)
