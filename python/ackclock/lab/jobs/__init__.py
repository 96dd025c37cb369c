"""Jobs: many runs in a process of their own."""
