"""Table III with the kernel's TCP, beside the paper and the simulation under each convention.

| module | what |
|---|---|
| ``conventions`` | the conventions, and the scenarios of their runs |
| ``running`` | the runs: simulated and emulated, two campaigns |
| ``measuring`` | a row a run |
| ``tables`` | Table III beside all of them; what each step from one to the next is worth |
| ``words`` | which is nearest to which, and why, in sentences |
| ``pasted`` | all of it in Markdown |
"""
