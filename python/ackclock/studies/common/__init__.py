"""What published studies have in common.

| module | what |
|---|---|
| ``levels`` | the levels that an option of the command names |
| ``file`` | a study's scenario file, and what ``--set`` may change in it |
| ``running`` | the runs of some of its points, in a folder |
| ``result`` | what is asked for, what every study gives, the command for it |
| ``claims`` | conclusions as tests |
| ``outputs`` | CSV files and the report |
| ``tables`` | tables for a terminal of 80 columns |
"""
