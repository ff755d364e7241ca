"""labs/page_faults: what the first touch of memory costs."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(pages: int) -> Case:
    return Case(f"{pages} pages", {"pages": pages}, nominal=pages, workers=(1, 2))


experiment = Experiment(
    title="Page faults at the first touch",
    question="What does the first access to memory cost, and what do later ones?",
    rate_unit="M pages/s",
    rate_scale=1e6,
    sizes={"quick": [_case(4096)], "S": [_case(1024), _case(4096), _case(65_536)]},
    predictions=[
        Prediction(of="10-first-touch", formula="pages / threads * figure('page_fault')", within=1.5),
        Prediction(of="10-first-touch", figure="faults", formula="pages", within=1.05),
        Prediction(
            of="10-first-touch",
            over="20-huge-pages",
            formula="figure('first_touch') / figure('first_touch_huge')",
            within=1.5,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=8,
        symptoms=(
            "The first run of a loop is many times slower than the next.",
            "A program spends its time in the kernel although it calls nothing but malloc.",
        ),
    ),
)
