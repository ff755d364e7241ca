"""labs/cache_blocking: a stencil in orders that use what is in the cache."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, rows: int, columns: int, block: int, steps: int) -> Case:
    given = {"rows": rows, "columns": columns, "block": block, "steps": steps}
    return Case(name, given, rows * columns * steps, workers=(1,))


_FIT = "16 * rows * columns <= cache('L3')"  # both grids may be there all the time
_COPY, _READ = "16 / figure('copy', level={})", "16 / figure('read', level='{}')"
# Seconds of a point. A row is copied; two more are read, from memory, from L3 or from L2; those at the edges are not.
_WHOLE = f"({_COPY} + {_READ})".format("'memory'", "memory")
_BLOCKS = f"({_COPY} + {_READ} / rows + {_READ})".format("'memory'", "memory", "L3")
_GAIN = f"({_WHOLE} / {_BLOCKS} if steps == 1 else 1)"
# Short rows: every step in memory or in L3, or the first there and the others in L2.
_FAR, _NEAR = (f"({_COPY.format(level)} + {_READ.format('L2')})" for level in (f"'L3' if {_FIT} else 'memory'", "'L2'"))
_FOLLOWED = f"(steps * {_FAR} / ({_FAR} + (steps - 1) * {_NEAR}))"

experiment = Experiment(
    title="Cache blocking of a stencil",
    question="What does a stencil gain if each number is read from memory only once?",
    rate_unit="M points/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={
        "quick": [_case("long rows", 4, 1_400_000, 131_072, 1), _case("short rows", 1200, 2128, 1064, 4)],
        "S": [_case(f"block {block}", 4, 1_400_000, block, 1) for block in (64, 512, 4096, 16_384, 131_072)],
    },
    predictions=[
        Prediction("10-whole-rows", f"1 if {_FIT} else {_GAIN}", over="20-blocks", within=1.2, up_to=_GAIN),
        Prediction("30-z-order", "1", over="20-blocks", within=1.2),
        Prediction("10-whole-rows", f"1 if {_FIT} else {_FOLLOWED}", over="40-wavefront", within=1.2, up_to=_FOLLOWED),
    ],
    lesson=Lesson("Memory", 7, ["An iteration over a large grid takes as long with more arithmetic per point."]),
)
