"""labs/hypercube_and_butterfly: a link for each bit of a node's number."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*nodes: int) -> list[Case]:
    return [Case(f"{n} nodes", {"n": n}, nominal=n * (n - 1)) for n in nodes]


experiment = Experiment(
    title="Hypercube and butterfly",
    question="How far apart are the nodes of a hypercube, and of a butterfly of switches?",
    rate_unit="M pairs/s",
    rate_scale=1e6,
    sizes={"quick": _cases(64), "S": _cases(64, 256, 1024)},
    predictions=[
        Prediction(of="10-hypercube", figure="mean_distance", formula="log2(n) / 2", within=1.2),
        Prediction(of="20-butterfly", figure="mean_distance", formula="log2(n + 1)", within=1.2),
        Prediction(of="20-butterfly", figure="bisection", formula="n / 2", within=1.2),
    ],
    lesson=Lesson(
        chapter="Networks",
        place=3,
        symptoms=("An all-to-all keeps its speed on more nodes, but they need more and more cables.",),
        course={
            "hypercube: mean distance and bisection": "log n and n/2",
            "butterfly: mean distance and bisection": "log₂(n+1) and n/2",
        },
    ),
)
