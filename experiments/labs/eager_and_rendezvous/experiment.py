"""labs/eager_and_rendezvous: sends that wait for their receiver, by the message's size."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# Up to 4 KiB a message is sent eagerly within a node: btl_vader_eager_limit of Open MPI 4 (MPICH's limit is higher).
# Beyond, both ranks' work follows one another.
WAITING = "1 if bytes < 4096 else 2"


def _case(name: str, size: int) -> Case:
    return Case(name, {"bytes": size, "work_us": 500}, nominal=1, workers=(2,))


experiment = Experiment(
    title="Eager and rendezvous",
    question="When does a send wait for its receiver?",
    rate_unit="k exchanges/s",
    rate_scale=1e3,
    sizes={
        "quick": [_case("1 KiB", 1 << 10), _case("256 KiB", 1 << 18)],
        "S": [_case(f"{kib} KiB", kib << 10) for kib in (1, 2, 8, 32, 128, 256)],
    },
    predictions=[
        Prediction("10-late-receive", WAITING, over="40-non-blocking-send", within=1.5),
        Prediction("20-early-receive", WAITING, over="40-non-blocking-send", within=1.5),
        Prediction("30-test-calls", "1", over="40-non-blocking-send", within=1.5),
    ],
    lesson=Lesson(chapter="MPI", place=2, symptoms=("A program slows down when its messages become a little longer.",)),
)
