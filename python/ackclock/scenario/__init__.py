"""What a person writes, and the plan that it becomes."""
