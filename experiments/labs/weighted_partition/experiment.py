"""labs/weighted_partition: balance against cut."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*shapes: tuple[int, int]) -> list[Case]:
    return [Case(f"{e} x {e}, {p} parts", {"edge": e, "parts": p}, nominal=e * e) for e, p in shapes]


experiment = Experiment(
    title="Weighted partitioning",
    question="How are cells of different weights split among ranks?",
    rate_unit="k cells/s",
    rate_scale=1e3,
    sizes={"quick": _cases((24, 4)), "S": _cases((24, 4), (48, 4), (48, 16))},
    predictions=[
        # The last of p strips has 1 - (1 - 1/p)^2 of a weight that rises from nothing, in place of 1/p.
        Prediction("10-rows", "100 * (parts - 1) / parts", within=1.2, figure="imbalance_percent"),
        # Strips have parts - 1 borders of the whole length; squares have sqrt(parts) - 1 each way.
        Prediction("30-bisection", "2 * (sqrt(parts) - 1) / (parts - 1)", "10-rows", 1.5, figure="cut_edges"),
        Prediction("40-metis", "2 * (sqrt(parts) - 1) * edge", within=1.5, figure="cut_edges"),
    ],
    lesson=Lesson(chapter="MPI", place=5, symptoms=("Some ranks always wait for the same others.",)),
)
