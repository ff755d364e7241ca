"""The options of a job on a command line, and campaigns that are measured in one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from rooftop.command.option import declared
from rooftop.schedulers.options import JobOptions
from rooftop.terminal.output import messages, print_document, say
from rooftop.terminal.resume import names_campaign

if TYPE_CHECKING:
    from rooftop.campaign.bench import Bench
    from rooftop.campaign.kind import Kind
    from rooftop.campaign.run import Ended
    from rooftop.schedulers.asking import State
    from rooftop.schedulers.job import Job
    from rooftop.store.interrupted import Resume

SAID = "rooftop.said"  # where a context keeps the words of the command line
ASKED = "rooftop.job"  # and the options of the job


def without_job(said: Sequence[str], taking: Mapping[str, int], resumed: str | None) -> list[str]:
    """Return the words of a command line as they are said in the job: without its options, and without --store.

    taking   how many words each option takes as its value
    resumed  the campaign that it goes on with, in the place of what --resume names
    """
    own = {name for one in declared(JobOptions) for name in one.option.names}
    return [
        *([f"--resume={resumed}"] if resumed is not None else []),
        *_without(said, own | {"--resume", "--store"}, taking),
    ]


def _without(words: Sequence[str], left_out: Collection[str], taking: Mapping[str, int]) -> Iterator[str]:
    """Yield words without options and their values. What follows another option as its value is left as it is.

    Words behind ``--`` are no options.
    """
    rest = iter(enumerate(words))
    for place, word in rest:
        if word == "--":
            yield from words[place:]
            return
        name, equals, _ = word.partition("=")
        values = 0 if equals else taking.get(word, 0)
        if word == "--resume":
            values = int(place + 1 < len(words) and names_campaign(words[place + 1]))
        kept = name not in left_out
        if kept:
            yield word
        for _ in range(values):
            if (following := next(rest, None)) is not None and kept:
                yield following[1]


class _Watch:
    """Print each new state of a job; on a terminal with a spinner, since nothing is measured here meanwhile."""

    def __init__(self, console: Console, job: Job, status: Any) -> None:
        self._console, self._job, self._status = console, job, status
        self._before = ""

    def __call__(self, state: State, word: str) -> None:
        from rooftop.schedulers.asking import in_words

        told = f"job {self._job.record.native} of {self._job.record.on} is {in_words(state, word)}"
        if self._status is not None:
            self._status.update(told)
        elif told != self._before and state != "ended":
            say(self._console, told)
        self._before = told


@contextmanager
def watched(job: Job) -> Iterator[_Watch]:
    """Yield what shows the state of a job that is awaited."""
    console = messages()
    shown = console.status("") if console.is_terminal else nullcontext()
    with shown as status:
        yield _Watch(console, job, status)


def measured_in_job(
    options: JobOptions,
    bench: Bench,
    kind: Kind[Any, Any],
    request: Any,
    resume: Resume | None,
    context: typer.Context,
    taking: Mapping[str, int],
) -> Ended[Any]:
    """Measure a campaign in a job, or go on with one there; see `measured`.

    Raises typer.Exit where the job is submitted only, and KeyboardInterrupt where nobody waits for its end.
    """
    from rooftop.schedulers.run import awaited, collected_campaign, goes_on, submitted

    job = submitted(
        bench, kind, request, options, lambda campaign: without_job(context.meta[SAID], taking, campaign), resume
    )
    record = job.record
    later = f"'rooftop collect {record.id}' brings what it has measured"
    if options.submit_only:
        if context.params.get("as_json"):
            print_document(record)
        else:
            say(messages(), f"submitted job {record.native} of {record.on}: {later}")
        raise typer.Exit
    say(messages(), f"submitted job {record.native} of {record.on}, in {job.folder}")
    try:
        with watched(job) as watch:
            word = awaited(job, watch)
    except KeyboardInterrupt:
        say(messages(), goes_on(job))
        raise
    return collected_campaign(bench, kind, job, word)
