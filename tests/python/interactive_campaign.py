"""A small campaign with everything that an interactive report shows, named as badly as can be."""

from results_campaigns import LAB

CLOSED = "</script></style><script>document.body.id = 9</script><!--"
PROBES = """
rtt = ["a 1", "b"]
states = ["a 1", "b"]
segments = ["a 1"]
delays = true
"""
TEXT = (
    LAB.replace('"Two <TCPs> & a bottleneck"', f'"{CLOSED}"')
    .replace('cwnd = ["a 1", "b"]', f'cwnd = ["a 1", "b"]{PROBES}')
    .replace('metrics = ["goodput_bit_s", "timeouts"]', 'metrics = ["goodput_bit_s"]')
)
