"""The published studies: published numbers, and your own numbers beside them."""
