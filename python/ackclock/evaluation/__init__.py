"""The Common TCP Evaluation Suite: how a TCP compares with others, in one report.

Source: D. Hayes, D. Ros, L. Andrew, S. Floyd, Common TCP Evaluation Suite,
draft-irtf-iccrg-tcpeval-01, 2014.

| module | what |
|---|---|
| ``scenarios/`` | the networks and the traffic |
| ``points`` | the experiments and their points |
| ``metrics`` | one run in numbers |
| ``suite`` | the experiments for some TCPs, as the parts of a study |
| ``comparison`` | the TCP under test beside each of the others, with intervals |
| ``report`` | what the report shows |
"""
