"""The names of the metrics of a run; what they mean is written where they are computed."""

from ackclock.scenario.compile.facts import SIZE_CLASSES

STATISTICS = ("mean", "p50", "p99")
"""Of completion times and slowdowns, as they stand in names."""


def completion_names(size_class: str) -> tuple[str, ...]:
    """The names of the completion times of a class of ``SIZE_CLASSES``."""
    return tuple(f"completion_{size_class}_{end}_s" for end in STATISTICS)


SLOWDOWNS = tuple(f"slowdown_{end}" for end in STATISTICS)
_RTTS = ("rtt_s", "rtt_p50_s", "rtt_p95_s", "rtt_p99_s", "rtt_max_s")
_QUEUE_DELAYS = tuple(f"queue_delay_{end}_s" for end in ("p50", "p95", "p99", "max"))
VIDEO_NAMES = (
    "video_rate_bit_s",
    "rebuffer_s",
    "rebuffer_ratio",
    "start_up_delay_s",
    "rate_switches",
    "video_qoe",
)
RESPONSES = ("response_s", "response_p95_s", "response_p99_s")
_LIMITS = ("max_cwnd_bytes", "cwnd_limited", "rwnd_limited", "app_limited")
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
    "early_drops",
    "drop_share",
    "losses",
    "marks",
    "max_queue",
    "mean_queue",
    "mean_queue_delay_s",
    *_QUEUE_DELAYS,
    *_RTTS,
    "power",
    "responsiveness_rpm",
    "completion_s",
    "completed_flows",
    *(
        name
        for size_class in SIZE_CLASSES
        for name in (f"completed_{size_class}", *completion_names(size_class))
    ),
    *SLOWDOWNS,
    "pages",
    "page_delay_s",
    "page_delay_no_setup_s",
    "files",
    "file_delay_s",
    "foreground_goodput_bit_s",
    "responses",
    *RESPONSES,
    *VIDEO_NAMES,
    "cells_lost",
    "abr_max_queue_cells",
    "abr_mean_queue_cells",
    "abr_mean_queue_delay_s",
    "mean_acr_bit_s",
    "abr_fairness",
    "source_rate_bit_s",
    "mcr_share",
    "mcr_share_mean",
    "excess_fairness",
    "excess_fairness_proportional",
    "eligible_lost_share",
    *_LIMITS,
)
FLOW_METRIC_NAMES = (
    "goodput_bit_s",
    "throughput_bit_s",
    "requests",
    "segments_sent",
    "segments_retransmitted",
    "timeouts",
    "fast_retransmits",
    "completion_s",
    "slowdown_p50",
    "pages",
    "page_delay_s",
    "files",
    "file_delay_s",
    *_RTTS,
    "queue_delay_mean_s",
    *_QUEUE_DELAYS,
    "first_rto_s",
    *_LIMITS,
    "segments_lost",
    "loss_events",
    "loss_event_rate",
    "loss_rate",
)
"""Those of a flow."""
