"""Plays the recorded actions of every task with the benchmark's own tools, and prints what they made of its data.

Its packages are not imported as such: their __init__ files need libraries for models.
"""

import copy
import importlib
import json
import os
import sys
import types

root = sys.argv[1]
for name in ("tau_bench", "tau_bench.envs", "tau_bench.envs.retail"):
    package = types.ModuleType(name)
    package.__path__ = [os.path.join(root, *name.split("."))]
    sys.modules[name] = package
plain = types.ModuleType("tau_bench.types")
plain.Task = plain.Action = types.SimpleNamespace
sys.modules[plain.__name__] = plain

retail = "tau_bench.envs.retail."
tools = {
    tool.get_info()["function"]["name"]: tool
    for tool in importlib.import_module(retail + "tools").ALL_TOOLS
}
data = importlib.import_module(retail + "data").load_data()


def play(task):
    own = copy.deepcopy(data)
    customer = task.user_id
    actions = []
    for action in task.actions:
        if action.name not in tools:
            continue
        try:
            answer = str(tools[action.name].invoke(data=own, **action.kwargs))
        except Exception as error:
            answer = f"Error: {error}"
        is_refused = answer.startswith("Error")
        if action.name.startswith("find_user_id") and not is_refused:
            customer = answer
        actions.append(
            {
                "name": action.name,
                "args": action.kwargs,
                "refusal": answer if is_refused else None,
            }
        )
    changed = {
        table: {key: row for key, row in rows.items() if row != data[table].get(key)}
        for table, rows in own.items()
    }
    return {"customer": customer, "actions": actions, "changed": changed}


tasks = importlib.import_module(retail + "tasks_test").TASKS_TEST
json.dump([play(task) for task in tasks], sys.stdout)
