"""Figures: each function takes a frame and gives a matplotlib figure, and keeps no state.

| module | what it draws |
|---|---|
| ``agreement`` | simulated against published values |
| ``interaction`` | means against a factor, a line a level of another |
| ``effects`` | main effects with intervals, simulated beside published |
| ``allocation`` | shares of the variation, simulated beside published |
| ``traces`` | queue and cwnd over time |
| ``style`` | colours, markers, line styles, sizes |
| ``svg`` | a figure as text for a page |

Importing any of them imports matplotlib; a command does so when it draws.
"""
