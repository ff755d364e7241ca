"""How a user's command is measured and checked: the options that every command about commands has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rooftop.cli.resume import ResumeCommand
from rooftop.climb.request import parse_budget
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.compare.options import Options

MetricOption = Annotated[str, typer.Option("--metric", help="wall, user, cpu, maxrss or instructions.")]
MetricRegexOption = Annotated[
    str | None, typer.Option("--metric-regex", metavar="RE", help="Compare the number that this finds in the output.")
]
BetterOption = Annotated[Literal["lower", "higher"], typer.Option("--better", help="Which way that number is better.")]
CheckOption = Annotated[
    str | None,
    typer.Option("--check", metavar="CMD", help="Judges the output on its standard input: exit code 0 is right."),
]
ExpectRegexOption = Annotated[str | None, typer.Option("--expect-regex", metavar="RE", help="What a right output has.")]
ExpectSameOutputOption = Annotated[
    bool,
    typer.Option(
        "--expect-same-output",
        help="All commands print the same; with =1e-6, numbers may differ by so much, relative.",
    ),
]
ToleranceOption = Annotated[str, typer.Option("--tolerance", hidden=True)]
IgnoreFailureOption = Annotated[
    bool, typer.Option("--ignore-failure", "-i", help="An exit code other than 0 is right too.")
]
WarmupOption = Annotated[int, typer.Option("--warmup", help="Untimed runs before the first timed one.")]
MaxPairsOption = Annotated[int, typer.Option("--max-pairs", help="Stop at so many pairs at the latest.")]
TimeoutOption = Annotated[str, typer.Option("--timeout", help="For one run, such as 10s; it is then ended.")]
MemoryLimitOption = Annotated[str | None, typer.Option("--memory-limit", help="For one run's processes, such as 2GiB.")]
OrderSeedOption = Annotated[int | None, typer.Option("--seed", help="Seed of the order; fresh by default.")]

_MOST_BYTES = 1 << 50
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_bytes(option: str, text: str) -> int:
    """Return the bytes that "512M" or "2GiB" mean. Raises Misuse."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text.lower())
    found = float(match[1]) * _BYTES[match[2]] if match is not None else 0.0
    if not 1 <= found <= _MOST_BYTES:
        raise Misuse(f"{option} is {text!r}, expected bytes such as 512M or 2GiB, at most {_MOST_BYTES >> 40}T")
    return int(found)


class HowCommand(ResumeCommand):
    """Takes --expect-same-output with a tolerance and without one, which the option parser cannot."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        spelled: list[str] = []
        for word in args[:own]:
            option, equals, value = word.partition("=")
            told = option == "--expect-same-output" and equals
            spelled += [option, "--tolerance", value] if told else [word]
        return super().parse_args(ctx, spelled + args[own:])


def parse_tolerance(text: str) -> float:
    """Return the relative tolerance that a text says. Raises Misuse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise Misuse(f"--expect-same-output is {text!r}, expected a relative tolerance from 0 to below 1")
    return value


def how_options(
    *,
    metric: str,
    metric_regex: str | None,
    better: Literal["lower", "higher"],
    check: str | None,
    expect_regex: str | None,
    expect_same_output: bool,
    tolerance: str,
    ignore_failure: bool,
    setup: list[str] | None,
    prepare: list[str] | None,
    cleanup: list[str] | None,
    warmup: int,
    budget: str,
    max_pairs: int,
    timeout: str,
    memory_limit: str | None,
    seed: int | None,
) -> Options:
    """Return these options as a comparison has them, its commands still to be named. Raises Misuse."""
    for name, value, least in (("--warmup", warmup, 0), ("--max-pairs", max_pairs, 1)):
        if value < least:
            raise Misuse(f"{name} is {value}, expected a whole number from {least}")
    if seed is not None and not 0 <= seed < 2**63:
        raise Misuse(f"--seed is {seed}, expected a whole number from 0 to 2^63 - 1")
    # It brings much with it: only those who measure commands pay for that.
    from rooftop.compare.options import Options

    return Options(
        commands=(),
        setups=tuple(setup or ()),
        prepares=tuple(prepare or ()),
        cleanups=tuple(cleanup or ()),
        metric=metric,
        metric_regex=metric_regex,
        better=better,
        ignore_failure=ignore_failure,
        check=check,
        expect_regex=expect_regex,
        same_output=parse_tolerance(tolerance) if expect_same_output else None,
        budget_s=parse_budget(budget),
        max_pairs=max_pairs,
        timeout_s=parse_budget(timeout, "--timeout"),
        memory_bytes=parse_bytes("--memory-limit", memory_limit) if memory_limit is not None else None,
        warmup=warmup,
        seed=seed,
    )
