"""labs/io_delegation: output by the threads that compute, or by one more."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(cycles: int) -> Case:
    return Case(f"{cycles} cycles", {"steps": 8, "cycles": cycles, "device_us": 1000}, nominal=8)


# s of computing and of output in one step. With a thread that writes, the shorter of them shows once.
_BOTH = "cycles / figure('clock'), device_us / 1e6"

experiment = Experiment(
    title="Delegated output",
    question="What does a dedicated thread for output gain?",
    rate_unit="steps/s",
    rate_scale=1,
    sizes={"quick": [_case(3_000_000)], "S": [_case(300_000), _case(3_000_000), _case(30_000_000)]},
    predictions=[
        Prediction(
            of="10-each-writes",
            over="20-delegated",
            formula=f"steps * (cycles / figure('clock') + device_us / 1e6) / (steps * max({_BOTH}) + min({_BOTH}))",
            within=1.5,
        )
    ],
    lesson=Lesson(chapter="Input and output", place=3, symptoms=("All cores are idle whenever the program writes.",)),
)
