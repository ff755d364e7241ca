"""labs/remote_memory: latency and bandwidth of memory at the core's own node and at the farthest."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction


def _cases(*mebibytes: int) -> list[Case]:
    return [Case(f"{one} MiB", {"lines": one << 14}, one << 14, workers=(1,)) for one in mebibytes]


experiment = Experiment(
    title="Local and remote memory",
    question="How much longer does a core wait for memory of another node, and how much less does it get of it?",
    rate_unit="M lines/s",
    rate_scale=1e6,
    sizes={"quick": _cases(64), "S": _cases(64, 512)},
    predictions=[
        # The way over one link and back adds about half of the way to local memory.
        Prediction(of="10-remote-chase", over="20-local-chase", formula="1.5 if numa_nodes > 1 else 1", within=1.5),
        # A core has a fixed number of reads under way; each takes longer, and no more fit into a second.
        Prediction(of="30-remote-stream", over="40-local-stream", formula="1.5 if numa_nodes > 1 else 1", within=1.5),
        Prediction(of="20-local-chase", formula="lines * figure('latency', level='memory')", within=1.5),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=2,
        symptoms=(
            "One process is slower than its twin that runs on the other socket.",
            "numastat counts many pages of a process on another node than the one it runs on.",
        ),
    ),
)
