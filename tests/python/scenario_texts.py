"""Scenarios for the tests: small ones, and one with nearly every key."""

from atm_texts import ATM_CLIENTS, ATM_GFR, ATM_NETWORK

DUMBBELL = """
duration = "10 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "20 ms" }
"""

EVERYTHING = """
title = "Two TCPs share a bottleneck"
description = "What to see: who gets how much."
duration = "60 s"
warm_up = "10 s"
seed = 7
replications = 10
metrics = ["efficiency"]

[variables]
k = 0.5
delays = ["10 ms", "= 2 * delays[0]"]
long = true

[topology]
kind = "dumbbell"
clients_per_server = 2
access = { rate = "100 Mbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "10 Mbit/s"
delay = "20 ms"
queue = { kind = "drop_tail", limit = "= k * 40" }
reverse_queue = { limit = "64 kB" }
impairments = [
    { kind = "bernoulli", loss = "1 %" },
    { kind = "gilbert_elliott", good_to_bad = 0.001, bad_to_good = 0.1, loss_good = "0 %" },
    { kind = "scripted", lost = [14, 28] },
]
reverse_impairments = [
    { kind = "jitter", spread = "1 ms" },
    { kind = "duplicate", probability = 0.25 },
    { kind = "mark", probability = "2 %" },
]

[clock]
tick = "10 ms"
phase = "uniform 10 ms"

[tcp]
flavor = "newreno"
deflation = "full"
initial_ssthresh = "1 MB"
window_scale = 4

[workload]
kind = "bulk"
size = "10 MB"

[[flows]]
name = "a"
count = 3
tcp = { flavor = "reno" }
workload = { start = "5 s" }

[[flows]]
name = "b"
reverse = true
access = { delay = "= delays[1]", queue = { limit = "0.5 rtt" } }
sender_tcp = { min_rto = "400 ms", initial_rto = "= 2 * flows[1].sender_tcp.min_rto" }
receiver_tcp = { delayed_ack = "off" }
workload = { kind = "www_batches", gap_max = "1 s", class_shares = [0.2, 0.2, 0.2, 0.2, 0.2] }

[probes]
queue = "10 ms"
goodput = "100 ms"
cwnd = ["a 1", "b"]
replications = 2

[sweep]
design = "cross"

[sweep.factors]
k = [0.25, 0.5]
"tcp.flavor" = ["reno", "= 'sack' if long else 'reno'"]
"topology.bottleneck.delay" = { from = "10 ms", to = "100 ms", count = 3, scale = "log" }
buffer = { small = { "tcp.receive_buffer" = "64 kB" }, large = { tcp.receive_buffer = "1 MB" } }

[[figures]]
x = "topology_bottleneck_delay_s"
y = "goodput_bit_s"
series = "tcp_flavor"
facet = "buffer"
name = "goodput"
x_scale = "log"
"""

PARKING_LOT = """
duration = "10 s"
[topology]
kind = "parking_lot"
hops = 3
bottleneck = { rate = "10 Mbit/s", delay = "8 ms" }
access = { delay = "1 ms" }
"""

GRAPH = """
duration = "10 s"

[topology]
kind = "graph"
nodes = ["a", "r", "s", "b"]

[[topology.links]]
between = ["a", "r"]
rate = "100 Mbit/s"
delay = "1 ms"

[[topology.links]]
between = ["r", "s"]
rate = "10 Mbit/s"
delay = "5 ms"
queue = { limit = "2 rtt" }

[[topology.links]]
from = "s"
to = "b"
rate = "100 Mbit/s"
delay = "2 ms"
impairments = [{ kind = "bernoulli", loss = "2 %" }]

[[topology.links]]
from = "b"
to = "s"
rate = "1 Gbit/s"
delay = "3 ms"

[[flows]]
name = "one"
from = "a"
to = "b"

[[flows]]
name = "two"
count = 2
from = "b"
to = "r"
"""

