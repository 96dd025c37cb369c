"""Throughput of TCP NewReno (Parvez, Mahanti, Williamson): every experiment, beside the formulas.

| module | what |
|---|---|
| ``levels`` | the curves of the paper |
| ``parts`` | the parts of the study, and what each changes in the file |
| ``scenario.toml`` | every number of the study |
| ``settings`` | what ``--set`` may change of it |
| ``runs`` | the requested runs, a campaign for each part |
| ``metrics`` | the columns of a run become throughput, p, R and RTO of the measured flows |
| ``predictions`` | what each formula says of each of them |
| ``analysis``, ``published`` | means and errors; what is printed, beside them |
| ``emulation``, ``internet`` | Tables III and IV |
| ``kernel`` | Table III with the kernel's TCP |
| ``claims`` | what the paper concludes, as tests |
| ``study`` | all of it, in order |
| ``outputs``, ``tables`` | files, and tables for a terminal |
| ``sensitivity`` | what each open convention is worth |
"""
