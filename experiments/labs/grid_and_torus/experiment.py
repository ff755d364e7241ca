"""labs/grid_and_torus: what the border of a grid costs."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*nodes: int) -> list[Case]:
    return [Case(f"{n} nodes", {"n": n}, nominal=n * (n - 1)) for n in nodes]


experiment = Experiment(
    title="Grid and torus",
    question="What does the border of a grid cost in distance and in bisection bandwidth?",
    rate_unit="M pairs/s",
    rate_scale=1e6,
    sizes={"quick": _cases(64), "S": _cases(64, 256, 1024)},
    predictions=[
        Prediction(of="10-grid", figure="mean_distance", formula="2 / 3 * sqrt(n)", within=1.2),
        Prediction(of="20-torus", figure="mean_distance", formula="sqrt(n) / 2", within=1.2),
        Prediction(of="20-torus", over="10-grid", figure="bisection", formula="2", within=1.2),
    ],
    lesson=Lesson(
        chapter="Networks",
        place=2,
        symptoms=("The same job is slower at the border of the machine than in its middle.",),
        course={
            "grid: mean distance and bisection": "√n and √n",
            "torus: mean distance and bisection": "√n/2 and 2√n",
        },
        corrects="The mean distance of a grid is 2/3 √n, not √n: the sum of n/3 along the rows and along the columns, "
        "with √n nodes each. Computed on the graph it is 5.333 for 64 nodes.",
    ),
)
