"""Finds the checks by their files and makes one document of their answers."""

from __future__ import annotations

from collections.abc import Iterable

import rooftop
from rooftop.doctor import checks
from rooftop.doctor.check import GROUPS, Check, Found
from rooftop.doctor.document import DoctorDocument, Item
from rooftop.doctor.surroundings import Surroundings
from rooftop.plugins import modules_of


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
