"""The end of slow start: HyStart++ (RFC 9406) beside two others; see ``study``."""
