"""Table III with the kernel's TCP, beside the paper and the simulation under each convention.

Nothing here is imported but for ``request`` and ``tables`` unless the option is given.
"""
