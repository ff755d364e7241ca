"""Finds the checks by their files and makes one document of their answers, which ``rooftop doctor --json`` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

import rooftop
from rooftop.doctor import checks
from rooftop.doctor.check import GROUPS, Check, Found
from rooftop.doctor.surroundings import Surroundings
from rooftop.documents import Finding
from rooftop.files.document import Document
from rooftop.plugins import modules_of


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


def find_checks() -> list[Check]:
    """Return what files of ``checks/`` bind, alone or in lists, by group, the required first, then by name."""
    found: list[Check] = []
    for module in modules_of(checks.__name__):
        for value in vars(module).values():
            found += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Check)]
    return sorted(found, key=lambda check: (GROUPS.index(check.group), not check.required, check.name.casefold()))


def _look(check: Check, here: Surroundings) -> Found:
    try:
        return check.look(here)
    except Exception as error:
        return Found("missing", f"the check failed: {type(error).__name__}: {' '.join(str(error).split())}")


def _item(check: Check, here: Surroundings) -> Item:
    found = _look(check, here)
    well = found.status == "ok"
    remedy = found.remedy or check.remedy
    return Item(
        name=check.name,
        group=check.group,
        status=found.status,
        required=check.required,
        evidence=found.evidence,
        costs=None if well else check.costs,
        command=None if well else remedy.text(here),
        needs_root=not well and remedy.needs_root,
        remark=None if well else remedy.remark or None,
    )


def examine(here: Surroundings | None = None, wanted: Iterable[Check] | None = None) -> DoctorDocument:
    """Look at everything. A check that fails is an answer, not an error."""
    here = here or Surroundings()
    items = [_item(check, here) for check in (find_checks() if wanted is None else wanted)]
    return DoctorDocument(
        schema="rooftop/doctor/1",
        rooftop=rooftop.__version__,
        root=here.is_root,
        items=items,
        healthy=not any(item.required and item.status == "missing" for item in items),
    )
