"""labs/toy_lru_cache: a cache small enough to work it by hand, beside the real one."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, rows: int, real_rows: int) -> Case:
    parameters = {"lines": 6, "rows": rows, "columns": 28, "real_rows": real_rows}
    return Case(name, parameters, nominal=real_rows * 28, workers=(1,))


# The real cache: an addition a cycle, or a line from L2 for each element, if only in the first of four columns.
_LINE = "max(1, 64 / figure('read', level='L2') * figure('clock'))"
_TIME = f"(3 + {_LINE}) / 4 if real_rows * 64 < cache('L1') else {_LINE}"

experiment = Experiment(
    title="A toy cache, worked by hand",
    question="How many cache misses does a sweep over a grid cause, and does its time follow?",
    rate_unit="G points/s",
    rate_scale=1e9,
    sizes={
        "quick": [_case("6x28", 6, 400), _case("7x28", 7, 1500)],
        "S": [_case("5x28", 5, 300), _case("12x28", 12, 1500)],
    },
    predictions=[
        # LRU on a cyclic walk keeps every line until it is needed again, or none.
        Prediction("10-by-columns", "rows * columns / (4 if rows <= lines else 1)", within=1.01, figure="misses"),
        Prediction("20-by-rows", "rows * columns / 4", within=1.01, figure="misses"),
        Prediction("10-by-columns", _TIME, over="20-by-rows", within=1.3),
    ],
    lesson=Lesson(
        "Memory",
        4,
        ["A loop becomes slower at once when the grid gets one row more."],
        {"the toy cache": "6 lines of 4 elements on a 6x28 grid"},
    ),
)
