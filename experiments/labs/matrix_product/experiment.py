"""labs/matrix_product: the second matrix replicated, split, or transposed."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# Each rank's products, and the second matrix once round the ring.
PRODUCTS = "2 * n * n * n / threads / figure('fma', isa='sse2', precision='fp64', threads=1)"
ROUND = "threads * exchange(8 * n * n / threads)"


def _cases(*edges: int) -> list[Case]:
    return [Case(f"{n} x {n}", {"n": n}, nominal=2 * n**3, workers=(2,)) for n in edges]


experiment = Experiment(
    title="A matrix product on ranks",
    question="Does every rank need the whole second matrix?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    sizes={"quick": _cases(192), "S": _cases(96, 192, 384, 768)},
    predictions=[
        Prediction("20-split", f"1 + {ROUND} / ({PRODUCTS})", over="10-replicated", within=1.5),
        Prediction("10-replicated", "threads / 2", over="20-split", within=1.2, figure="second_matrix_bytes"),
    ],
    lesson=Lesson(chapter="MPI", place=4, symptoms=("A program needs as much memory per rank on many as on few.",)),
)
