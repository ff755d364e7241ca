"""Many solutions of small systems of equations by LAPACK, one after the other: small_solves.py SCALE."""

import sys

import numpy

TIMES, SIZE = 6000, 64

drawn = numpy.random.default_rng(1)
matrix = drawn.random((SIZE, SIZE)) + SIZE * numpy.eye(SIZE)
right = drawn.random((SIZE, 8))
total = 0.0
for _ in range(int(TIMES * float(sys.argv[1]))):
    total += numpy.linalg.solve(matrix, right)[0, 0]
print(f"{total:.6g}")
