"""Scenarios of ATM networks with switches and virtual circuits."""

K_N = """
duration = "10 s"
[topology]
kind = "atm_clients"
servers = 2
clients_per_server = 3
trunk = { rate = "45 Mbit/s", delay = "5 ms" }
access = { rate = "155.52 Mbit/s", delay = "5 ms" }
"""
"""Clients over ATM, and nothing but what must be said."""

ATM_CLIENTS = f"""
warm_up = "1 s"
{K_N}
[topology.abr]
icr = "10 Mbit/s"
rif = 1
rdf = "1/8"
crm = "off"
tcr = "20 cells/s"

[topology.switch]
interval_cells = 100
target_delay = "1 ms"
abr_buffer = "20000 cells"
ubr_buffer = "unlimited"

[[topology.background]]
name = "voice"
kind = "cbr"
rate = "2 Mbit/s"
count = 2

[[topology.background]]
name = "film"
kind = "video"
direction = "reverse"
gop = "IBB"
stop = "5 s"

[[topology.background]]
name = "bursts"
kind = "on_off"
rate = "10 Mbit/s"
on = "20 ms"
off = "60 ms"
times = "exponential"
start = "1 s"

[[topology.background]]
name = "rest"
kind = "greedy"
count = "= clients"

[variables]
clients = 0

[workload]
kind = "www_batches"
first_alone = true
gap_min = "0 s"
gap_max = "0 s"

[probes]
acr = "10 ms"
queue = "10 ms"

[sweep.factors]
"topology.service" = ["abr", "ubr"]
clients = [0, 2]
"""

ATM_NETWORK = """
duration = "2 s"

[topology]
kind = "atm_network"
hosts = ["a", "b", "c", "d"]
switches = ["S1", "S2", "S3"]
service = "ubr"
switch = { rate_control = "efci", ubr_buffer = "2 rtt", policy = "selective_drop" }

[[topology.links]]
between = ["a", "S1"]
rate = "155.52 Mbit/s"
delay = "1 ms"

[[topology.links]]
between = ["S3", "b"]
rate = "155.52 Mbit/s"
delay = "2 ms"

[[topology.links]]
between = ["c", "S1"]
rate = "25 Mbit/s"
delay = "0 ms"

[[topology.links]]
between = ["d", "S3"]
rate = "155.52 Mbit/s"
delay = "1 ms"

[[topology.links]]
between = ["S1", "S2"]
rate = "45 Mbit/s"
delay = "5 ms"

[[topology.links]]
from = "S2"
to = "S3"
rate = "50 Mbit/s"
delay = "5 ms"

[[topology.links]]
from = "S3"
to = "S2"
rate = "40 Mbit/s"
delay = "7 ms"

[[topology.sources]]
name = "long"
kind = "greedy"
from = "a"
to = "b"

[[topology.sources]]
name = "vbr"
kind = "on_off"
from = "c"
to = "b"
rate = "5 Mbit/s"
times = "pareto"
shape = 1.2

[[flows]]
name = "file"
count = 2
from = "a"
to = "d"

[[flows]]
name = "up"
from = "d"
to = "c"
service = "abr"
"""

ATM_GFR = """
duration = "2 s"
warm_up = "500 ms"

[topology]
kind = "atm_clients"
trunk = { rate = "149.76 Mbit/s", delay = "1 ms" }
access = { rate = "155.52 Mbit/s", delay = "5 us" }
service = "gfr"

[topology.gfr]
mcr = "1 Mbit/s"
cdvt = "10 us"
tagging = true

[topology.switch]
ubr_buffer = "2000 cells"
policy = "dfba"
l = 0.4
h = "90 %"
alpha = 0.25
ubr_share = 0.1
ubr_queueing = "fifo"
excess = "proportional"

[[topology.background]]
kind = "on_off"
rate = "100 Mbit/s"
on = "100 ms"
off = "100 ms"

[tcp]
flavor = "sack"
smss = "1024 B"

[tcp.historic]
cwnd_rounding = "down"
cwnd_ack_batch = 4
retransmit_wait = 0.5

[[flows]]
name = "gold"
count = 2
mcr = "20 Mbit/s"

[[flows]]
name = "silver"
mcr = "= flows[0].mcr / 2"

[[flows]]
name = "bronze"

[[flows]]
name = "rest"
service = "ubr"
tcp = { flavor = "reno", historic = { retransmit_wait = 0 } }

[sweep.factors]
"topology.switch.ubr_queueing" = ["fifo", "per_vc"]
"""
