"""labs/halo_exchange: a grid's border by rows and by columns."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*edges: int) -> list[Case]:
    return [Case(f"{n} x {n}", {"n": n}, nominal=2 * n, workers=(2,)) for n in edges]


experiment = Experiment(
    title="Halo exchange",
    question="What does the halo exchange of a grid cost in columns, and what in rows?",
    rate_unit="M cells/s per rank",
    rate_scale=1e6,
    sizes={"quick": _cases(9, 256), "S": _cases(9, 64, 256, 1024)},
    predictions=[
        Prediction("10-columns-by-element", "n * exchange(8) / exchange(8 * n)", "30-rows", 1.5),
        # A library may send a short message within the call, but not with a persistent request: at most as much again.
        Prediction("50-rows-persistent", "1", "40-rows-non-blocking", 1.2, up_to="2 if 8 * n <= 4096 else 1"),
    ],
    lesson=Lesson(
        chapter="MPI", place=3, symptoms=("A grid split the other way takes longer.",), course={"messages": "2 and 18"}
    ),
)
