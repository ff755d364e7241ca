"""labs/cache_blocking: a stencil in orders that use what is in the cache."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, rows: int, columns: int, block: int, steps: int) -> Case:
    given = {"rows": rows, "columns": columns, "block": block, "steps": steps}
    return Case(name, given, rows * columns * steps, workers=(1,))


# Long rows: three read and one written are 51 MB. Short rows: twelve, of two grids, are 409 KB.
experiment = Experiment(
    title="Cache blocking of a stencil",
    question="What does a stencil gain if each number comes from memory once?",
    rate_unit="M points/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={
        "quick": [_case("long rows", 8, 1_600_000, 16_384, 1), _case("short rows", 2000, 4256, 512, 4)],
        "S": [_case(f"block {block}", 8, 1_600_000, block, 1) for block in (64, 512, 4096, 131_072)],
    },
    predictions=[
        # Three rows are read for each that is written, or one, which is a copy.
        Prediction(
            of="10-whole-rows",
            over="20-blocks",
            formula="1 + figure('copy', level='memory') / figure('read', level='memory') if rows == 8 else 1",
            within=1.2,
        ),
        Prediction(of="30-z-order", over="20-blocks", formula="1", within=1.2),
        # Every step in memory, or the first there and the others in L2.
        Prediction(
            of="10-whole-rows",
            over="40-wavefront",
            formula="steps / (1 + (steps - 1) * figure('copy', level='memory') / figure('copy', level='L2'))",
            within=1.2,
        ),
    ],
    lesson=Lesson("Memory", 7, ["An iteration over a large grid takes as long with more arithmetic per point."]),
)
