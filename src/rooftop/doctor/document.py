"""What ``rooftop doctor --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.documents import Finding
from rooftop.files.document import Document


class Item(Document):
    """One check's answer. ``costs`` and ``command`` are None where all is well."""

    name: str
    group: str
    status: Literal["ok", "limited", "missing"]
    required: bool
    evidence: str
    costs: str | None = None
    command: str | None = None  # provides it; None where no command can
    needs_root: bool = False
    remark: str | None = None

    @property
    def finding(self) -> Finding:
        """What is missing or limited, what that costs, and what provides it."""
        word = "required" if self.required else self.status
        command = self.command and self.command + ("    (needs root)" if self.needs_root else "")
        remedy = "\n".join(line for line in (command, self.remark) if line)
        return Finding(name=f"{self.name} ({word})", evidence=self.costs or "", remedy=remedy)


class DoctorDocument(Document):
    """All answers, in the order in which they are shown."""

    schema_: Literal["rooftop/doctor/1"] = Field("rooftop/doctor/1", alias="schema")
    rooftop: str  # version
    root: bool  # whether the user is root
    items: list[Item]
    healthy: bool  # nothing required is missing
