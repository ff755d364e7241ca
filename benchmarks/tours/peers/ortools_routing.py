"""OR-Tools' routing library: guided local search from the cheapest arcs on, as its guide has it for this problem."""

from __future__ import annotations

from ortools.constraint_solver import pywrapcp, routing_enums_pb2
from peer_task import Task, tell

task = Task.given()
cities = len(task.matrix)
manager = pywrapcp.RoutingIndexManager(cities, 1, 0)
routing = pywrapcp.RoutingModel(manager)
routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(task.matrix.tolist()))
parameters = pywrapcp.DefaultRoutingSearchParameters()
parameters.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PATH_CHEAPEST_ARC
parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
parameters.time_limit.FromMilliseconds(max(1, int(task.left_s * 1000)))
found = routing.SolveWithParameters(parameters)
if found is None:
    raise SystemExit("no tour within the time")
order, index = [], routing.Start(0)
while not routing.IsEnd(index):
    order.append(manager.IndexToNode(index))
    index = found.Value(routing.NextVar(index))
tell(order)
