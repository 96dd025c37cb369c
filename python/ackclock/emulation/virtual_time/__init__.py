"""Emulation in virtual time: a kernel of its own, whose clock stands still while it computes.

The kernel is User-Mode Linux, a program. Its root is the file system of this computer, read-only;
a folder for each run holds what goes in and comes out. Inside runs the same supervisor as in an
emulation in real time, with the same agents and driver. The clock jumps when all of them wait, so
a run takes the same decisions on any computer, however busy.

See docs/adr/0031-virtual-time.md.
"""
