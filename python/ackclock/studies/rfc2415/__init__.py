"""Increased initial windows (RFC 2415); see ``study``."""
