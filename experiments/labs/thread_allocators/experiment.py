"""labs/thread_allocators: blocks from the system, from common and own arenas, and from malloc."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(blocks: int, size: int) -> Case:
    return Case(f"{size} B", {"blocks": blocks, "bytes": size}, nominal=blocks)


experiment = Experiment(
    title="Allocators under threads",
    question="Which allocator should threads use?",
    rate_unit="M blocks/s per thread",
    rate_scale=1e6,
    sizes={"quick": [_case(64, 65536)], "S": [_case(64, 65536), _case(2000, 64)]},
    predictions=[Prediction(of="10-system", figure="touch_ns", formula="1e9 * figure('page_fault')")],
    lesson=Lesson(
        chapter="Threads", place=10, symptoms=("A profile shows page faults, mmap or malloc in all threads.",)
    ),
)
