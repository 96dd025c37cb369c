"""A settled scenario becomes the plan of one run, and what the results need to know of it."""
