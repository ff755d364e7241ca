"""The page of asynchronous reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from benchmarks.form import Asked
from benchmarks.h5_async.async_cases import QUESTIONED, SHARES
from benchmarks.h5_async.async_samples import ASKED, Computing, Program, Sample, Samples, Surroundings

TITLE = "HDF5 files while the program computes: asked and reached"
COMMAND = "h5_async --page"
_FORMS: dict[Computing, str] = {"sleep": "sleeping", "busy": "with a core busy"}
_NONE = "–"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def _middle(samples: Sequence[Sample], of: Callable[[Sample], float]) -> float | None:
    return median(map(of, samples)) if samples else None


def _ms(samples: Sequence[Sample]) -> str:
    found = _middle(samples, lambda one: one.wall_s)
    return _NONE if found is None else f"{1e3 * found:.0f} ms"


def _speed(rate: float | None) -> str:
    if rate is None:
        return _NONE
    return f"{rate / 1e9:.3g} GB/s" if rate < 1e11 else "above 100 GB/s"


def lines(samples: Samples) -> list[Asked]:
    """Return what was asked beside what was reached, for each case and form of computing."""
    found = []
    for case in samples.cases():
        for form, words in _FORMS.items():
            hidden = samples.hidden(case, "later", form)
            if hidden is None:
                continue
            what = f"{case}, computing {words}: I/O time hidden"
            reached = f"{hidden}, {len(hidden.shares)} blocks"
            found.append(Asked(what, f"at least {ASKED:.0%}", reached, hidden.met))
    return found


def _waited(samples: Sequence[Sample]) -> str:
    found = _middle(samples, lambda one: one.calls_s + one.waits_s)
    return _NONE if found is None else f"{1e3 * found:.0f} ms"


def _times(samples: Samples) -> str:
    rows = []
    for case in samples.cases():
        io = samples.of(case, "now")
        for form, words in _FORMS.items():
            now, later = samples.of(case, "now", form, 1.0), samples.of(case, "later", form, 1.0)
            rows.append(
                [
                    case,
                    f"{io[0].bytes / 2**20:.0f} MiB" if io else _NONE,
                    words,
                    _ms(io),
                    _ms(samples.of(case, "computing", form, 1.0)),
                    f"{_ms(now)}, {_waited(now)}",
                    f"{_ms(later)}, {_waited(later)}",
                    str(samples.hidden(case, "later", form) or _NONE),
                ]
            )
    head = ("case", "size", "computing", "I/O", "computes", "one after the other, waits", "overlapped, waits", "hidden")
    return _table(head, rows)


_OTHERS: dict[Program, str] = {
    "further": "the I/O thread, three steps ahead: four buffers",
    "prefetched": "its own thread reads, and has had the system fetch the step (`prefetch`) while it computed",
}


def _others(samples: Samples) -> str:
    """Return what other programs hide, where they were measured."""
    rows = []
    for case in samples.cases():
        for program, how in _OTHERS.items():
            for form, words in _FORMS.items():
                hidden = samples.hidden(case, program, form)
                if hidden is not None:
                    rows.append([case, how, words, f"{hidden}, {len(hidden.shares)} blocks"])
    return _table(("case", "by", "computing", "hidden"), rows) if rows else ""


def _rates(samples: Samples, case: str, form: Computing, share: float, programs: Sequence[Program]) -> list[list[str]]:
    """Return rows of h5bench's rates, those of the first program first."""
    rows = []
    base: list[float | None] = []
    for program in programs:
        runs = samples.of(case, program, form, share)
        if not runs:
            continue
        rates = [_middle(runs, of) for of in (lambda one: one.raw, lambda one: one.observed, lambda one: one.rate)]
        base = base or rates
        told = [
            f"{_speed(rate)}{'' if rate is None or not first or program == programs[0] else f' ({rate / first:.3g}×)'}"
            for rate, first in zip(rates, base, strict=True)
        ]
        computing = "none" if share == 0 else f"{share:g} of the I/O, {_FORMS[form]}"
        rows.append([case, computing, _WORDS[program], *told])
    return rows


_WORDS: dict[Program, str] = {
    "now": "waits in each call",
    "later": "by the I/O thread, waits for data",
    "unwaited": "by the I/O thread, waits as it closes",
}
_RATES_HEAD = ("case", "computing", "program", "raw", "observed", "whole time")


def _question(samples: Samples) -> str:
    plain: tuple[Program, ...] = ("now", "later", "unwaited")
    rows = _rates(samples, QUESTIONED, "none", 0.0, plain)
    for share in (*SHARES, 1.0):
        rows += _rates(samples, QUESTIONED, "sleep", share, ("now", "later"))
    return _table(_RATES_HEAD, rows)


