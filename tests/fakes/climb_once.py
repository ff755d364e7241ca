"""A climb over a fake experiment as a process of its own, for tests that kill it: climb_once.py ROOT [--resume]."""

from __future__ import annotations

import sys
from pathlib import Path

from still_machine import StillMachine

from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.driver.process import ProcessExecutor
from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume

if __name__ == "__main__":
    root = Path(sys.argv[1])
    settings = Settings(root=root, build=root / "build", home=root / "home")
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    request = Request(seed=5, budget_s=60.0)
    try:
        ended = climbing.climb(request, resume=Resume() if "--resume" in sys.argv else None)
    except Misuse as error:
        if "there is no interrupted" not in str(error):
            raise
        # It was killed before its campaign began.
        ended = climbing.climb(request)
    print(ended.document.campaign)
