"""labs/eager_and_rendezvous: sends that wait for their receiver, by the message's size."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# Open MPI 4 hands over a message of at most 256 bytes at once, also without its receiver. A longer one, eager or
# not, counts as sent when the receiver's library has taken it, in a call: both ranks' work follows one another.
WAITING = "1 if bytes <= 256 else 2"


def _case(size: int) -> Case:
    name = f"{size} B" if size < 1024 else f"{size >> 10} KiB"
    return Case(name, {"bytes": size, "work_us": 500}, nominal=1, workers=(2,))


experiment = Experiment(
    title="Eager and rendezvous",
    question="When does a send wait for its receiver?",
    rate_unit="k exchanges/s",
    rate_scale=1e3,
    sizes={
        "quick": [_case(256), _case(1 << 10), _case(1 << 18)],
        "S": [_case(1 << doublings) for doublings in (3, 8, 9, 10, 12, 13, 15, 17, 18)],
    },
    predictions=[
        Prediction("10-late-receive", WAITING, over="40-non-blocking-send", within=1.5),
        Prediction("20-early-receive", WAITING, over="40-non-blocking-send", within=1.5),
        Prediction("30-test-calls", "1", over="40-non-blocking-send", within=1.5),
    ],
    lesson=Lesson(chapter="MPI", place=2, symptoms=("A program slows down when its messages become a little longer.",)),
)
