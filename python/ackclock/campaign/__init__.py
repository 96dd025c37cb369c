"""Campaigns: make the runs of a scenario in a folder, each once, even after interruptions.

``run_campaign`` makes the missing runs; ``Campaign.open`` reads the existing ones.
"""

from ackclock.campaign.events import (
    CampaignWarning,
    Event,
    Failed,
    Failure,
    Finished,
    Progressed,
    Simulated,
    Started,
    Stopping,
)
from ackclock.campaign.interrupt import StoppedAtOnce
from ackclock.campaign.reader import Campaign, Run
from ackclock.campaign.run import OnProgress, Summary, run_campaign

__all__ = [
    "Campaign",
    "CampaignWarning",
    "Event",
    "Failed",
    "Failure",
    "Finished",
    "OnProgress",
    "Progressed",
    "Run",
    "Simulated",
    "Started",
    "StoppedAtOnce",
    "Stopping",
    "Summary",
    "run_campaign",
]
