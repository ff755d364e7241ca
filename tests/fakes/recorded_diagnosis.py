"""A command that was recorded, diagnosed on recorded looks and replayed times."""

from __future__ import annotations

from dataclasses import dataclass, field

from recorded_looks import Acting, acted, flat
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.line import CommandLine, from_words
from rooftop.command.measurement import Measurement
from rooftop.command.process import Finished, Limits
from rooftop.diagnose.document import Pass
from rooftop.diagnose.observed import Observed
from rooftop.diagnose.options import Options
from rooftop.diagnose.run import Diagnosed, Diagnosing
from rooftop.driver.replay import Recording as Times
from rooftop.driver.replay import ReplayExecutor
from rooftop.observe.threads import Ground, scene
from rooftop.settings import Settings

DONE = Finished(elapsed_ns=2 * 10**9, user_s=4.0, system_s=0.0, max_rss_bytes=1, status=0)
APP = from_words(["./app"])
CROWD = [Acting([0, 1], [0, 1], runs=0.5, waits=0.5, openmp=True, pid=100) for _ in range(4)]
ALONE = [Acting([0], [0])]
SLOW, FAST = [3e7, 3.1e7, 2.9e7], [1e7, 1.1e7, 0.9e7]


@dataclass
class Recorded:
    """A command that was recorded."""

    acting: list[Acting]
    finished: Finished | None = DONE
    asked: list[str] = field(default_factory=list)

    def observe(self, command: CommandLine, limits: Limits) -> Observed:
        self.asked.append(command.text)
        recording = acted(self.acting, 100)
        return Observed(
            recording, Ground(scene(recording), flat(2)), self.finished, [Pass(name="threads", elapsed_s=2.0)]
        )


def look(
    settings: Settings,
    site: Recorded,
    times: dict[str, list[float]],
    options: Options,
    watching: Watching | None = None,
) -> Diagnosed:
    executor = ReplayExecutor({name: Times(each) for name, each in times.items()})
    return Diagnosing(Bench(settings, Place(), watching or Watching(), executor), site).look(APP, options)


def options(tries: tuple[str, ...] = (), commands: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> Options:
    how = Measurement(seed=3, max_pairs=20, budget_s=600)
    return Options(tries=tries, commands=commands, without=without, how=how)
