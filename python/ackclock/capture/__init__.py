"""Packets of one run as a pcapng file, for Wireshark and the like."""
