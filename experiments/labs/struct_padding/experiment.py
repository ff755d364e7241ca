"""labs/struct_padding: the same members in 32, 24 and 21 bytes."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, structs: int) -> Case:
    return Case(name, {"structs": structs}, nominal=structs, workers=(1,))


experiment = Experiment(
    title="The padding of a struct",
    question="What does padding in a structure cost?",
    rate_unit="M structs/s",
    rate_scale=1e6,
    sizes={"quick": [_case("memory", 4_000_000)], "S": [_case("L1", 500), _case("memory", 4_000_000)]},
    predictions=[
        Prediction(
            of="10-padded", over="20-sorted", formula="32 / 24 if structs * 24 > cache('L2') else 1", within=1.2
        ),
        Prediction(
            of="20-sorted", over="30-packed", formula="24 / 21 if structs * 21 > cache('L2') else 1", within=1.2
        ),
        Prediction(
            of="10-padded",
            formula="structs * 32 / figure('read', level='L3' if structs * 32 <= cache('L3') else 'memory')",
            up_to="structs * 32 / figure('read', level='memory')",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=5,
        symptoms=("An array of structs takes more memory than its members add up to.",),
        course={"24 or 32 bytes": "1.33x"},
    ),
)
