"""Grid Engine on this host: a master and one node that both run here, as root, in a folder of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from small_cluster import daemon, free_ports

BINARIES = Path("/usr/lib/gridengine")  # the programs themselves; in the path are scripts that set SGE_ROOT
_SHARED = Path("/usr/share/gridengine")
_UP_S = 60.0
_HOST = "localhost"
QUEUE = "all.q"

_BOOTSTRAP = """\
admin_user none
default_domain none
ignore_fqdn true
spooling_method classic
spooling_lib libspoolc
spooling_params {common};{spool}
binary_path {binaries}
qmaster_spool_dir {spool}
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
"""
# Lines of the global configuration that are other than Debian's: root may have jobs, and loads are told soon.
_OWN = {"min_uid": "0", "min_gid": "0", "mailer": "/bin/true", "load_report_time": "00:00:01"}
_SOON = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}
_NONE_OF_HOST = [
    *("load_scaling", "complex_values", "user_lists", "xuser_lists", "projects", "xprojects"),
    *("usage_scaling", "report_variables"),
]
_QUEUE = {
    **{"qname": QUEUE, "hostlist": _HOST, "seq_no": "0", "nsuspend": "1", "priority": "0", "slots": "4"},
    **{"suspend_interval": "00:05:00", "min_cpu_interval": "00:05:00", "processors": "UNDEFINED"},
    **{"qtype": "BATCH", "rerun": "TRUE", "tmpdir": "/tmp", "shell": "/bin/sh", "notify": "00:00:60"},
    **{"shell_start_mode": "posix_compliant", "initial_state": "default"},
}
_NONE_OF_QUEUE = [
    *("load_thresholds", "suspend_thresholds", "ckpt_list", "pe_list", "prolog", "epilog", "calendar"),
    *("starter_method", "suspend_method", "resume_method", "terminate_method", "owner_list"),
    *("user_lists", "xuser_lists", "subordinate_list", "complex_values", "projects", "xprojects"),
]
_LIMITS = ("rt", "cpu", "fsize", "data", "stack", "core", "rss", "vmem")


def missing() -> str | None:
    """Return why there can be no Grid Engine here; None where there can."""
    if any(not (BINARIES / name).is_file() for name in ("sge_qmaster", "sge_execd", "qconf", "spoolinit")):
        return f"no Grid Engine in {BINARIES}: packages gridengine-master gridengine-exec gridengine-client"
    return None if os.geteuid() == 0 else "the node of Grid Engine needs root"


def _changed(configuration: str, values: Mapping[str, str]) -> str:
    """Return a configuration with other values of some of its words."""
    lines = [line.split(maxsplit=1) for line in configuration.splitlines() if not line.startswith("#")]
    return "".join(f"{one[0]} {values.get(one[0], one[-1])}\n" for one in lines if one)


@contextmanager
def small_grid(folder: Path) -> Iterator[dict[str, str]]:
    """Run it; yield the variables that its programs need, the path among them."""
    common, spool = folder / "default" / "common", folder / "spool"
    for one in (common, spool / "master", spool / "node"):
        one.mkdir(parents=True)
    (folder / "util").symlink_to(_SHARED / "util")
    ports = free_ports(2)
    own = {
        **{"SGE_ROOT": str(folder), "SGE_CELL": "default", "SGE_ND": "1"},
        **{"SGE_QMASTER_PORT": str(ports[0]), "SGE_EXECD_PORT": str(ports[1])},
        "PATH": f"{BINARIES}:{os.environ['PATH']}",
    }
    environment = os.environ | own
    known = {"common": common, "spool": spool / "master", "binaries": BINARIES}
    (common / "bootstrap").write_text(_BOOTSTRAP.format(**known), encoding="ascii")
    (common / "act_qmaster").write_text(f"{_HOST}\n", encoding="ascii")
    (common / "host_aliases").write_text(f"{_HOST} {socket.gethostname()}\n", encoding="ascii")
    usual = (_SHARED / "default-configuration").read_text(encoding="ascii")
    (folder / "configuration").write_text(
        _changed(usual, _OWN | {"execd_spool_dir": str(spool / "node")}), encoding="ascii"
    )
    host = {"hostname": _HOST} | dict.fromkeys(_NONE_OF_HOST, "NONE")
    limits = {f"{kind}_{what}": "INFINITY" for kind in "sh" for what in _LIMITS}
    queue = _QUEUE | dict.fromkeys(_NONE_OF_QUEUE, "NONE") | limits
    for name, values in (("host", host), ("queue", queue)):
        text = "".join(f"{word} {value}\n" for word, value in values.items())
        (folder / name).write_text(text, encoding="ascii")

    def said(name: str, *words: str) -> str:
        line = [str(BINARIES / name), *words]
        return subprocess.run(line, env=environment, capture_output=True, text=True, check=True, timeout=_UP_S).stdout

    def run(name: str, *words: str) -> bool:
        line = [str(BINARIES / name), *words]
        return subprocess.run(line, env=environment, capture_output=True, check=False, timeout=_UP_S).returncode == 0

    def until(name: str, *words: str) -> None:
        end = time.monotonic() + _UP_S
        while not run(name, *words):
            assert time.monotonic() < end, f"{name} {' '.join(words)} fails: see {folder}"
            time.sleep(0.2)

    assert run("spoolinit", "classic", "libspoolc", f"{common};{spool / 'master'}", "init")
    assert run("spooldefaults", "configuration", str(folder / "configuration"))
    assert run("spooldefaults", "complexes", str(_SHARED / "util/resources/centry"))
    assert run("spooldefaults", "usersets", str(_SHARED / "util/resources/usersets"))
    assert run("spooldefaults", "managers", "root")
    with ExitStack() as stack:
        stack.enter_context(daemon([str(BINARIES / "sge_qmaster")], environment))
        until("qconf", "-as", _HOST)
        (folder / "schedule").write_text(_changed(said("qconf", "-ssconf"), _SOON), encoding="ascii")
        until("qconf", "-Msconf", str(folder / "schedule"))
        until("qconf", "-Ae", str(folder / "host"))
        until("qconf", "-Aq", str(folder / "queue"))
        stack.enter_context(daemon([str(BINARIES / "sge_execd")], environment))
        yield own
