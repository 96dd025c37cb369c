"""The lab elsewhere: in reports and in notebooks."""
