"""WWW traffic over UBR+ with limited buffers (ATM Forum 98-0876): 72 runs, three links.

| module | what |
|---|---|
| ``levels`` | the factors and their levels, and the choice of some of them |
| ``scenario.toml`` | every number of the study |
| ``settings`` | what ``--set`` may change of it |
| ``runs`` | the runs of the points that are asked for |
| ``metrics`` | the columns of a run become efficiency, fairness and diagnostics |
| ``analysis``, ``claims`` | runs become tables and verdicts |
| ``study`` | all of it, in order |
| ``outputs``, ``tables`` | files, and tables for a terminal |
"""
