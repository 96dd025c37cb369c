"""Jobs: many runs in a separate process."""
