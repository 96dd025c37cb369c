"""What published studies have in common.

| module | what |
|---|---|
| ``levels`` | the levels that an option of the command names |
| ``file`` | a study's scenario file, and what ``--set`` may change in it |
| ``parts`` | one file for several parts, each of which changes it |
| ``running`` | the runs of some of its points, or of its parts, in a folder |
| ``values`` | what was measured at a point, by replication |
| ``result`` | what is asked for, what every study gives, the command for it |
| ``claims``, ``evidence`` | conclusions as tests; numbers with intervals as their evidence |
| ``outputs`` | CSV files and the report |
| ``tables`` | tables for a terminal of 80 columns |
| ``sensitivity`` | rows of what each open convention is worth |
"""
