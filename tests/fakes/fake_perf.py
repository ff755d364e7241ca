"""A perf that counts what it is told to, and prints what real ones do, of versions 4.18 to 6.1."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

_SCRIPT = f"""#!{sys.executable} -IS
import json, pathlib, subprocess, sys
told = json.loads(pathlib.Path(__file__).with_name("perf.json").read_text())
words = sys.argv[1:]
value = lambda option: words[words.index(option) + 1]
asked = [one.removesuffix(":u") for one in value("-e").split(",")] if words[0] in ("stat", "record") else []
if told["refused"]:
    sys.exit("Error:\\nAccess to performance monitoring and observability operations is limited.\\n"
             "Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open\\n")
for one in asked:
    if one not in told["counts"]:
        print(f"event syntax error: '{{one}}:u'\\n                     \\\\___ parser error", file=sys.stderr)
        sys.exit(129)
if words[0] == "report":
    for one in json.loads(pathlib.Path(value("-i")).read_text()):
        if one in told["functions"]:
            print(f"# Samples: 1K of event '{{one}}:u'\\n# Event count (approx.): 12345\\n#")
            print("# Overhead\\tShared Object       \\tSymbol                 ")
            for percent, file, name in told["functions"][one]:
                print(f" {{percent:.2f}}% \\t{{file:20}}\\t[.] {{name}}")
            print()
elif words[0] == "record":
    code = subprocess.call(words[words.index("--") + 1 :])
    pathlib.Path(value("-o")).write_text(json.dumps(asked))
    sys.exit(max(code, 0))
elif words[0] == "stat":
    code = subprocess.call(words[words.index("--") + 1 :])
    lines = ["# started on Mon Nov 30 10:53:16 2026", ""]
    for one in asked:
        count, shown = told["counts"][one], told["shown"].format(one)
        if len(asked) > 1:
            count = told["in_turn"].get(one, count)
        lines.append(f"{{count}};;{{shown}};1200000;{{told['counted']:.2f}}{{told['tail']}}")
    pathlib.Path(value("-o")).write_text("\\n".join(lines) + "\\n")
    sys.exit(max(code, 0))
"""


@dataclass(frozen=True)
class FakePerf:
    """What it prints.

    counts     by event: a number, or "<not supported>" and the like; it knows no others
    functions  by event: percent, file and name
    in_turn    counts that differ where it is asked for more than one
    counted    percent of the time in which events are counted
    shown, tail  how versions differ: the event's name, and the end of a line
    refused    whether it may not count
    """

    counts: Mapping[str, int | str]
    functions: Mapping[str, Sequence[tuple[float, str, str]]] = field(default_factory=dict)
    in_turn: Mapping[str, int | str] = field(default_factory=dict)
    counted: float = 100.0
    shown: str = "{}:u"
    tail: str = ";;"
    refused: bool = False

    def install(self, folder: Path) -> None:
        """Write it as `perf` into a folder that is to come first in the path."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "perf.json").write_text(json.dumps(asdict(self)), encoding="utf-8")
        (folder / "perf").write_text(_SCRIPT, encoding="utf-8")
        (folder / "perf").chmod(0o755)
