"""labs/huge_pages: accesses at random through pages of 4 KiB and of 2 MiB."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(mebibytes: int) -> Case:
    parameters = {"bytes": mebibytes << 20, "hops": 10_000}
    return Case(f"{mebibytes} MiB", parameters, nominal=10_000, workers=(1,))


experiment = Experiment(
    title="Huge pages and the TLB",
    question="What does a page-table walk add to the cost of a cache miss?",
    rate_unit="M hops/s",
    rate_scale=1e6,
    sizes={"quick": [_case(128)], "S": [_case(size) for size in (1, 8, 32, 128, 512, 2048)]},
    predictions=[
        Prediction(of="20-huge-pages", formula="hops * figure('latency', level='memory')", within=1.2),
        # The walk ends at an entry of the page table that is in the L3 cache: 8 bytes for 4096.
        Prediction(
            of="10-base-pages",
            over="20-huge-pages",
            formula="1 + figure('latency', level='L3') / figure('latency', level='memory')",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=9,
        symptoms=("Accesses at random become slower and slower the more memory they spread over.",),
    ),
)
