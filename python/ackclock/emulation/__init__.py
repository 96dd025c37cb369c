"""The same scenario with a real kernel's TCP, in real time; Linux only.

The command makes a *launcher*, a process with namespaces of its own; its child, the *supervisor*, is
process 1 of a PID namespace and makes devices, one *agent* for each node at which a flow ends, and
the *driver*, which carries packets through the network of the plan. Whatever ends the command, the
kernel ends all of them, and with them their namespaces and devices: see
docs/adr/0014-emulation.md.

Supervisor, agents and driver use the standard library alone, and are forked without an exec.
"""
