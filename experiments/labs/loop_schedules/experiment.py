"""labs/loop_schedules: static, dynamic and guided schedules on even and on growing work."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, iterations: int, cycles: int, skewed: int) -> Case:
    return Case(name, {"iterations": iterations, "cycles": cycles, "skewed": skewed}, nominal=iterations)


# Cycles of an iteration with static shares, of which the last has the most work, and with balanced ones.
_STATIC = "cycles * (2 - 1 / threads if skewed else 1)"
# Handed out one by one: the counter's line comes from the core that asked last, and the line of the results from that
# which had the iteration before; the addition to the counter waits for the store of the last result. Each line goes
# round among all threads, which all wait for the two if they have little else to do.
_WAY = "figure('line_transfer') * figure('clock')"
_DYNAMIC = f"(cycles if threads == 1 else max(cycles + 2 * {_WAY}, 2 * threads * {_WAY}))"

experiment = Experiment(
    title="Schedules of a loop",
    question="Which loop schedule suits which work, and what does scheduling cost?",
    rate_unit="M iterations/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("growing", 1000, 5000, 1), _case("even and short", 4000, 100, 0)],
        "S": [_case("growing", 5000, 5000, 1), _case("even", 5000, 5000, 0), _case("even and short", 10_000, 100, 0)],
    },
    predictions=[
        Prediction(of="30-dynamic", over="10-static", formula=f"{_DYNAMIC} / ({_STATIC})"),
        Prediction(of="10-static", over="50-guided", formula=f"{_STATIC} / cycles", within=1.2),
        Prediction(of="10-static", over="20-static-1", formula=f"{_STATIC} / cycles", within=1.2),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=8,
        symptoms=(
            "Some threads finish a loop long before the others.",
            "A loop with schedule(dynamic) and a short body is slower than without threads.",
        ),
    ),
)
