"""The seven TCP-over-UBR tasks (Goyal, Jain and others, 1997 to 1999): a part an experiment.

| module | what |
|---|---|
| ``part`` | what a part is: its task, its scenario file, the points and metrics of it |
| ``levels``, ``levels_ubr_class`` | the points of the parts, and the parts themselves |
| ``parts`` | all of them, in the order of the report |
| ``scenarios`` | every number of each part, one file a part |
| ``settings`` | what ``--set`` may change of them |
| ``metrics`` | the columns of a run become efficiency, fairness and diagnostics |
| ``runs`` | a campaign for each part, one for its points with many sources, one that is watched |
| ``smallest`` | the smallest buffer that reaches 98 %, searched for |
| ``analysis``, ``claims`` | runs become tables and verdicts |
| ``study`` | all of it, in order |
| ``outputs``, ``tables`` | files, and tables for a terminal |
| ``sensitivity`` | what each open convention is worth |
"""
