"""labs/line_states: reads of a line by who has it, and in which state."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction


def _cases(*lines: int) -> list[Case]:
    return [Case(f"{one} lines", {"lines": one, "rounds": 20}, 40.0 * one, workers=(2,)) for one in lines]


experiment = Experiment(
    title="A cache line from another core, by its state",
    question="What does a read cost if another core has the line, exclusive or modified?",
    rate_unit="M lines/s",
    rate_scale=1e6,
    sizes={"quick": _cases(384), "S": _cases(384, 4096)},
    predictions=[
        # The probe's two threads read a line and then take it to write, two ways. A read is one.
        Prediction(of="30-modified", figure="latency_ns", formula="1e9 * figure('core_to_core') / 2", within=1.5),
        Prediction(of="40-exclusive", figure="latency_ns", formula="1e9 * figure('core_to_core') / 2", within=1.5),
        Prediction(of="10-memory", figure="latency_ns", formula="1e9 * figure('latency', level='memory')", within=1.5),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=3,
        symptoms=(
            "A thread that reads what another has just written waits as long as for memory.",
            "perf c2c counts loads that hit a modified line of another core.",
        ),
        course={
            "read bandwidth, local L1, L2 and L3": "45.6, 31.1 and 26.2 GB/s",
            "exclusive in another core": "19.3 GB/s",
            "modified in another core": "9.4 and 13.2 GB/s",
            "the other socket": "9.0 and 5.6 GB/s",
            "memory": "10.1 GB/s",
        },
    ),
)
