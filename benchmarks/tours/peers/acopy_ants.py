"""acopy: ten ants at a time, each shorter tour told as it comes, until the time is over."""

from __future__ import annotations

import random

import acopy
import networkx
import numpy as np
from acopy.plugins import TimeLimit
from peer_task import Task, tell

ANTS = 10  # its default, one for each city, finishes no round in time with 200

task = Task.given()
random.seed(task.seed)
graph = networkx.complete_graph(len(task.matrix))
# A hundredth of what a round leaves: the best of what was tried, with one seed and ten seconds. 0.1 and 1 of it gave
# longer tours of 51, 100 and 198 cities; none (its own) as short a one of 51, but one of 100 twice as long.
pheromone = 0.01 * ANTS / np.partition(task.matrix, 1, axis=1)[:, 1].sum()
for one, other in graph.edges:
    weight = max(1, int(task.matrix[one, other]))  # it divides by them
    graph.edges[one, other].update(weight=weight, pheromone=pheromone)
solver = acopy.Solver(rho=0.03, q=1, plugins=[TimeLimit(task.left_s)])
for found in solver.optimize(graph, acopy.Colony(alpha=1, beta=3), gen_size=ANTS):
    tell(found.nodes)
