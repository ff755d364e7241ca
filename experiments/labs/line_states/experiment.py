"""labs/line_states: reads of a line by who has it, and in which state."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(doublings: int) -> Case:
    return Case(f"{2**doublings} lines", {"doublings": doublings}, 40.0 * 2**doublings, workers=(2,))


experiment = Experiment(
    title="A cache line from another core, by its state",
    question="What does a read cost if another core holds the line, exclusive or modified?",
    rate_unit="M lines/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8)], "S": [_case(8), _case(12)]},
    predictions=[
        Prediction(of="30-modified", figure="latency_ns", formula="1e9 * figure('line_transfer')", within=1.5),
        Prediction(of="40-exclusive", figure="latency_ns", formula="1e9 * figure('line_transfer')", within=1.5),
        Prediction(of="10-memory", figure="latency_ns", formula="1e9 * figure('latency', level='memory')", within=1.5),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=3,
        symptoms=("A thread that reads what another has just written waits as long as for memory.",),
        course={
            "read bandwidth, local L1, L2 and L3; memory": "45.6, 31.1 and 26.2; 10.1 GB/s",
            "another core's lines, exclusive; modified": "19.3; 9.4 and 13.2 GB/s",
            "lines of the other socket": "9.0 and 5.6 GB/s",
        },
    ),
)
