"""labs/numa_first_touch: a vector addition, by who initialised the vectors."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*millions: int) -> list[Case]:
    return [Case(f"{one} Mi numbers", {"length": one << 20}, 24.0 * (one << 20)) for one in millions]


experiment = Experiment(
    title="First touch and parallel initialisation",
    question="What does a parallel loop lose if a single thread has initialised its arrays?",
    rate_unit="GB/s",
    rate_scale=1e9,
    precision="fp64",
    sizes={"quick": _cases(8), "S": _cases(8, 64)},
    predictions=[
        # One node's memory serves all threads, where each node's could serve its own.
        Prediction(of="20-one-thread", over="40-own-part", formula="min(threads, numa_nodes)"),
        # All traffic crosses the links between the nodes, which carry about 0.6 of a node's memory bandwidth.
        Prediction(of="10-crossed", over="40-own-part", formula="1 / 0.6 if min(threads, numa_nodes) > 1 else 1"),
        # All nodes serve, and of N nodes each thread's own has 1 / N of its pages: the others come through the links.
        Prediction(of="30-interleaved", over="40-own-part", formula="max(1, (1 - 1 / min(threads, numa_nodes)) / 0.6)"),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=1,
        symptoms=(
            "A parallel loop stops scaling at the number of cores of one socket.",
            "The same program takes a third longer on some days, or after its initialisation was moved.",
        ),
        course={
            "vector addition, own parts and all on one node": "28.96 and 36.26 s",
            "another machine, own parts and all on one node": "24.21 and 33.77 s",
            "that machine, own parts and crossed": "24.12 and 38.12 s",
        },
        placed={"one thread for each core": {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}},
    ),
)
