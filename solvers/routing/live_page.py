"""A page that shows the best tour during the search and reloads itself in the browser."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.routing import Problem, Progress, Tour
from rooftop.solvers.routing.picture import write_page

EVERY_S = 1.0
_PART = 0.1  # maximum share of a core for drawing


class LivePage:
    """Draw the newest tour in a separate thread, so that the search does not wait. Enter it before the search."""

    def __init__(self, problem: Problem, seed: int, path: Path) -> None:
        """Prepare the page. The folder of `path` must exist."""
        self._problem, self._seed, self._path = problem, seed, path
        self._history: list[Progress] = []
        self._newest: Tour | None = None
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._draw_on, name="live page", daemon=True)

    def __enter__(self) -> LivePage:
        """Start drawing."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop drawing. Afterwards, the final page can be written to the same file."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def hear(self, progress: Progress) -> None:
        """Record progress for the plot of the length."""
        if not self._history or progress.length < self._history[-1].length:
            self._history.append(progress)

    def show(self, progress: Progress, order: NDArray[np.int32]) -> None:
        """Queue a tour for drawing, replacing one that has not been drawn yet."""
        self.hear(progress)
        tour = Tour(order, progress.length, progress.seconds, progress.iterations, tuple(self._history))
        with self._changed:
            self._newest = tour
            self._changed.notify()

    def _draw_on(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._newest is not None)
                tour, self._newest = self._newest, None
                if self._ended or tour is None:
                    return
            began_s = time.thread_time()
            try:
                write_page(self._problem, tour, self._seed, self._path, refresh_s=EVERY_S)
            except OSError:
                return  # writing the final page to the same file reports the error
            pause_s = max(EVERY_S, (time.thread_time() - began_s) / _PART)
            with self._changed:
                self._changed.wait_for(lambda: self._ended, pause_s)
