"""The commands that are run where a package is installed, the files that they read, and the right exit codes."""

from __future__ import annotations

from benchmarks.form import ROOT

OK, SOMETHING_MISSING, MISUSE, NOTHING_MEASURED, NOT_BUILT, NOT_RESOLVED = 0, 1, 2, 3, 4, 7
FORMATS = ("csv", "parquet", "google-benchmark")
_SHORT = "--budget 10s --max-pairs 6"
_FILE = """import h5py, numpy
with h5py.File("x.h5", "w") as file:
    file.create_dataset("x", data=numpy.arange(250000.0).reshape(500, 500), chunks=(50, 50), compression="gzip")
from rooftop.solvers import h5io
assert h5io.File("x.h5")["x"][499, 499] == 249999"""
# The address by its number: such a root need not know the name localhost.
_SERVE = """import signal, subprocess, urllib.request
server = subprocess.Popen(["rooftop", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
try:
    address = server.stderr.readline().split()[0].replace("localhost", "127.0.0.1")
    with urllib.request.urlopen(address + "campaigns", timeout=60) as answer:
        page = answer.read().decode()
    server.send_signal(signal.SIGINT)
    code = server.wait(60)
finally:
    server.kill()
assert code == 0, code
assert "sleep 0.002" in page, page"""
# Prints the ids of the first campaigns of a kind: a command that takes them is given them by the shell.
_IDS = """import json, subprocess, sys
told = subprocess.run(["rooftop", "list", "--campaigns", "--json"], check=True, capture_output=True, text=True).stdout
print(*[one["id"] for one in json.loads(told)["campaigns"] if one["kind"] == sys.argv[1]][: int(sys.argv[2])])"""
_BENCH = "IO_OPERATION=WRITE\nMEM_PATTERN=CONTIG\nFILE_PATTERN=CONTIG\nTIMESTEPS=1\nNUM_DIMS=1\nDIM_1=4096\n"
_DECK = """*NODE
1,0,0,0
2,1,0,0
3,0,1,0
4,0,0,1
*ELEMENT,TYPE=C3D4
1,1,2,3,4
"""
FILES = {
    "h5io.py": _FILE,
    "serve.py": _SERVE,
    "ids.py": _IDS,
    "lines.txt": f"compare {_SHORT} 'sleep 0.002' 'sleep 0.003'\n",
    "write.cfg": _BENCH,
    "body.inp": _DECK,
    "layers.txt": "1\n16 14 14 16 1\n",
}
EXAMPLES = {
    "towns.tsp": ROOT / "solvers" / "routing" / "example" / "towns.tsp",
    "network": ROOT / "solvers" / "network" / "example",
    "cluster.toml": ROOT / "docs" / "guide" / "programs" / "cluster.toml",
    "heat.c": ROOT / "docs" / "guide" / "programs" / "heat.c",
}
Commands = list[tuple[str, tuple[int, ...]]]
_BODY = "rooftop solve elasticity body.inp --clamp x-min --traction z-min=0,0,1 --young 1 --poisson 0.3"
_SOLVED: Commands = [
    ("rooftop solve conv layers.txt", (OK,)),
    (_BODY, (OK,)),
    ("rooftop solve ft --class S", (OK,)),
    ("rooftop solve network network --iterations 50", (OK,)),
    ("rooftop solve tsp towns.tsp --iterations 50", (OK,)),
    ("python h5io.py", (OK,)),
]
_SIMULATED: Commands = [
    ("rooftop platform list", (OK,)),
    ("rooftop platform show lecture_cluster", (OK,)),
    ("rooftop platform check cluster.toml", (OK,)),
    ("rooftop platform export lecture_cluster --simgrid cluster.xml", (OK,)),
    ("rooftop platform draw lecture_cluster --out cluster.png", (OK,)),
    ("rooftop platform here --quick --out here.toml", (OK,)),
    ("rooftop simulate ft --platform sw26010_groups --threads 64 --ranks 64,256", (OK,)),
    ("rooftop simulate elasticity --platform here.toml --ranks 1,2 --what-if memory=*2", (OK,)),
]
_REPLAYED = "rooftop simulate halo --platform cluster.toml --ranks 8 --replay"
_RECORDED = "rooftop simulate --record ranks.jsonl -- mpirun -np 2 sleep 0.01"
# Where there is Python alone. A gate need not be resolved, nor a doctor content, in such a place.
WITH_PYTHON: Commands = [
    ("rooftop --version", (OK,)),
    ("rooftop list", (OK,)),
    ("rooftop show winograd", (OK,)),
    ("rooftop doctor", (OK, SOMETHING_MISSING)),
    ("rooftop probe --quick", (OK,)),
    (f"rooftop compare {_SHORT} 'sleep 0.002' 'sleep 0.003'", (OK,)),
    (f"rooftop tune {_SHORT} --param N=0.001,0.002 -- sleep '{{N}}'", (OK,)),
    (f"rooftop scale {_SHORT} --threads 1,2 -- sleep 0.002", (OK,)),
    (f"rooftop gate {_SHORT} --threshold 90% -- 'sleep 0.002' ::: 'sleep 0.002'", (OK, NOT_RESOLVED)),
    ("rooftop pin --no-cost -- sleep 1", (OK,)),
    ("rooftop submit --on local lines.txt", (OK,)),
    ("rooftop status --watch", (OK,)),  # until it has ended: campaigns of one machine refuse each other
    (f"rooftop compare --on local {_SHORT} 'sleep 0.002' 'sleep 0.003'", (OK,)),
    ("rooftop status", (OK,)),
    ("rooftop collect", (OK,)),
    ("rooftop pool $(python ids.py compare 2)", (OK,)),
    ("rooftop report --out report.html $(python ids.py compare 1)", (OK,)),
    *((f"rooftop export --format {name} --out samples $(python ids.py compare 1)", (OK,)) for name in FORMATS),
    ("rooftop sync .local/state/rooftop team.sqlite", (OK,)),
    ("rooftop list --campaigns --store team.sqlite", (OK,)),
    ("rooftop --man-pages man", (OK,)),
    ("rooftop new my_sum --in .", (OK,)),
    ("rooftop diagnose --budget 5s -- python3 -c 'sum(range(3000000))'", (OK,)),
    ("python serve.py", (OK,)),  # starts `rooftop serve`, fetches the page of campaigns, interrupts it
    *_SOLVED,
    *_SIMULATED,
    (_REPLAYED, (NOT_BUILT,)),  # by SimGrid
    (_RECORDED, (NOT_BUILT,)),  # by a library for the MPI that is there
    ("rooftop solve h5 write.cfg", (MISUSE, NOT_BUILT)),  # its benchmarks are programs of MPI
    ("rooftop h5 --help", (OK,)),
    ("rooftop h5 advise x.h5 --budget 5s", (OK,)),
    ("rooftop h5 repack x.h5 --chunks 100,100", (OK,)),
    ("rooftop lab", (OK,)),
    ("rooftop lab bus_and_ring --budget 10s", (OK,)),
    ("rooftop lab dragonfly_and_megafly --budget 10s", (OK,)),
    ("rooftop lab grid_and_torus --budget 10s", (OK,)),
    ("rooftop lab hypercube_and_butterfly --budget 10s", (OK,)),
    ("rooftop lab tree_and_fat_tree --budget 10s", (OK,)),
    ("rooftop lab weighted_partition --budget 10s", (OK,)),
    ("rooftop lab compiler_stages --budget 10s", (NOTHING_MEASURED,)),  # it looks at what gcc does
    ("rooftop lab osaca_bounds --budget 10s", (NOTHING_MEASURED,)),  # it assembles its loops
    ("rooftop lab device_distance --budget 10s", (OK, NOTHING_MEASURED)),  # it takes two sockets
    ("rooftop lab false_sharing", (NOT_BUILT,)),
    ("rooftop climb labs/false_sharing --size quick", (NOT_BUILT,)),
    ("rooftop build", (NOT_BUILT,)),
]
_NAMES = ("--version", "list", "show", "doctor", "probe", "compare", "tune", "scale", "pin", "report", "solve", "h5")
# Of the same, what takes the extras hdf5 and serve alone: for an image and for an emulator, which takes its time.
BRIEF: Commands = [
    (command, right)
    for command, right in WITH_PYTHON
    if command.split()[1] in (*_NAMES, "h5io.py", "serve.py") and not {"--on", "--store"} & set(command.split())
]
# Where there is what a source distribution is compiled with, and an MPI.
RANKS = ("rooftop_elasticity_by_ranks", "rooftop_h5bench_by_ranks", "native.replay", "rooftop_mpi_record_openmpi")
WITH_COMPILERS: Commands = [
    ("rooftop --version", (OK,)),
    *_SOLVED,
    ("rooftop build --ranks --target everything_of.winograd", (OK,)),
    *((f"rooftop build --ranks --target {name}", (OK,)) for name in RANKS),
    *_SOLVED,  # what is compiled in part does not hide what the package has
    ("rooftop probe --quick", (OK,)),
    ("rooftop diagnose --budget 5s -- python3 -c 'sum(range(3000000))'", (OK,)),
    ("rooftop climb winograd --size quick --budget 30s", (OK,)),
    (_REPLAYED, (OK,)),
    ("mpicc -O2 -o heat heat.c -lm", (OK,)),
    ("rooftop simulate --record heat.jsonl -- mpirun -np 2 ./heat 20", (OK,)),
    ("rooftop simulate heat.jsonl --platform cluster.toml --ranks-per-node 1", (OK,)),
    (f"{_BODY} --ranks 2", (OK,)),
    ("rooftop solve h5 write.cfg --ranks 2", (OK,)),
]
