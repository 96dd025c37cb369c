"""Increased initial windows (RFC 2415): 12 scenarios, 4 windows, 2 versions of HTTP, and more.

| module | what |
|---|---|
| ``levels``, ``parts`` | the scenarios; the parts of the study, and what each changes in the file |
| ``scenario.toml`` | every number of the study |
| ``settings`` | what ``--set`` may change of it |
| ``runs`` | the requested runs, a campaign for each part |
| ``metrics`` | the columns of a run become goodput, delays, utilisation and drops |
| ``analysis``, ``published``, ``comparison`` | runs become means; what is printed, beside them |
| ``claims`` | what the RFC concludes, as tests |
| ``study`` | all of it, in order |
| ``outputs``, ``tables`` | files, and tables for a terminal |
| ``sensitivity`` | what each open convention is worth |
"""
