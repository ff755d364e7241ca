"""labs/remote_memory: latency and bandwidth of memory at the core's own node and at the farthest."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(doublings: int) -> Case:
    return Case(f"{2**doublings // 2**14} MiB", {"doublings": doublings}, 2**doublings, workers=(1,))


_FARTHER = "1.5 if numa_nodes > 1 else 1"  # the way over one link and back adds half of the way to local memory

experiment = Experiment(
    title="Local and remote memory",
    question="How much higher is the latency of another node's memory, and how much lower its bandwidth?",
    rate_unit="M lines/s",
    rate_scale=1e6,
    sizes={"quick": [_case(20)], "S": [_case(20), _case(23)]},
    predictions=[
        Prediction(of="10-remote-chain", over="20-local-chain", formula=_FARTHER, within=1.5),
        # A core has a fixed number of reads under way; where each takes longer, fewer are done in a second.
        Prediction(of="30-remote-stream", over="40-local-stream", formula=_FARTHER, within=1.5),
        Prediction(of="20-local-chain", formula="2 ** doublings * figure('latency', level='memory')", within=1.5),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=2,
        symptoms=("One process is slower than its twin that runs on the other socket.",),
    ),
)
