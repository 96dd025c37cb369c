"""Guided lessons: files of steps, and their reader."""
