"""The points at which a scenario is run: factors, their levels, and designs that combine them."""
