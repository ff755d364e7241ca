"""What gcc makes of a small function, stage by stage: how long its text becomes, and where its decisions are."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

# How a decision is written: as in C, with an if and a for; as `if`, in gcc's own languages; or as a conditional jump.
IN_C = r"\b(?:if|for) \("
IN_TREES = r"\bif \("
IN_ASSEMBLY = r"^\t(?:j(?!mp)[a-z]+|b\.?(?:eq|ne|lt|le|gt|ge)|cbn?z|tbn?z)\t"


def source(decisions: int) -> str:
    """Return a function that counts the first few numbers in an array: a loop around so many decisions, and a call."""
    steps = [f"    if (values[i] == {number}) found += {number % 7 + 2};" for number in range(decisions)]
    head = ["#include <stdio.h>", "", "int tell(const int* values, int length) {", "  int found = 0;"]
    loop = ["  for (int i = 0; i < length; ++i) {", *steps, "  }"]
    return "\n".join([*head, *loop, '  printf("%d\\n", found);', "  return found;", "}", ""])


class Stages(Lab):
    """A function in C, and what a stage of the compiler made of it."""

    parameters = ("decisions",)
    checks = ({"decisions": 1}, {"decisions": 13})

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Write the function."""
        super().__init__(given, seed, threads)
        self.source = source(given["decisions"])
        self.text = ""
        self.decisions = -1

    def poison(self) -> None:
        """Forget what was made."""
        self.text, self.decisions = "", -1

    def verify(self) -> Verdict:
        """Compare the decisions with those that were written: those of the body, and the loop's."""
        expected = self.given["decisions"] + 1
        return exact("" if self.decisions == expected else f"{self.decisions} decisions, expected {expected}")

    def spoil(self) -> None:
        """Lose a decision."""
        self.decisions -= 1

    def figures(self) -> dict[str, float]:
        """Return the size of the text and, of a flow graph, its blocks and its independent paths."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        written = [line for line in self.source.splitlines() if line.strip()]
        told = {"lines": float(len(lines)), "growth": len(lines) / len(written), "text_bytes": float(len(self.text))}
        successors = re.findall(r"^;; \d+ succs \{([\d ]*)\}", self.text, re.MULTILINE)
        if successors:  # gcc does not list block 0, the entry, whose one successor is the first, and block 1, the exit
            edges = 1 + sum(len(one.split()) for one in successors)
            told |= {"blocks": float(len(successors)), "independent_paths": edges - (len(successors) + 2) + 2.0}
        return told


class Stage(LabRung):
    """A run of gcc that writes what it has after a stage."""

    option, decision = "-E", IN_C

    def __init__(self, lab: Stages) -> None:
        """Write the source where gcc finds it."""
        self.lab = lab
        self.folder = tempfile.TemporaryDirectory()
        self.text = Path(self.folder.name, "text")
        self.file = Path(self.folder.name, "tell.c")
        self.file.write_text(lab.source, encoding="ascii")

    def run(self) -> None:
        """Compile as far as it takes."""
        dump = self.option.startswith("-f")
        options = ["-S", "-o", "/dev/null", f"{self.option}={self.text}"] if dump else [self.option, "-o", self.text]
        subprocess.run(["gcc", "-O0", "-fno-asynchronous-unwind-tables", *options, self.file], check=True)

    def finish(self) -> None:
        """Read what gcc has written, and count the function's decisions."""
        self.lab.text = self.text.read_text(encoding="utf-8", errors="replace")
        function = self.lab.text[self.lab.text.index("tell") :]
        if self.option == "-E":
            function = self.lab.text[self.lab.text.rindex("int tell(") :]
        self.lab.decisions = len(re.findall(self.decision, function, re.MULTILINE))


def stage(option: str, decision: str = IN_TREES) -> type[Stage]:
    """Return the variant of a stage."""
    return type(option, (Stage,), {"option": option, "decision": decision})


VARIANTS = (
    variant("10-preprocessed", "The function, with all that it includes.", stage("-E", IN_C)),
    variant(
        "20-generic", "A tree for each statement, in gcc's language for all languages.", stage("-fdump-tree-original")
    ),
    variant("30-high-gimple", "One operation per statement, in scopes.", stage("-fdump-tree-gimple")),
    variant("40-low-gimple", "The same without scopes: labels and jumps.", stage("-fdump-tree-lower")),
    variant("50-flow-graph", "Blocks without jumps inside, and edges between them.", stage("-fdump-tree-cfg")),
    variant("60-assembly", "Instructions, every variable in memory.", stage("-S", IN_ASSEMBLY)),
)


def missing() -> str | None:
    """Return why the lab cannot run here."""
    told = subprocess.run(["gcc", "-v"], capture_output=True, text=True, check=False) if shutil.which("gcc") else None
    return None if told and "gcc version" in told.stderr else "gcc is not installed"


if __name__ == "__main__":
    raise SystemExit(drive_lab(Stages, VARIANTS, __file__, sys.argv[1:], missing()))