def _all_rates(samples: Samples) -> str:
    both: tuple[Program, ...] = ("now", "later")
    rows = []
    for case in samples.cases():
        for form in _FORMS:
            rows += _rates(samples, case, form, 1.0, both)
    return _table(_RATES_HEAD, rows)


def _cold(samples: Samples, dropped: str) -> list[str]:
    told = []
    for case in samples.cases():
        runs = samples.of(case, "now")
        if "cold" in case and runs:
            share = median(one.device_bytes / one.bytes for one in runs)
            came = f"{share:.2f} bytes came from the device\nfor each that was asked for."
            told.append(f"*{case}*: {dropped} before each run; {came}")
    return told


def remarks(samples: Samples, around: Surroundings) -> list[str]:
    """Return what stands below the table of what was asked."""
    dates = sorted({one.on.isoformat() for one in samples.all})
    steps = samples.all[0].steps
    others = _others(samples)
    return [
        f"Samples of {' and '.join(dates)}. {_HOW.format(steps=steps)}",
        f"Meanwhile the hypervisor gave {around.stolen:.1%} of the processors' time to others, which is noise.",
        *_cold(samples, around.dropped),
        *(f"Left out: {line}" for line in around.skipped),
        "## Times",
        _times(samples),
        _TIMES.format(steps=steps, left=1 / steps),
        *([others] if others else []),
        "## Why h5bench's raw rate rises, and its observed rate does not",
        _DEFINITIONS,
        _question(samples),
        _ANSWER,
        "## The rates of all cases",
        _all_rates(samples),
    ]


_HOW = """\
A program reads or writes a dataset in {steps} steps, and computes after (before, where it writes) each. Overlapped,
the file's I/O thread does the next step meanwhile, into the second of two buffers (`read_later`, `write_later`).
The programs of a case run in blocks, each once, in an order drawn for each block, and every result is verified.
*Hidden* is the time that the overlapped program takes less than the one that does both one after the other, as a
share of the I/O alone, or of the computing alone where that took less: the median over blocks with its 95 %
interval, by the percentile bootstrap; *met* goes by the median. The computing lasts as long as the I/O did in the
middle of the runs before: by sleeping, as h5bench emulates it, or by products of short arrays, which keep a core
busy and leave the memory alone. The I/O takes as many threads beside the computing as alone: one, unless the case
says two. Files that are written go into the system's cache, not to the device."""

_TIMES = """\
*Waits*: in calls that read or write, and for requests. What keeps the share down:

- Of {steps} steps one has nothing to hide behind: {left:.1%} of the I/O time.
- With two buffers, a step that takes longer than the computing is waited for, and one that takes less gains
  nothing. From a device, steps take unequal times; `blocks(ahead=3)` lets quick ones make up for slow ones.
- The system reads ahead of a program by itself, also while that computes. Where the program that does one after the
  other waits for less than the I/O takes alone, so much was hidden already.
- Two threads of I/O and one that computes are three on two cores: what is the processors' work then takes at least
  1.5 times as long as either, and at most half of the I/O time is hidden.

More than 100 % is noise: the programs ran one after the other, and the machine was not as fast each time."""

_DEFINITIONS = """\
h5bench (`h5bench_read.c`, `h5bench_util.c`) divides the bytes by two times. Of the *raw* rate: the time that rank 0
spends in the calls that read, and waiting for the event set of the data. Of the *observed* rate: the time from
after the file was opened until it is closed, less the computing as it was configured. Here both are taken of
programs that read the same file in the same way, beside the rate of the whole time. In brackets: times the first
program's."""

_ANSWER = """\
Asynchronous calls return at once, so what is left of the raw time is what the program waits for data, and nothing
else. What is read while it waits elsewhere (for opening, for closing groups, datasets and the file, which h5bench
counts as metadata or not at all) has left the raw time and is still in the observed one: the third program without
computing shows that alone. What is read while it computes has left both. So the raw rate rises with whatever is not
waited for in the right place, and the observed rate only with what is hidden behind computing: by a factor of no
more than 1 / (1 - c), if computing lasts c times as long as the I/O, which is 1 without any and 1.11 at c = 0.1. A
raw rate that is 1.4 times as high says that 29 % of what was counted before is not counted now, if reading is no
faster. Neither rate is that of the device, and the whole time is what a user waits for. h5bench with HDF5's
asynchronous connector was not run for this page."""
