"""labs/huge_pages: accesses at random through pages of 4 KiB and of 2 MiB."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(mebibytes: int) -> Case:
    parameters = {"bytes": mebibytes << 20, "hops": 10_000}
    return Case(f"{mebibytes} MiB", parameters, nominal=10_000, workers=(1,))


_MEMORY = "figure('latency', level='memory')"
_BY = f"1 + {{}} * figure('latency', level='{{}}') / {_MEMORY}"
_NEAREST = "figure('latency', level='L3' if bytes <= cache('L3') else 'memory')"

experiment = Experiment(
    title="Huge pages and the TLB",
    question="What does a page-table walk add to the cost of a cache miss?",
    rate_unit="M hops/s",
    rate_scale=1e6,
    sizes={"quick": [_case(128)], "S": [_case(size) for size in (1, 8, 32, 128, 512, 2048)]},
    predictions=[
        Prediction("20-huge-pages", f"hops * {_NEAREST}", up_to=f"hops * {_MEMORY}", within=1.2),
        # The walk ends at an entry in L2 at best, or at one of the guest's and one of the host's tables, both in L3.
        Prediction("10-base-pages", _BY.format(1, "L2"), over="20-huge-pages", up_to=_BY.format(2, "L3"), within=1.2),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=9,
        symptoms=("Accesses at random become slower and slower the more memory they spread over.",),
    ),
)
