"""labs/bandwidth_saturation: a loop in memory and in cache, as threads are added."""

import os

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*mebibytes: int) -> list[Case]:
    cores = os.cpu_count() or 1
    workers = [count for count in (1, 2, 4, 8, 16, 32, 64, 128) if count < cores] + [cores]
    cases = []
    for one in mebibytes:
        length = (one << 20) // 12
        cases.append(Case(f"{one} MiB", {"length": length, "piece": 15360}, 12.0 * length, workers=workers))
    return cases


experiment = Experiment(
    title="Bandwidth saturation",
    question="How many threads saturate the memory bandwidth, and what do more threads gain?",
    rate_unit="GB/s",
    rate_scale=1e9,
    sizes={"quick": _cases(128), "S": _cases(128, 512)},
    predictions=[
        Prediction(of="10-memory.avx2", formula="12 * length / figure('triad', level='memory')", within=1.2),
        Prediction(of="20-cache.avx2", formula="12 * length / figure('triad', level='L2')", within=1.2),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=8,
        symptoms=(
            "A loop is no faster with 16 threads than with 6.",
            "Two programs that run side by side each take longer, and share neither cores nor files.",
        ),
        placed={
            "nodes filled one after the other": {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"},
            "nodes filled alike": {"OMP_PLACES": "cores", "OMP_PROC_BIND": "spread"},
        },
    ),
)
