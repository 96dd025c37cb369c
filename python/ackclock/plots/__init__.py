"""Figures: each function takes a frame, returns a matplotlib figure, and keeps no state.

| module | what it draws |
|---|---|
| ``agreement`` | simulated against published values |
| ``interaction`` | means against a factor, one line per level of another |
| ``effects`` | main effects with intervals, of one or two sources |
| ``allocation`` | shares of the variation, simulated beside published |
| ``shares`` | shares of the variation, a bar an experiment |
| ``panels`` | means with intervals at equal distances, with a line to compare with |
| ``plane`` | one metric against another, coloured and marked by two factors |
| ``traces`` | queue and cwnd over time |
| ``means`` | means with intervals against a factor, a line a series, a panel a facet |
| ``windows`` | cwnd of flows and their queue on one time axis, one panel per run |
| ``distributions`` | shares of values up to each value, or above it, one line per level of a factor |
| ``boxes`` | quartiles and percentiles of values, one box per level of a factor |
| ``heatmap`` | means over two factors |
| ``sequence`` | time-sequence diagram of a connection, with the signs of tcptrace |
| ``differences`` | differences from a baseline with intervals |
| ``target`` | a metric against a size, the target, and where it is reached |
| ``histograms`` | values with their counts, for distributions and boxes |
| ``panel_grid`` | one panel per level, beside and below each other |
| ``axes`` | where axes of shares start, scales, points that stand aside |
| ``steps`` | windows over time as lines, for those who draw them |
| ``quantities`` | names and units of columns as people read them |
| ``sourced`` | a figure that says what produced it |
| ``style`` | colours, markers, line styles, sizes |
| ``glyphs`` | characters that the font does not have |
| ``svg`` | a figure as text for a page |

Importing any of them imports matplotlib; a command does so when it draws.
"""
