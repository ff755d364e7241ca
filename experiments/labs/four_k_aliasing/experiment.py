"""labs/four_k_aliasing: loads that resemble earlier stores in the last twelve bits of their addresses."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(count: int, passes: int) -> Case:
    return Case(f"{count}", {"count": count, "passes": passes}, nominal=count * passes, workers=(1,))


# Cycles of an element: a store, or what each element of a chain of falsely dependent loads takes.
_CHAIN = "figure('latency', level='L1') * figure('clock')"

experiment = Experiment(
    title="4K aliasing",
    question="What does a load cost if its address agrees with an earlier store's in the last twelve bits only?",
    rate_unit="G numbers/s",
    rate_scale=1e9,
    sizes={"quick": [_case(1000, 200)], "S": [_case(200, 1000), _case(1000, 200), _case(10_000, 20)]},
    predictions=[
        # From a core whose loads do not wait to one whose loads wait for the store before them.
        Prediction(
            of="10-8-bytes-ahead", over="30-2048-bytes-ahead", formula="1", up_to=f"max(1, {_CHAIN})", within=1.5
        ),
        Prediction(
            of="20-64-bytes-ahead", over="30-2048-bytes-ahead", formula="1", up_to=f"max(1, {_CHAIN} / 8)", within=1.2
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=12,
        symptoms=(
            "A copy in the cache is slow for some distances between its arrays, and fast a line further.",
            "Arrays that are allocated page by page make a loop slower than one block does.",
        ),
    ),
)
