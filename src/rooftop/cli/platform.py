"""Machines for 'rooftop simulate': list, show, check and draw them, describe this one, export them for SimGrid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rooftop.terminal.groups import MACHINE
from rooftop.terminal.output import JsonOption, check_writable, messages, print_document, say, tables

if TYPE_CHECKING:
    from rooftop.simulate.platform import Platform

NAME = "platform"
GROUP = MACHINE

NameArgument = Annotated[str, typer.Argument(metavar="NAME|FILE.toml", help="A name of 'platform list', or a file.")]


def _show(platform: Platform) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from rooftop.simulate.told import figure_text

    console = tables()
    say(console, platform.title, style="bold")
    if platform.about:
        say(console, " ".join(platform.about.split()))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in ("figure", "value", "how", "source"):
        table.add_column(name, overflow="fold")
    for figure, value in platform.figures():
        source = platform.source(figure)
        assert source is not None
        table.add_row(figure, figure_text(figure, value), source.how, " ".join(source.says.split()))
    console.print(table)


def _list(as_json: bool) -> None:
    from rooftop.simulate.platform_files import known_platforms, read_platform

    found = {name: read_platform(file) for name, file in known_platforms().items()}
    if as_json:
        rows = [
            {
                "name": name,
                "title": one.title,
                "nodes": one.nodes,
                "cores": one.cores,
                "topology": one.network.shape.topology,
            }
            for name, one in found.items()
        ]
        print_document({"schema": "rooftop/platforms/1", "platforms": rows})
        return
    width = max(map(len, found), default=0)
    for name, one in found.items():
        say(tables(), f"{name:{width}}  {one.title}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    platform = typer.Typer(name=NAME, help=__doc__, no_args_is_help=True)
    app.add_typer(platform, rich_help_panel=GROUP)

    @platform.callback()
    def group() -> None:
        pass

    @platform.command("list", help="List the machines that are known by name.")
    def list_command(as_json: JsonOption = False) -> None:
        _list(as_json)

    @platform.command("show", help="Show the figures of a machine, each with its source.")
    def show_command(name: NameArgument, as_json: JsonOption = False) -> None:
        from rooftop.simulate.platform_files import named_platform

        found = named_platform(name)
        if as_json:
            print_document({"schema": "rooftop/platform/1"} | found.model_dump(mode="json", exclude_unset=True))
        else:
            _show(found)

    @platform.command("check", help="Check a file: its figures, their ranges, its topology, and that all have sources.")
    def check_command(file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The file.")]) -> None:
        from rooftop.simulate.drawing import shape_text
        from rooftop.simulate.platform_files import read_platform
        from rooftop.text.plural import plural

        found = read_platform(file)
        assumed = [name for name, _ in found.figures() if (of := found.source(name)) and of.how == "assumed"]
        say(
            tables(),
            f"{file}: {plural(found.nodes, 'node')} of {plural(found.node.cores, 'core')}, "
            f"{shape_text(found.network.shape)}; assumed: {', '.join(assumed) or 'nothing'}",
        )

    @platform.command("draw", help="Draw a machine: its network, one of its nodes, what messages cost by size.")
    def draw_command(
        name: NameArgument,
        out: Annotated[Path, typer.Option("--out", metavar="FILE.png", help="Picture to write: PNG, SVG or PDF.")],
    ) -> None:
        from rooftop.simulate.drawing import write_platform_picture
        from rooftop.simulate.platform_files import named_platform

        check_writable("--out", out)
        write_platform_picture(named_platform(name), out)
        say(tables(), f"picture: {out}")

    @platform.command("here", help="Describe this machine by its probes, or several such machines behind a switch.")
    def here_command(
        quick: Annotated[bool, typer.Option("--quick", help="Shorter probes, where none were run before.")] = False,
        nodes: Annotated[int, typer.Option("--nodes", metavar="N", help="So many such machines.")] = 1,
        link_bandwidth: Annotated[
            float | None,
            typer.Option("--link-bandwidth", metavar="BYTES", help="Of each link, bytes/s (default: 12.5e9, assumed)."),
        ] = None,
        link_latency: Annotated[
            float | None,
            typer.Option("--link-latency", metavar="SECONDS", help="Of each link (default: 0.5e-6, assumed)."),
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE.toml", help="File to write (default: print it).")
        ] = None,
    ) -> None:
        from rooftop.probe import machine
        from rooftop.simulate.here import Behind, platform_of
        from rooftop.simulate.measured_progress import measured_share
        from rooftop.simulate.platform_files import checked

        check_writable("--out", out)
        called = "rooftop platform here"
        checked(  # before the probes run
            called, lambda: Behind(nodes=nodes, link_bytes_per_s=link_bandwidth, link_latency_s=link_latency)
        )

        def remark(line: str) -> None:
            say(messages(), f"rooftop: {line}")

        known = machine(quick, say=remark)
        progress = measured_share(known.id)
        made = checked(called, lambda: platform_of(known, nodes, link_bandwidth, link_latency, progress))
        _write_or_print(made, out)

    @platform.command("export", help="Write a machine for another program: SimGrid 3.32 or 4.")
    def export_command(
        name: NameArgument,
        simgrid: Annotated[Path, typer.Option("--simgrid", metavar="FILE.xml", help="Platform of SimGrid to write.")],
    ) -> None:
        from rooftop.files.atomic import write_whole
        from rooftop.simulate.platform_files import named_platform
        from rooftop.simulate.simgrid import as_simgrid

        check_writable("--simgrid", simgrid)
        write_whole(simgrid, as_simgrid(named_platform(name)))
        say(tables(), f"platform: {simgrid}")


def _write_or_print(platform: Platform, out: Path | None) -> None:
    from rooftop.files.atomic import write_whole
    from rooftop.simulate.platform_text import as_toml

    text = as_toml(platform)
    if out is None:
        typer.echo(text, nl=False)
        return
    write_whole(out, text)
    say(tables(), f"platform: {out}")
