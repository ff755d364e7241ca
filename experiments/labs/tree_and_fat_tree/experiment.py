"""labs/tree_and_fat_tree: what the root of a tree lets through."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*nodes: int) -> list[Case]:
    return [Case(f"{n} nodes", {"n": n}, nominal=n * (n - 1)) for n in nodes]


experiment = Experiment(
    title="Tree and fat tree",
    question="How far apart are nodes below a tree of switches, and how much passes through its root?",
    rate_unit="M pairs/s",
    rate_scale=1e6,
    sizes={"quick": _cases(64), "S": _cases(64, 256, 1024)},
    predictions=[
        Prediction(of="10-tree", figure="mean_distance", formula="2 * (log2(n) - 1)", within=1.2),
        Prediction(of="10-tree", figure="bisection", formula="1", within=1.2),
        Prediction(of="20-fat-tree", figure="bisection", formula="n / 2", within=1.2),
    ],
    lesson=Lesson(
        chapter="Networks",
        place=4,
        symptoms=("Nodes of one rack talk fast, and those of different racks the slower, the more of them do.",),
        course={
            "tree: mean distance and bisection": "log n and 1",
            "fat tree: mean distance and bisection": "log n and n/2",
        },
    ),
)
