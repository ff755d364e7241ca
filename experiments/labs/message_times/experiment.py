"""labs/message_times: what a message takes, by its size."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# A line with data and one that tells of it, from core to core; then the bytes, read and written.
MESSAGE = "(2 * figure('core_to_core') + 2 * bytes / figure('copy', level='L3', threads=1))"


def _case(name: str, size: int, messages: int) -> Case:
    return Case(name, {"bytes": size, "messages": messages}, nominal=size * messages, workers=(2,))


experiment = Experiment(
    title="The time of a message",
    question="What does a message take, by its size?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("8 B", 8, 200), _case("1 MiB", 1 << 20, 4)],
        "S": [_case(f"{size} B", size, max(4, min(200, 4194304 // size))) for size in (8, 256, 4096, 65536, 1 << 20)],
    },
    predictions=[
        Prediction("10-ping-pong", f"2 * messages * {MESSAGE}", within=1.5),
        Prediction("30-both-ways", "1 / 2", over="10-ping-pong", within=1.5),
        Prediction("40-model", "2e9 * figure('core_to_core')", figure="half_round_trip_ns", within=1.5),
    ],
    lesson=Lesson(chapter="MPI", place=1, symptoms=("Many short messages take longer than their bytes in one.",)),
)
