"""labs/waiting: active and passive waiting, alone on a core and oversubscribed."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, rounds: int, per_core: int) -> Case:
    return Case(name, {"rounds": rounds, "per_core": per_core}, nominal=rounds)


experiment = Experiment(
    title="Active and passive waiting",
    question="What does waiting cost, with a core for each thread and with fewer cores?",
    rate_unit="k rounds/s",
    rate_scale=1e3,
    sizes={
        "quick": [_case("alone", 1000, 1), _case("two on a core", 4, 2)],
        "S": [_case("alone", 10_000, 1), _case("two on a core", 20, 2), _case("four on a core", 10, 4)],
    },
    predictions=[
        # Alone, a line goes from core to core, is read and taken, for each pass. Otherwise each second pass goes to a
        # thread on the same core, which gets it when the spinning one's time is over: at a tick of the clock, 4 ms.
        Prediction(
            of="10-spin",
            formula="rounds * threads * (figure('core_to_core') if per_core == 1 else (per_core - 1) * 4e-3)",
            within=2,
        ),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=4,
        symptoms=(
            "A program becomes many times slower when it has one thread more than cores, or a second program runs.",
            "All cores are at 100 % and nothing proceeds.",
        ),
    ),
)
