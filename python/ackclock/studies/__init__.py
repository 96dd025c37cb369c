"""Published studies, re-run: one folder each."""
