"""The bench's own commands, as benchmarks run them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from benchmarks.form import ROOT


def printed(benchmark: str, words: Sequence[str], *accepted: int) -> str:
    """Return what `rooftop WORDS` prints. Ends the program where its exit code is neither 0 nor accepted."""
    done = subprocess.run([str(ROOT / "rooftop"), *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, *accepted):
        sys.exit(f"{benchmark}: rooftop {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout
