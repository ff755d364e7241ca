"""labs/transfer_overlap: how much of a transfer proceeds while its receiver works."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

CALLS = "cycles / 1000 * figure('message_overhead')"
WORK = "cycles / figure('clock', threads=1)"


def _cases(*kib: int) -> list[Case]:
    return [Case(f"{one} KiB", {"bytes": one << 10, "cycles": 2_000_000}, nominal=1, workers=(2,)) for one in kib]


experiment = Experiment(
    title="Overlap of transfer and work",
    question="How much of a transfer proceeds while its receiver computes?",
    rate_unit="k transfers/s",
    rate_scale=1e3,
    sizes={"quick": _cases(256, 4096), "S": _cases(1, 16, 64, 256, 1024, 4096)},
    predictions=[
        Prediction("20-no-help", "100 if bytes > 4096 else 0", within=1.5, figure="remaining_percent"),
        Prediction("30-test-calls", "100", within=1.5, figure="proceeded_percent"),
        # Whoever calls MPI copies: on one node the time of work and transfer is the same in both, but for the calls.
        Prediction("30-test-calls", f"1 + {CALLS} / ({WORK} + message(bytes))", over="20-no-help", within=1.5),
    ],
    lesson=Lesson(chapter="MPI", place=14, symptoms=("Non-blocking receives make a program no faster.",)),
)
