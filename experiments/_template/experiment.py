"""_template: the dot product of two vectors."""

from rooftop.ladder.experiment import Case, Experiment


def _cases(*lengths: int) -> list[Case]:
    return [Case(name=f"n={n}", parameters={"n": n}, nominal=2.0 * n) for n in lengths]


experiment = Experiment(
    title="Dot product of two vectors of doubles",
    question="What does a sum wait for: the addition before it, or its data?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    precision="fp64",
    sizes={
        "quick": _cases(1 << 10, 1 << 20),
        "S": _cases(1 << 10, 1 << 15),
        "M": lambda: _cases(*(1 << k for k in range(8, 22, 2))),
        "L": lambda: _cases(*(1 << k for k in range(8, 28, 2))),
    },
)
