"""labs/fortran_order: a row-major matrix and a library for column-major ones."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(rows: int, columns: int) -> Case:
    return Case(f"{rows}x{columns}", {"rows": rows, "columns": columns}, nominal=2 * rows * columns, workers=(1,))


_COPIED = "rows * columns * (figure('latency', level={}) / 64 + 8 / figure('read', level='memory'))"
_NEAREST = "'L3' if 16 * rows * columns <= cache('L3') else 'memory'"  # where lines of both matrices may be

experiment = Experiment(
    title="Fortran's order, called from C",
    question="What does it cost to transpose a matrix for a library that could use it as it is?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    precision="fp64",
    sizes={"quick": [_case(2760, 2760)], "S": [_case(152, 152), _case(1000, 1000), _case(2760, 2760)]},
    predictions=[
        # Stores wait for their lines in a queue of 64 entries, 8 lines; then the product reads the copy.
        Prediction("10-copied", _COPIED.format(_NEAREST), up_to=_COPIED.format("'memory'"), within=1.2),
        Prediction(of="30-row-major", over="20-transposed", formula="1", within=1.2),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=2,
        symptoms=(
            "A program in C transposes its matrices before each call of a numerical library.",
            "Results of a library come out transposed.",
        ),
    ),
)
