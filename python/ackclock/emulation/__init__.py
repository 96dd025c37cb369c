"""Emulation: runs a scenario with the kernel's TCP in real time; Linux only.

The command starts a *launcher*, a process with its own namespaces. Its child, the *supervisor*, is
process 1 of a PID namespace. The supervisor makes devices, one *agent* for each node at which a
flow ends, and the *driver*, which carries packets through the network of the plan. When the command
ends for any reason, the kernel ends all these processes with their namespaces and devices: see
docs/adr/0014-emulation.md.

Supervisor, agents and driver use only the standard library, and are forked without an exec.
"""