ATM = """
duration = "100 s"

[topology]
kind = "atm_dumbbell"
pairs = 3
trunk = { rate = "45 Mbit/s", delay = "5 ms" }
access = { rate = "149.76 Mbit/s", delay = "5 us" }
port = { buffer = "531 cells", policy = "selective_drop" }

[clock]
tick = "100 ms"
phase = "uniform 300 us"

[tcp]
flavor = "newreno_hoe"
smss = "1024 B"
initial_window = 1
initial_ssthresh = "= 2 * topology.trunk.delay * topology.trunk.rate / 8"
receive_buffer = "65535 B"
delayed_ack = "off"
sws_avoidance = false
idle_restart = false
ssthresh_from = "cwnd"
initial_rto = "3 s"
min_rto = "200 ms"
max_rto = "64 s"

[workload]
kind = "www_batches"
"""

WEB = """
duration = "20 s"
warm_up = "2 s"

[variables]
ftps = 1

[topology]
kind = "dumbbell"
hosts = 4
access = { rate = "10 Mbit/s" }

[topology.bottleneck]
rate = "1.5 Mbit/s"
delay = "50 ms"
queue = { kind = "red", limit = "25 packets", min_thresh = "4.5 packets", max_p = "5 %" }

[workload]
kind = "http10"
inline_objects = 2
sizes = "mah_http"
pause_max = "3 s"
start_spread = "10 ms"

[[flows]]
name = "old"
count = 3

[[flows]]
name = "new"
count = 2
workload = { kind = "http11", sizes = "12 kB", sizes_interpolation = "none" }

[[flows]]
name = "ftp"
count = "= ftps"
workload = { kind = "ftp", file_size = "200 kB" }

[[flows]]
name = "back"
reverse = true
workload = { kind = "http11", sizes = "sizes.csv", start = "20 ms" }

[sweep.factors]
ftps = [0, 1]

[files]
"sizes.csv" = "u,bytes\\n0.5,1000\\n1,20000\\n"
"""

BACKGROUND = """
duration = "20 s"
warm_up = "5 s"
metrics = ["foreground_goodput_bit_s"]

[topology]
kind = "parking_lot"
hops = 2
bottleneck = { rate = "15 Mbit/s", delay = "3 ms", queue = { limit = "150 packets" } }
access = { delay = "1 ms", delay_spread = "110 ms" }

[workload]
kind = "http_sessions"
request_size = "200 B"
mean_size = "24 kB"
shape = 1.5
pause = "1 s"
answers_with_ack = false
start_spread = "20 ms"

[[flows]]
name = "web"
count = 3
path = 1

[[flows]]
name = "cbr"
path = 2
workload = { kind = "cbr", rate = "500 kbit/s", packet_size = "200 B" }

[[flows]]
name = "bursts"
count = 2
workload = { kind = "on_off", mean_on = "1 s", mean_off = "2 s", shape = 1.9, start = "10 ms" }

[[flows]]
name = "watched"
foreground = true
access = { delay = "15 ms", delay_spread = "0 s" }
workload = { kind = "bulk" }
impairments = [
    { kind = "loss_events", rate = "0.05 %", losses = 5, of = "data" },
    { kind = "bernoulli", loss = "= 2 * flows[3].impairments[0].rate", of = "data" },
]
reverse_impairments = [
    { kind = "two_parameter", p = 0.001, q = "10 %", span = "74 ms" },
    { kind = "gilbert_elliott", good_to_bad = 0.01, bad_to_good = 0.5, of = "acks" },
]

[sweep.factors]
"flows[3].impairments[0].losses" = [1, 5]
"""

ALL = {
    "dumbbell": DUMBBELL,
    "everything": EVERYTHING,
    "parking_lot": PARKING_LOT,
    "graph": GRAPH,
    "atm": ATM,
    "web": WEB,
    "background": BACKGROUND,
    "atm_clients": ATM_CLIENTS,
    "atm_network": ATM_NETWORK,
    "atm_gfr": ATM_GFR,
}
