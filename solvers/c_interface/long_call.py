"""Long-running solver calls that signals, callbacks and interpreter exit can interrupt.

Such a call runs in a thread of its own, while the thread that asked for it waits in Python. There signal handlers run
at once, and so do callbacks: what either of them raises, KeyboardInterrupt above all, is raised where the caller
stands. Raised in a callback that C calls it would be lost.

A call that is known to be brief needs no such thread. To hand it over and to wait for its end takes some 20 µs.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from rooftop.solvers.c_interface import calls_in_progress, kept_threads
from rooftop.solvers.running.stop import Stop, StopFlag

_LOOK_S = 0.5  # a signal that comes to another thread wakes nobody

_Result = TypeVar("_Result")
Question = Callable[[], int]


class LongCall:
    """One call. Its C function looks at `flag`, and its callbacks `ask`."""

    def __init__(self, stop: Stop | None = None) -> None:
        """Prepare a call that `stop` ends, too."""
        self.flag = StopFlag()
        self._stop = stop
        self._given_up = False

    def ask(self, question: Question) -> int:
        """Let the thread that waits for the call answer a question, from within the call; 0 when nobody listens."""
        if self._given_up:
            return 0
        self._questions.put(question)
        return self._answers.get()

    def give_up(self) -> None:
        """End the call soon, and answer what it asks with 0."""
        self.flag.set()
        self._given_up = True
        self._answers.put(0)

    def run_briefly(self, body: Callable[[], _Result]) -> _Result:
        """Return what `body` does, which ends within a tenth of a second and asks nothing. Signals wait for its end."""
        if self._stop is None:
            return body()
        with self._stop.telling(self.flag.set):
            return body()

    def run(self, body: Callable[[], _Result]) -> _Result:
        """Return what `body` does, which calls the C function and is all that touches it."""
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._begun = threading.Lock()  # taken by the thread, or by who does not want it to begin any more
        self._ended = threading.Event()
        stop = self._stop or Stop()
        outcome: list[_Result] = []
        errors: list[BaseException] = []
        # What the body owns, a file perhaps, goes with the call, and not when the thread has ended some time later.
        bodies = [body]
        del body

        def work() -> None:
            if not self._begun.acquire(blocking=False):
                return
            own = bodies.pop()
            try:
                outcome.append(own())
            except BaseException as error:
                errors.append(error)
            finally:
                del own
                calls_in_progress.end(self)
                self._ended.set()
                self._questions.put(None)

        try:
            with stop.telling(self.flag.set):
                calls_in_progress.begin(self)
                kept_threads.start(work)
                self._answer()
        except BaseException:
            self.give_up()
            if self._begun.acquire(blocking=False):  # it has not begun, and will not
                calls_in_progress.end(self)
            else:
                self._ended.wait()
            raise
        # An error in a variable of a frame that it went through would hold all of them until garbage is collected.
        if errors:
            raise errors.pop()
        return outcome.pop()

    def _answer(self) -> None:
        while True:
            try:
                question = self._questions.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            if question is None:
                return
            self._answers.put(question())


def goes_on(answer: Any) -> bool:
    """Return whether a callback's answer continues the search: None or any true value does."""
    return answer is None or bool(answer)
