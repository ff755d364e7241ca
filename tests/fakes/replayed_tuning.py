"""Tunings on replayed times, of a space whose best is known."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended, run_campaign
from rooftop.command.measurement import Measurement
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.parameters.space import Configuration, label
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume
from rooftop.tune.document import TuneDocument
from rooftop.tune.options import Options
from rooftop.tune.run import KIND

OPTIONS = Options(
    words=("app", "{N}", "{mode}"),
    parameters=(("N", "param", tuple(range(16))), ("mode", "param", ("a", "b", "c"))),
    how=Measurement(seed=3, budget_s=60.0),
)


def bowl(configuration: Configuration) -> float:
    """Return milliseconds of a run: least at N=11 and mode b, twice as long at the default."""
    penalty = {"a": 0.3, "b": 0.0, "c": 0.15}[str(configuration["mode"])]
    return 40 * (1 + penalty + 0.005 * (float(configuration["N"]) - 11) ** 2)


def noisy(milliseconds: float, name: str, noise: float = 0.02, **more: Any) -> Recording:
    draws = np.random.default_rng(zlib.crc32(name.encode())).normal(0, noise, 499)
    return Recording([milliseconds * 1e6 * float(np.exp(draw)) for draw in draws], **{"untimed": 0, **more})


def recorded(options: Options, cost: Callable[[Configuration], float] = bowl) -> dict[str, Recording]:
    return {label(one): noisy(cost(one), label(one)) for one in options.space().configurations}


def tune(
    settings: Settings,
    recordings: dict[str, Recording],
    options: Options = OPTIONS,
    watching: Watching | None = None,
    *,
    resume: Resume | None = None,
) -> Ended[TuneDocument]:
    executor = ReplayExecutor(recordings)
    return run_campaign(Bench(settings, Place(), watching or Watching(), executor), KIND, options, resume=resume)
