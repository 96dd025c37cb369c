"""The names of the metrics of a run; what they mean is told where they are computed."""

METRIC_NAMES = (
    "goodput_bit_s",
    "throughput_bit_s",
    "efficiency",
    "utilisation",
    "jain_fairness",
    "max_min_fairness",
    "offered_load",
    "requests",
    "segments_sent",
    "retransmitted_share",
    "timeouts",
    "fast_retransmits",
    "drops",
    "losses",
    "marks",
    "max_queue",
    "mean_queue",
    "completion_s",
    "completed_flows",
)
