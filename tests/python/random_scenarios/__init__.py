"""Random scenarios, and what must hold of every one of them.

| module | what |
|---|---|
| ``values`` | a value of a key, from the words in which the reference says what it accepts |
| ``tables`` | a table of the scenario's models with some of its keys, and what is kept small |
| ``networks`` | topologies whose parts fit together, and the groups of flows in them |
| ``whole`` | scenarios with sweeps, probes and mistakes, as tables and as TOML |
| ``properties`` | what must hold of a scenario, whether it is right or wrong |
| ``__main__`` | thousands of them: ``make fuzz-scenarios`` |

A new key, flavor, policy or kind of table is drawn as soon as it is in the models. A key that
accepts something new has no strategy, and ``values.of`` says so.
"""
