"""Guided lessons: files of steps, and what reads them."""
