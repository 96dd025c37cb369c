"""WWW over ABR with ERICA+ (Vandalore et al.): 1 to 15 servers, and the same load over UBR+.

| module | what |
|---|---|
| ``levels`` | the numbers of servers and the services; the points of each part |
| ``parts`` | the parts of the study, and what each changes in the file |
| ``scenario.toml`` | every number of the study |
| ``settings`` | what ``--set`` may change of it |
| ``bounds`` | the round-trip time in cells, and the most that TCP can get |
| ``runs`` | the requested runs, a campaign for each part; some runs watched |
| ``metrics`` | the columns of a run become throughput, queues, losses and response times |
| ``analysis``, ``published``, ``comparison`` | runs become means; Table 2 beside them |
| ``claims`` | what the paper concludes, as tests |
| ``study`` | all of it, in order |
| ``outputs``, ``tables`` | files, and tables for a terminal |
| ``sensitivity`` | what each open convention is worth |
"""
