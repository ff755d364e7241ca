"""labs/device_distance: a device's register, read from near and from far."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

experiment = Experiment(
    title="Devices near and far from a socket",
    question="How much longer does a processor wait for a device at another socket?",
    rate_unit="k reads/s",
    rate_scale=1e3,
    sizes={"quick": [Case("100 reads", {"reads": 100}, 100, workers=(1,))]},
    predictions=[
        # A read of a register takes about 1 us, most of it on the device's own link; the way between sockets adds 0.1.
        Prediction(of="10-far", over="20-near", formula="1.1 if numa_nodes > 1 else 1", within=1.2),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=9,
        symptoms=(
            "MPI ranks on one of two sockets have a higher latency to other machines.",
            "A GPU or an SSD is slower for some processes than for others on the same machine.",
        ),
        course={"latency from the near and from the far socket": "1739 and 1794, 1610 and 1670, 464 and 559 ns"},
    ),
)
