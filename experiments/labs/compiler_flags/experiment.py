"""labs/compiler_flags: one program by two compilers, with more and more that they can do."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

_CASES = [Case(one, {"compiler": one, "length": 1 << 16}, 3.0 * (1 << 16), workers=(1,)) for one in ("gcc", "clang")]
_CHAIN = "1e9 * figure('float_add_latency') * length / figure('clock')"  # an addition after the other

experiment = Experiment(
    title="Compilers and their flags",
    question="What do compiler flags gain, and why is a loop not vectorised?",
    rate_unit="M values/s",
    rate_scale=1e6,
    sizes={"quick": _CASES},
    predictions=[
        Prediction(of="20-o1", figure="sum_ns", formula=_CHAIN, within=1.2),
        Prediction(of="50-native", figure="sum_ns", formula=_CHAIN, within=1.2),
        Prediction(of="60-lto", figure="fold_ns", formula="1e9 * 6 * length / figure('clock')", within=1.2),
    ],
    lesson=Lesson(
        chapter="Core",
        place=5,
        symptoms=("A program is no faster with -O3 than with -O2, or than it was with an older compiler.",),
    ),
)
