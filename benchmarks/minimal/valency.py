"""A graph to fill with python-sat: one module on each node, and on each edge only modules that bond."""

from __future__ import annotations

import json
import sys

from pysat.solvers import Cadical153

with open(sys.argv[1], encoding="utf-8") as file:
    task = json.load(file)
modules = [module["name"] for module in task["rules"]["modules"]]
bonds = {module["name"]: set(module["bonds"]["*"]) for module in task["rules"]["modules"]}
graph = task["cluster"]["graph"]
nodes = [node["id"] for node in graph["nodes"]]
number = {(node, module): n for n, (node, module) in enumerate(((a, b) for a in nodes for b in modules), start=1)}

clauses = [[number[node, module] for module in modules] for node in nodes]
for node in nodes:
    for n, module in enumerate(modules):
        clauses += [[-number[node, module], -number[node, other]] for other in modules[n + 1 :]]
for one, other, *_ in graph["edges"]:
    for module in modules:
        for beside in modules:
            if beside not in bonds[module] or module not in bonds[beside]:
                clauses.append([-number[one, module], -number[other, beside]])

with Cadical153(bootstrap_with=clauses) as solver:
    if solver.solve():
        true = {literal for literal in solver.get_model() if literal > 0}
        print("YES")
        for node in nodes:
            print(node, *(module for module in modules if number[node, module] in true))
    else:
        print("NO")
