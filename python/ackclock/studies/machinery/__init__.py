"""What all studies share: everything but their scenarios, measures, claims and pictures.

| module | what |
|---|---|
| ``study`` | ``Study``, ``Part``: what a study declares |
| ``request``, ``levels`` | what is asked for: levels, replications, settings |
| ``file``, ``settings`` | scenario files, what ``--set`` may change, the list of settings |
| ``running`` | a campaign a part; what is recorded over time |
| ``analysis`` | means with intervals, analysis of variation, printed numbers beside them |
| ``claims``, ``evidence``, ``values`` | conclusions as tests, and what the tests look at |
| ``reproduce`` | all of it, in order |
| ``outputs``, ``terminal`` | files, and tables for a terminal |
| ``report``, ``conventions``, ``words`` | the page: its shape, all settings, sentences |
| ``plain``, ``experiment``, ``tables``, ``figures`` | what pages show of parts |
| ``sensitivity`` | what each open convention is worth |
| ``printed`` | printed tables, for the lab |
| ``counting`` | how studies over ATM count data and time |
"""
