"""The lab in reports and in notebooks."""
