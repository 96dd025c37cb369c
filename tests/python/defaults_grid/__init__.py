"""All defaults over a grid of paths, numbers of flows and flavors, and what keeps a cell low."""
