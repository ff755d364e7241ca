"""Mesh files of strangers: they start no program, and take no more memory than a mesh of their size can need."""

from __future__ import annotations

import base64
import resource
import struct
import threading
import zlib
from pathlib import Path

import pytest

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import read_cards
from rooftop.solvers.elasticity.files import bounded_memory
from rooftop.solvers.elasticity.files.contents import read_contents
from rooftop.solvers.elasticity.files.gmsh_conversion import is_installed

FORMAT_4_0 = """$MeshFormat
4 0 8
$EndMeshFormat
$Nodes
1 4
1 3 0 4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1 1
1 3 4 1
1 1 2 3 4
$EndElements
"""
VTK = "# vtk DataFile Version 3.0\nx\n{}\nDATASET {}\n"
ABSURD = {
    "nodes.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n99999999999\n1 0 0 0\n$EndNodes\n",
    "points.vtk": VTK.format("ASCII", "UNSTRUCTURED_GRID\nPOINTS 99999999999 double\n0 0 0"),
    "binary.vtk": VTK.format("BINARY", "UNSTRUCTURED_GRID\nPOINTS 9999999999 double\n0 0 0"),
    "grid.vtk": VTK.format("ASCII", "STRUCTURED_POINTS\nDIMENSIONS 99999 99999 99999\nORIGIN 0 0 0\nSPACING 1 1 1"),
    "deep.vtu": '<VTKFile type="UnstructuredGrid">' + "<a>" * 10_000,
    "outside.vtu": '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><VTKFile type="UnstructuredGrid">&x;'
    "</VTKFile>",
}


def compressed_zeros() -> str:
    """Return a VTU file of 256 KiB whose coordinates are 256 MiB."""
    size, count = 64 << 20, 4
    block = zlib.compress(bytes(size), 9)
    head = struct.pack(f"<{3 + count}Q", count, size, size, *[len(block)] * count)
    data = base64.b64encode(head).decode() + base64.b64encode(block * count).decode()
    cells = "".join(
        f'<DataArray type="Int64" Name="{name}" format="ascii">{values}</DataArray>'
        for name, values in (("connectivity", "0 1 2 3"), ("offsets", "4"), ("types", "10"))
    )
    return (
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64" '
        'compressor="vtkZLibDataCompressor"><UnstructuredGrid><Piece NumberOfPoints="4" NumberOfCells="1"><Points>'
        f'<DataArray type="Float64" NumberOfComponents="3" format="binary">{data}</DataArray></Points>'
        f"<Cells>{cells}</Cells></Piece></UnstructuredGrid></VTKFile>"
    )


@pytest.mark.skipif(not is_installed(), reason="Gmsh is not installed")
def test_options_beside_a_mesh_start_no_program(tmp_path: Path) -> None:
    """Gmsh reads FILE.opt beside FILE, in a language that has SystemCall."""
    file = tmp_path / "mesh.msh"
    file.write_text(FORMAT_4_0, encoding="ascii")
    (tmp_path / "mesh.msh.opt").write_text(f'SystemCall "touch {tmp_path}/started";\n', encoding="ascii")
    read_contents(file)
    assert not (tmp_path / "started").exists()


def test_a_script_of_gmsh_is_no_mesh(tmp_path: Path) -> None:
    file = tmp_path / "mesh.msh"
    file.write_text(f'SystemCall "touch {tmp_path}/started";\n', encoding="ascii")
    with pytest.raises(Misuse):
        read_contents(file)
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("name", ABSURD)
def test_absurd_sizes_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(ABSURD[name], encoding="ascii")
    with pytest.raises(Misuse):
        read_contents(tmp_path / name)


def test_compressed_zeros_take_no_more_memory_than_a_mesh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "zeros.vtu"
    file.write_text(compressed_zeros(), encoding="ascii")
    monkeypatch.setattr(bounded_memory, "_LEAST", 128 << 20)
    with pytest.raises(Misuse):
        read_contents(file)


@pytest.mark.skipif(not is_installed(), reason="Gmsh is not installed")
def test_gmsh_takes_no_more_memory_than_a_mesh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mesh that needs some 30 MB, with 1 MiB permitted."""
    more = "".join(f"{number} {number} 0 1\n" for number in range(5, 100_001))
    text = FORMAT_4_0.replace("1 4\n1 3 0 4", "1 100000\n1 3 0 100000").replace("$EndNodes", f"{more}$EndNodes")
    file = tmp_path / "mesh.msh"
    file.write_text(text, encoding="ascii")
    assert read_contents(file) is not None
    monkeypatch.setattr(bounded_memory, "_LEAST", 1 << 20)
    monkeypatch.setattr(bounded_memory, "_TIMES", 0)
    with pytest.raises(Misuse, match="neither meshio nor Gmsh can read it"):
        read_contents(file)


@pytest.mark.parametrize("named", ["/dev/zero", "/dev/null", "."])
def test_what_is_no_file_is_not_included(named: str, tmp_path: Path) -> None:
    deck = tmp_path / "deck.inp"
    deck.write_text(f"*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT={named}\n", encoding="ascii")
    with pytest.raises(Misuse, match="is no regular file"):
        list(read_cards(deck))


def test_the_limit_of_memory_is_as_before_whatever_threads_read(tmp_path: Path) -> None:
    """The second thread begins while the first reads, and ends after it."""
    file = tmp_path / "mesh.vtk"
    file.write_bytes(b"")
    before = resource.getrlimit(resource.RLIMIT_AS)
    first_is_in, second_is_in, first_is_out = threading.Event(), threading.Event(), threading.Event()

    def second() -> None:
        first_is_in.wait()
        with bounded_memory.bounded_memory(file):
            second_is_in.set()
            first_is_out.wait()

    thread = threading.Thread(target=second)
    thread.start()
    with bounded_memory.bounded_memory(file):
        assert resource.getrlimit(resource.RLIMIT_AS) != before
        first_is_in.set()
        second_is_in.wait(0.2)  # in vain: one at a time has a limit
    first_is_out.set()
    thread.join()
    assert second_is_in.is_set()
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_the_limit_of_memory_is_as_before_after_an_error(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    for name, text in ABSURD.items():
        (tmp_path / name).write_text(text, encoding="ascii")
        with pytest.raises(Misuse):
            read_contents(tmp_path / name)
        assert resource.getrlimit(resource.RLIMIT_AS) == before
