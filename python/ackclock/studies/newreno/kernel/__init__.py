"""Table III with the kernel's TCP, beside the paper and the simulation under each convention.

``ackclock.emulation`` is imported only where ``--emulate`` is given.
"""
