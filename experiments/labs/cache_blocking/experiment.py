"""labs/cache_blocking: a stencil in an order that uses what is in the cache."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction


def _case(block: int) -> Case:
    columns = 1_600_000
    return Case(f"block {block}", {"rows": 8, "columns": columns, "block": block}, 8 * columns, workers=(1,))


# Three rows read and one written are 51 MB, so that the L3 cache of 32 MiB does not keep a row for the next.
experiment = Experiment(
    title="Cache blocking of a stencil",
    question="What does a stencil gain if each number comes from memory once?",
    rate_unit="M points/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={"quick": [_case(16_384)], "S": [_case(block) for block in (64, 512, 4096, 16_384, 131_072, 800_000)]},
    predictions=[
        # Three rows are read for each that is written, or one; copy counts one read and one write.
        Prediction(
            of="10-whole-rows",
            over="20-blocks",
            formula="1 + figure('copy', level='memory') / figure('read', level='memory')",
            within=1.2,
        ),
        Prediction(of="30-z-order", over="20-blocks", formula="1", within=1.2),
        Prediction(of="20-blocks", formula="16 * rows * columns / figure('copy', level='memory')", within=1.2),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=7,
        symptoms=("The time per point of a stencil rises when the rows of its grid become longer.",),
    ),
)
