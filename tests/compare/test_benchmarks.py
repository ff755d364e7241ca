"""Programs of Google Benchmark compared per benchmark, on replayed times."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended
from rooftop.compare.document import Benchmark, CompareDocument
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.launchers.team import Team
from rooftop.measure.compare import LEVEL
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume

TWO = Options(
    commands=((("old",), "old"), (("new",), "new")), google_benchmark=True, seed=7, budget_s=1e4, max_pairs=120
)
FAKE = Path(__file__).parents[1] / "fakes" / "fake_google_benchmark.py"


class Programs(ReplayExecutor):
    """Replays programs of many benchmarks: each has its own time and noise, and all share the drift of a run."""

    def __init__(self, programs: Mapping[str, Mapping[str, float]], noise: float, seed: int = 0) -> None:
        super().__init__({name: Recording([50e6]) for name in programs})
        self._programs = programs
        self._noise = noise
        self._rng = np.random.default_rng(seed)

    def start(self, module: Any, team: Team) -> Any:
        driver = super().start(module, team)
        take = driver.sample

        def sample(iterations: int, limit_s: float) -> Any:
            reply = take(iterations, limit_s)
            figures = {
                f"real_time:{name}": seconds * float(np.exp(self._rng.normal(0, self._noise)))
                for name, seconds in self._programs[module.name].items()
            }
            return reply.model_copy(update={"figures": figures})

        driver.sample = sample  # type: ignore[method-assign]
        return driver


def compare(
    settings: Settings,
    programs: Mapping[str, Mapping[str, float]],
    noise: float = 0.02,
    options: Options = TWO,
    watching: Watching | None = None,
    *,
    resume: Resume | None = None,
    seed: int = 0,
) -> Ended[CompareDocument]:
    bench = Bench(settings, Place(), watching or Watching(), Programs(programs, noise, seed))
    return Comparing(bench).compare(options, resume=resume)


def by_name(document: CompareDocument) -> dict[str, Benchmark]:
    assert document.benchmarks is not None
    return {one.name: one for one in document.benchmarks}


def test_every_common_benchmark_has_its_verdict(settings: Settings) -> None:
    old = {"BM_a/8": 1e-6, 'BM_b<"x">/16': 1e-3, "BM_c": 2e-9, "BM_gone": 1.0}
    new = {"BM_a/8": 0.8e-6, 'BM_b<"x">/16': 1.2e-3, "BM_c": 2e-9, "BM_fresh": 1.0}
    document = compare(settings, {"old": old, "new": new}).document
    found = by_name(document)
    assert list(found) == [*old, "BM_fresh"]
    told = {name: (one.comparisons[0].verdict, one.comparisons[0].claimed) for name, one in list(found.items())[:3]}
    assert told == {
        "BM_a/8": ("faster", True),
        'BM_b<"x">/16': ("slower", True),
        "BM_c": ("not resolved", False),
    }
    for name, where in (("BM_gone", "old"), ("BM_fresh", "new")):
        assert [time.command for time in found[name].times] == [where]
        assert found[name].comparisons == []
    assert found["BM_a/8"].times[0].median == pytest.approx(1e-6, rel=0.02)
    assert len({one.floor for one in list(found.values())[:3]}) == 3  # each its own
    # Over all: the geometric mean of the ratios 1.25, 1/1.2 and 1; what one program alone has is left out.
    assert document.ratio == pytest.approx((1.25 / 1.2) ** (1 / 3), rel=0.01)
    assert document.commands[0].median == pytest.approx(math.exp(math.log(1e-6 * 1e-3 * 2e-9) / 3), rel=0.02)
    assert document.metric == "geometric mean of real_time"
    assert document.stopped == "resolved"
    assert CompareDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


def test_sampling_goes_on_until_every_benchmark_is_sharp(settings: Settings) -> None:
    many = {f"BM_{k}": 1e-6 for k in range(40)}
    document = compare(settings, {"old": many, "new": dict.fromkeys(many, 2e-06)}).document
    # Forty unanimous votes of six would not stand after correction: ten pairs and more are taken.
    assert document.pairs is not None
    assert document.pairs >= 11
    assert document.stopped == "resolved"
    for one in by_name(document).values():
        assert one.comparisons[0].claimed
        assert math.log(one.comparisons[0].hi / one.comparisons[0].lo) / 2 <= 0.1 * math.log(2) + 1e-9


def test_few_pairs_of_many_benchmarks_are_not_claimed(settings: Settings) -> None:
    many = {f"BM_{k}": 1e-6 for k in range(40)}
    options = replace(TWO, max_pairs=6)
    document = compare(settings, {"old": many, "new": dict.fromkeys(many, 2e-06)}, options=options).document
    for one in by_name(document).values():
        only = one.comparisons[0]
        assert (only.verdict, only.claimed) == ("slower", False)
        assert only.p <= LEVEL < only.corrected_p
        assert "at least 11 pairs" in only.advice
    assert document.verdict == "slower"  # the geometric mean is one verdict, and needs no correction


def test_among_many_equal_benchmarks_almost_nothing_is_claimed(settings: Settings) -> None:
    # Without correction, a sign test calls up to one in twenty equal benchmarks.
    equal = {f"BM_{k}": 1e-6 for k in range(40)}
    called = claimed = 0
    for seed in range(2):
        options = replace(TWO, seed=seed, max_pairs=17)
        document = compare(settings, {"old": equal, "new": equal}, 0.05, options, seed=seed).document
        only = [one.comparisons[0] for one in by_name(document).values()]
        called += sum(one.lo > 1 or one.hi < 1 for one in only)
        claimed += sum(one.claimed for one in only)
    assert called >= 2
    assert claimed == 0


def test_interrupted_it_tells_what_is_known_and_goes_on(settings: Settings) -> None:
    programs = {"old": {"BM_a": 1e-6}, "new": {"BM_a": 0.9e-6}}
    first = compare(settings, programs, watching=Watching("block 5"))
    assert first.interrupted
    assert by_name(first.document)["BM_a"].comparisons[0].pairs == 4
    second = compare(settings, programs, options=replace(TWO, commands=()), resume=Resume())
    kept = [sample.figures for sample in first.document.commands[0].samples]
    assert [sample.figures for sample in second.document.commands[0].samples][: len(kept)] == kept
    assert by_name(second.document)["BM_a"].comparisons[0].claimed


def test_programs_with_nothing_in_common(settings: Settings) -> None:
    document = compare(settings, {"old": {"BM_a": 1e-6}, "new": {"BM_b": 1e-6}}, options=replace(TWO, max_pairs=9))
    assert document.document.comparisons == []
    assert document.document.verdict is None
    assert [one.comparisons for one in by_name(document.document).values()] == [[], []]


def test_three_programs(settings: Settings) -> None:
    options = replace(TWO, commands=tuple(((name,), name) for name in "abc"))
    programs = {"a": {"x": 1.0, "y": 1.0}, "b": {"x": 0.5, "y": 1.0}, "c": {"x": 0.25}}
    document = compare(settings, programs, options=options).document
    told = {
        (name, one.subject, one.against): one.verdict
        for name, benchmark in by_name(document).items()
        for one in benchmark.comparisons
        if one.claimed
    }
    assert told == {("x", "b", "a"): "faster", ("x", "c", "a"): "faster", ("x", "c", "b"): "faster"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (replace(TWO, metric="maxrss"), "expected wall or cpu with --google-benchmark"),
        (replace(TWO, metric_regex="x"), "both given"),
        (replace(TWO, same_output=0.0), "--expect-same-output cannot hold"),
        (replace(TWO, commands=((("a", "--benchmark_out=x"), "a"), (("b",), "b"))), "asks for the results itself"),
    ],
)
def test_misuse_writes_nothing(options: Options, told: str, settings: Settings) -> None:
    with pytest.raises(Misuse, match=told):
        compare(settings, {}, options=options)
    assert not settings.home_folder.exists()


# --- processes --------------------------------------------------------------------------------------------------------
