"""labs/atomic_increments: one addition by each kind of atomic instruction."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*cycles: int) -> list[Case]:
    return [Case(f"{one} cycles", {"increments": 5000, "cycles": one}, nominal=5000, workers=(1, 2)) for one in cycles]


# Cycles that a line takes from core to core once; the probe's two threads read it and then take it.
_WAY = "figure('core_to_core') / 2 * figure('clock')"

experiment = Experiment(
    title="Atomic increments",
    question="What does an atomic increment cost, and does the choice of instruction matter?",
    rate_unit="M increments/s per thread",
    rate_scale=1e6,
    sizes={"quick": _cases(300), "S": _cases(0, 300, 3000)},
    predictions=[
        # 18 cycles: a locked instruction whose line is in L1 (Fog, instruction tables, LOCK ADD of Skylake).
        Prediction(
            of="10-exchange-add",
            formula=f"increments * (cycles + 18 + (0 if threads == 1 else {_WAY})) / figure('clock')",
            within=1.5,
        ),
        Prediction(
            of="30-compare-and-swap",
            over="10-exchange-add",
            formula=f"1 if threads == 1 else (cycles + 18 + 2 * {_WAY}) / (cycles + 18 + {_WAY})",
            within=1.5,
        ),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=5,
        symptoms=("A counter that all threads increment makes the program slower the more of them there are.",),
        course={"exchange-add, add-fetch and compare-and-swap": "0.23, 0.21 and 0.73 s"},
        corrects="An atomic is not one cycle: 18 alone (Skylake), hundreds if another core has the line. Armv8.1 has "
        "compare-and-swap (CAS) and additions (LDADD) beside load-exclusive and store-exclusive (LSE).",
    ),
)
