"""ant_colony: short tours of the travelling salesman problem, by ants."""

from rooftop.experiment import Case, Experiment


def case(cities: int, tours: int, layout: str = "uniform") -> Case:
    """Give an instance of so many cities, and how many tours are to be made."""
    return Case(
        name=f"{layout} {cities}, {tours} tours",
        parameters={"cities": cities, "tours": tours, "layout": layout},
        nominal=float(tours),
    )


experiment = Experiment(
    title="Travelling salesmen by ant colonies",
    question="How many tours a second, and how short ones, does the same idea give when strings become integers?",
    rate_unit="tours/s",
    rate_scale=1.0,
    precision="fp32",
    sizes={
        "quick": [case(100, 512), case(200, 512, "clustered")],
        "S": [case(100, 4096), case(500, 2048), case(500, 2048, "clustered")],
        "M": [case(100, 8192), case(1002, 4096), case(1002, 4096, "clustered"), case(2392, 2048)],
        "long": [case(1002, 8192)],
        "L": [case(1002, 1 << 16), case(2392, 1 << 14), case(10_000, 1 << 13)],
    },
    slow_limit_s=60.0,
)
