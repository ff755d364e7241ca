"""A program that writes recorded results as one of Google Benchmark does: python fake_google_benchmark.py FILE SCALE.

FILE holds the results of successive runs, one JSON text each, separated by lines of dashes; SCALE multiplies all times.
A counter beside FILE says which run this is.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main() -> None:
    recorded, scale = Path(sys.argv[1]), float(sys.argv[2])
    out = next((word.partition("=")[2] for word in sys.argv if word.startswith("--benchmark_out=")), None)
    out = out or os.environ["BENCHMARK_OUT"]
    counter = recorded.with_suffix(f".{scale}.count")
    run = int(counter.read_text(encoding="ascii")) if counter.exists() else 0
    counter.write_text(str(run + 1), encoding="ascii")
    texts = recorded.read_text(encoding="utf-8").split("\n-----\n")
    text = texts[run % len(texts)]
    try:
        content = json.loads(text)
        for entry in content["benchmarks"]:
            for name in ("real_time", "cpu_time"):
                if name in entry:
                    entry[name] *= scale
        text = json.dumps(content)
    except ValueError:
        pass
    Path(out).write_text(text, encoding="utf-8")
    sys.stdout.write("Benchmark   Time   CPU   Iterations\n")
    sys.stderr.write("***WARNING*** not a real one\n")


if __name__ == "__main__":
    main()
