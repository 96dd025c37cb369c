"""How messages call what runs record, and what asks for it."""

ASK = {
    "queue": 'queue = "10 ms"',
    "goodput": 'goodput = "100 ms"',
    "cwnd": 'cwnd = "all"',
    "acr": 'acr = "10 ms"',
    "transport": 'transport = "10 ms"',
    "delays": "delays = true",
    "segments": 'segments = "all"',
    "rtt": 'rtt = "all"',
    "states": 'states = "all"',
    "packets": "packets = true",
    # They have no probe of their own: a run that is recorded has them.
    "transfers": "replications = 1",
    "vcs": 'queue = "1 s"',
    "classes": 'queue = "1 s"',
}
"""What to write in ``[probes]`` to have a table."""
CALLED = {
    "transfers": "list of pages",
    "acr": "allowed cell rate",
    "transport": "state of the senders",
    "delays": "distribution of delays",
    "segments": "list of segments",
    "rtt": "list of RTTs",
    "states": "list of states",
    "packets": "list of packets",
    "vcs": "list of VCs",
    "classes": "list of queues by category",
}
"""What messages call a table, if not by its name."""
