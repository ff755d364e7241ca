"""labs/message_times: what a message takes, by its size."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, size: int, messages: int) -> Case:
    return Case(name, {"bytes": size, "messages": messages}, nominal=size * messages, workers=(2,))


experiment = Experiment(
    title="The time of a message",
    question="How long does a message take, depending on its size?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("8 B", 8, 200), _case("1 MiB", 1 << 20, 4)],
        "S": [_case(f"{size} B", size, max(4, min(200, 4194304 // size))) for size in (8, 256, 4096, 65536, 1 << 20)],
    },
    predictions=[
        Prediction("10-ping-pong", "2 * messages * message(bytes)", within=1.5),
        Prediction("30-both-ways", "exchange(bytes) / (2 * message(bytes))", over="10-ping-pong", within=1.5),
        Prediction("40-model", "1e9 * message(1)", figure="half_round_trip_ns", within=1.5),
        Prediction("40-model", "1e9 * figure('message_gap')", figure="gap_ns", within=1.5),
    ],
    lesson=Lesson(chapter="MPI", place=1, symptoms=("Many short messages take longer than their bytes in one.",)),
)
