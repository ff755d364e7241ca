"""labs/structure_of_arrays: three layouts, and two access patterns that ask for different ones."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, records: int, random: int) -> Case:
    parameters = {"records": records, "random": random}
    return Case(name, parameters, nominal=records / (4 if random else 1), workers=(1,))


experiment = Experiment(
    title="Array of structures, structure of arrays",
    question="Which data layout suits a scan of all records, and which suits random access to a few?",
    rate_unit="M records/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("in order", 2_000_000, 0), _case("at random", 4_000_000, 1)],
        "S": [_case("in order", 8_000_000, 0), _case("at random", 8_000_000, 1), _case("in L2", 2000, 0)],
    },
    predictions=[
        # In order: 64, 32 and 16 bytes a record, prefetched. At random: 1, 1 and 4 lines.
        Prediction(
            of="10-array-of-structures",
            over="30-structure-of-arrays",
            formula="1 / 4 if random == 1 else 64 / 16",
            within=1.5,
        ),
        Prediction(
            of="20-small-structures",
            over="30-structure-of-arrays",
            formula="1 / 4 if random == 1 else 32 / 16",
            within=1.5,
        ),
    ],
    lesson=Lesson(
        chapter="Memory",
        place=6,
        symptoms=(
            "A loop that uses two members of a structure is as slow as one that uses all.",
            "A program became slower when its structure was split into arrays.",
        ),
    ),
)
