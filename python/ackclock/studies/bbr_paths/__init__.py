"""BBR on lossy, changing and shared paths (Cardwell, Cao, Hock), and version 3; see ``study``."""
