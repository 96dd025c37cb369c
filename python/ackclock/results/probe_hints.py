"""Names of records in messages, and the probes that record them."""

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
    # These tables have no probe of their own: every recorded run has them.
    "transfers": "replications = 1",
    "vcs": 'queue = "1 s"',
    "classes": 'queue = "1 s"',
}
"""The line in ``[probes]`` that records each table."""
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
"""Names of tables in messages, where they differ from the table's name."""
