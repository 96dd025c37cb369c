"""L4S through DualPI2: Prague beside CUBIC (RFC 9332); see ``study``."""
