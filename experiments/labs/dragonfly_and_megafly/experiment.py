"""labs/dragonfly_and_megafly: few steps between groups, and as much bisection as there are cables."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*nodes: int) -> list[Case]:
    return [Case(f"{n} routers", {"n": n}, nominal=n * (n - 1)) for n in nodes]


experiment = Experiment(
    title="Dragonfly and megafly",
    question="How far apart are nodes in fully connected groups of routers, and how much do the groups' cables carry?",
    rate_unit="M pairs/s",
    rate_scale=1e6,
    sizes={"quick": _cases(64), "S": _cases(64, 256, 576)},
    predictions=[
        Prediction(of="10-dragonfly", figure="mean_distance", formula="3", within=1.2),
        Prediction(of="30-megafly", figure="mean_distance", formula="3", within=1.2),
        Prediction(of="20-replicated-links", figure="bisection", formula="n * sqrt(n) / 4", within=1.2),
    ],
    lesson=Lesson(
        chapter="Networks",
        place=5,
        symptoms=("Two groups of nodes that exchange all their data are as slow as one cable.",),
        course={"dragonfly: mean distance and bisection": "about 3 and n√n/4"},
    ),
)
