"""labs/prefetching: lines that are asked for before they are needed, by the hardware or by hand."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(cycles: int) -> Case:
    parameters = {"lines": 2_000_000, "visits": 10_000, "cycles": cycles}
    return Case(f"{cycles} cycles", parameters, nominal=10_000, workers=(1,))


# Seconds of one visit without a miss: the work, and a load from L1 that its address takes.
_VISIT = "(cycles / figure('clock') + figure('latency', level='L1'))"

experiment = Experiment(
    title="Prefetching by hardware and by hand",
    question="What does a cache miss cost if the line was prefetched?",
    rate_unit="M visits/s",
    rate_scale=1e6,
    sizes={"quick": [_case(500)], "S": [_case(cycles) for cycles in (50, 100, 200, 500, 1000, 2000)]},
    predictions=[
        # At random a miss is added. What fits into the last-level cache may be there, and not in memory.
        Prediction(
            of="10-at-random",
            over="20-by-hand",
            formula=f"1 + figure('latency', level='L3' if 64 * lines <= cache('L3') else 'memory') / {_VISIT}",
            up_to=f"1 + figure('latency', level='memory') / {_VISIT}",
            within=1.2,
        ),
        Prediction(of="30-in-order", over="20-by-hand", formula="1", within=1.2),
        Prediction(
            of="20-by-hand",
            formula=f"visits * {_VISIT}",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=14,
        symptoms=("A program waits at accesses whose addresses it has known for long.",),
    ),
)
