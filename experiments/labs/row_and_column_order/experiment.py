"""labs/row_and_column_order: a matrix read along and across its order in memory."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(rows: int, columns: int) -> Case:
    return Case(f"{rows}x{columns}", {"rows": rows, "columns": columns}, nominal=rows * columns, workers=(1,))


# Seconds of a line that is read in order, and of one that no prefetcher guesses, where many are asked for at once.
_LINE = "(64 / figure('read', level='memory'))"
_MISS = f"max(figure('miss_interval'), {_LINE})"

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
        # Along: bandwidth. Across: a line for every number, which takes as long as any other where the prefetchers
        # follow the stride; else it is a miss, of which a core has a limited number under way.
        Prediction("10-by-columns", "64 / 8", over="30-by-rows", up_to=f"8 * {_MISS} / {_LINE}", within=1.5),
        # A band needs an eighth of the lines. It may be that they are misses, and that prefetchers follow one column.
        Prediction("10-by-columns", f"8 * {_LINE} / {_MISS}", over="20-line-by-line", up_to="8", within=1.5),
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
