"""What replays programs on simulated machines: SimGrid, and the program that is built with it."""

from rooftop.doctor.check import Check, Group, Remedy, header

GROUP: Group = "parallel"

simgrid = Check(
    name="SimGrid",
    group=GROUP,
    costs="programs are simulated by counting alone: their messages are not replayed",
    look=header("simgrid/s4u.hpp"),
    remedy=Remedy(debian=("libsimgrid-dev",)),
)
