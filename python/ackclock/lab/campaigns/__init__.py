"""The campaigns in the user's folder: their points, runs, means and differences."""
