"""labs/row_and_column_order: a matrix read along and across its order in memory."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(rows: int, columns: int) -> Case:
    return Case(f"{rows}x{columns}", {"rows": rows, "columns": columns}, nominal=rows * columns, workers=(1,))


# The lines of a column exceed the cache; rows are an odd number of lines long, so that columns use all of its sets.
experiment = Experiment(
    title="A matrix by rows and by columns",
    question="What does it cost to read a row-major matrix column by column?",
    rate_unit="G numbers/s",
    rate_scale=1e9,
    sizes={
        "quick": [_case(557_057, 24)],
        "S": [_case(557_057, 24), _case(16_385, 984), _case(4000, 4008)],
    },
    predictions=[
        # Across: a miss for every number, 24 of which a core of Zen 2 to Zen 4 has under way. Along: bandwidth.
        Prediction(
            of="10-by-columns",
            over="30-by-rows",
            formula="(figure('latency', level='memory') / 24) / (8 / figure('read', level='memory'))",
            within=1.5,
        ),
        Prediction(of="10-by-columns", over="20-line-by-line", formula="8", within=1.5),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=1,
        symptoms=(
            "A loop over a matrix takes many times as long when its two loops are exchanged.",
            "A program is far below the memory's bandwidth although it does nothing but read.",
        ),
    ),
)
