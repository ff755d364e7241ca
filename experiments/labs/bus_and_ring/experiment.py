"""labs/bus_and_ring: distance and bisection of nodes in a line."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*nodes: int) -> list[Case]:
    return [Case(f"{n} nodes", {"n": n}, nominal=n * (n - 1)) for n in nodes]


experiment = Experiment(
    title="Bus and ring",
    question="How far apart are the nodes of a line, and how many links join its halves?",
    rate_unit="M pairs/s",
    rate_scale=1e6,
    sizes={"quick": _cases(64), "S": _cases(64, 256, 1024)},
    predictions=[
        Prediction(of="10-bus", figure="mean_distance", formula="n / 3", within=1.2),
        Prediction(of="20-ring", figure="mean_distance", formula="n / 4", within=1.2),
        Prediction(of="20-ring", over="10-bus", figure="bisection", formula="2", within=1.2),
    ],
    lesson=Lesson(
        chapter="Networks",
        place=1,
        symptoms=("Each message takes longer with every node that is added.",),
        course={
            "bus: mean distance and bisection": "n/3 and 1",
            "ring: mean distance and bisection": "n/4 and 2",
        },
    ),
)
