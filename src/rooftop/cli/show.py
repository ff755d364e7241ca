"""Show one experiment: the idea of every rung, its peers, sizes and cases."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rooftop.documents import PredictionResult
from rooftop.errors import Misuse
from rooftop.ladder.discovery import Found
from rooftop.ladder.location import Place, place_of
from rooftop.report.prediction_text import expectation, formula_of, quantity_of
from rooftop.settings import Settings
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.output import FromOption, JsonOption, print_document, tables
from rooftop.terminal.trusting import FromCommand
from rooftop.text.plural import plural

GROUP = LADDERS

SCHEMA = "rooftop/show/1"
_MOST_LISTED = 8


def _document(found: Found, size: str | None) -> dict[str, Any]:
    declaration = found.declaration
    return {
        "schema": SCHEMA,
        "name": found.name,
        "title": declaration.title,
        "question": declaration.question,
        "rate_unit": declaration.rate_unit,
        "rate_scale": declaration.rate_scale,
        "total": declaration.total,
        "tunables": {name: list(values) for name, values in declaration.tunables.items()},
        "sizes": {
            name: [
                {
                    "case": case.name,
                    "parameters": case.parameters,
                    "nominal": case.nominal,
                    "workers": list(case.workers),
                    "isa": case.isa,
                }
                for case in declaration.cases(name)
            ]
            for name in declaration.sizes
            if size in (None, name)
        },
        "predictions": _predictions(found, size),
        "modules": [
            {
                "name": module.name,
                "kind": module.kind,
                "isa": module.isa,
                "idea": module.idea,
                "header": module.header,
                "source": str(module.source),
                "status": module.status,
                "reason": module.reason,
            }
            for module in found.modules
        ],
    }


def _predictions(found: Found, size: str | None) -> list[dict[str, Any]]:
    """Return what the experiment expects of each case on this machine, as far as its figures are known already."""
    declaration = found.declaration
    if not declaration.predictions:
        return []
    from rooftop.measure.prediction import predict
    from rooftop.probe.measure import remembered

    machine = remembered()
    return [
        {"size": name, "case": case.name, **prediction.model_dump()}
        for name in declaration.sizes
        if size in (None, name)
        for case in declaration.cases(name)
        for count in case.workers or (machine.cores,)
        for one in declaration.predictions
        for prediction in [predict(one, machine, count, case.parameters)]
    ]


def _print(document: dict[str, Any]) -> None:
    console = tables()
    console.print(Text.assemble((document["title"], "bold"), f"  {document['question']}"))
    ladder = Table("rung", "idea", "status", box=None, pad_edge=False)
    for module in document["modules"]:
        status = module["status"] if module["reason"] is None else module["reason"]
        ladder.add_row(f"{module['name']}{' (peer)' if module['kind'] == 'peer' else ''}", module["idea"], status)
    console.print(ladder)
    for size, cases in document["sizes"].items():
        names = ", ".join(case["case"] for case in cases)
        console.print(Text.assemble((size, "bold"), f"  {plural(len(cases), 'case')}: {names}"))
    _print_predictions(document["predictions"])


def _print_predictions(predictions: list[dict[str, Any]]) -> None:
    """Print each formula once, and below it what it comes to in the first size's cases."""
    console = tables()
    told: set[str] = set()
    for found in predictions:
        if found["size"] != predictions[0]["size"]:
            break
        result = PredictionResult.model_validate({key: found[key] for key in PredictionResult.model_fields})
        lines = [f"  {found['case']}, {plural(result.threads, 'thread')}: {expectation(result)}"]
        if (heading := f"predicted {quantity_of(result)} = {formula_of(result)}") not in told:
            told.add(heading)
            lines.insert(0, heading)
        for line in lines:
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _only_name(place: Place) -> str:
    names = place.names()
    if not place.outside or len(names) != 1:
        few = 0 < len(names) <= _MOST_LISTED
        expected = f"one of {', '.join(names)}" if few else "an experiment ('rooftop list' lists them)"
        raise Misuse(f"NAME is missing, expected {expected} of {place.folder}")
    return names[0]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("show", cls=FromCommand, help=__doc__, rich_help_panel=GROUP)
    def show(
        name: Annotated[
            str | None,
            typer.Argument(
                metavar="[NAME]", help="An experiment's name (see 'rooftop list'). Default: the one in --from DIR."
            ),
        ] = None,
        size: Annotated[str | None, typer.Option("--size", help="Only the cases of this size.")] = None,
        folder: FromOption = None,
        as_json: JsonOption = False,
    ) -> None:
        place = place_of(Settings(), folder)
        found = place.find(name or _only_name(place))
        if size is not None:
            found.declaration.cases(size)
        document = _document(found, size)
        if as_json:
            print_document(document)
        else:
            _print(document)
