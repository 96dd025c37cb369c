"""Figures: each function takes a frame, returns a matplotlib figure, and keeps no state.

| module | what it draws |
|---|---|
| ``agreement`` | simulated against published values |
| ``interaction`` | means against a factor, one line per level of another factor |
| ``effects`` | main effects with intervals, of one or two sources |
| ``allocation`` | shares of the variation, simulated beside published |
| ``shares`` | shares of the variation, one bar per experiment |
| ``panels`` | means with intervals at equal distances, with a reference line |
| ``plane`` | one metric against another, coloured and marked by two factors |
| ``traces`` | queue and cwnd over time |
| ``means`` | means with intervals against a factor, one line per series, one panel per facet |
| ``windows`` | cwnd of flows and their queue on one time axis, one panel per run |
| ``distributions`` | distribution functions of values, one line per level of a factor |
| ``boxes`` | quartiles and percentiles of values, one box per level of a factor |
| ``heatmap`` | means over two factors |
| ``sequence`` | time-sequence diagram of a connection, with the signs of tcptrace |
| ``differences`` | differences from a baseline with intervals |
| ``ratios`` | ratios with intervals, one row each, coloured by verdict |
| ``target`` | a metric against a size, the target, and the sizes that reach it |
| ``histograms`` | values with their counts, for distributions and boxes |
| ``panel_grid`` | one panel per level, beside and below each other |
| ``axes`` | start of axes of shares, scales, points that are moved aside |
| ``steps`` | windows over time as lines of steps |
| ``quantities`` | readable names and units of columns |
| ``sourced`` | a figure that states its source |
| ``style`` | colours, markers, line styles, sizes |
| ``glyphs`` | warnings of characters that the font does not have |
| ``svg`` | a figure as text for a page |

Each of these modules imports matplotlib, so a command imports them only to draw.
"""
