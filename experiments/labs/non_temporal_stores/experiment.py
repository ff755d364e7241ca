"""labs/non_temporal_stores: stores past the caches, to memory and to data that were in a cache."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(level: str, size: int) -> Case:
    return Case(level, {"level": level, "bytes": size}, nominal=size, workers=(1,))


experiment = Experiment(
    title="Non-temporal stores",
    question="When do stores that bypass the caches pay off?",
    rate_unit="GB/s stored",
    rate_scale=1e9,
    sizes={
        "quick": [_case("L2", 92_160), _case("memory", 67_108_864)],
        "S": [_case("L1", 8192), _case("L2", 92_160), _case("L3", 2_965_504), _case("memory", 268_435_456)],
    },
    predictions=[
        # In a cache, a store past it goes to memory all the same.
        Prediction(
            of="10-copy.avx2",
            over="20-copy-non-temporal.avx2",
            formula=(
                "figure('copy_nontemporal', level='memory') / figure('copy', level='memory') if level == 'memory'"
                " else 2 * figure('write_nontemporal', level='memory') / figure('copy', level=level)"
            ),
            within=1.2,
        ),
        Prediction(
            of="30-fill.avx2",
            over="40-fill-non-temporal.avx2",
            formula="figure('write_nontemporal', level='memory') / figure('write', level=level)",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=13,
        symptoms=("A copy of large arrays reaches two thirds of the bandwidth that a read does.",),
    ),
)
