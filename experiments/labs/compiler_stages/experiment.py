"""labs/compiler_stages: what gcc makes of a small function, from preprocessing to assembly."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*decisions: int) -> list[Case]:
    return [Case(f"{one} decisions", {"decisions": one}, 1, workers=(1,)) for one in decisions]


experiment = Experiment(
    title="The stages of a compiler",
    question="What does a compiler make of a small function at each stage?",
    rate_unit="functions/s",
    rate_scale=1,
    sizes={"quick": _cases(100), "S": _cases(1, 10, 100, 1000)},
    predictions=[
        # if (values[i] == k) found += c: three operations for the address, a load, a comparison with its jumps,
        # a label, an addition, a label.
        Prediction(of="40-low-gimple", figure="lines", formula="8 * decisions", within=1.2),
        # McCabe: the decisions of a function, the loop's included, and one.
        Prediction(of="50-flow-graph", figure="independent_paths", formula="decisions + 2", within=1.001),
        # A block for each comparison and each addition; the entry, the loop's end and comparison, the call, the return.
        Prediction(of="50-flow-graph", figure="blocks", formula="2 * decisions + 5", within=1.001),
    ],
    lesson=Lesson(
        chapter="Core",
        place=6,
        symptoms=(
            "A program with few lines takes long to compile.",
            "A compiler's message speaks of statements and blocks that nobody wrote.",
        ),
    ),
)
