"""Campaigns: make the runs of a scenario in a folder, each once, even after interruptions.

``run_campaign`` makes the missing runs, ``run_campaigns`` those of several campaigns together, and
``Campaign.open`` reads the existing ones. What makes runs is imported when it is asked for, so that
who only reads does not wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.campaign.events import (
    CampaignWarning,
    Event,
    Failed,
    Failure,
    Finished,
    Noted,
    Progressed,
    Simulated,
    Started,
    Stopping,
)
from ackclock.campaign.interrupt import StoppedAtOnce
from ackclock.campaign.reader import Campaign, Run
from ackclock.late_names import late_names

if TYPE_CHECKING:
    from ackclock.campaign.opening import CampaignRequest, Summary
    from ackclock.campaign.run import OnProgress, run_campaign, run_campaigns

__all__ = [
    "Campaign",
    "CampaignRequest",
    "CampaignWarning",
    "Event",
    "Failed",
    "Failure",
    "Finished",
    "Noted",
    "OnProgress",
    "Progressed",
    "Run",
    "Simulated",
    "Started",
    "StoppedAtOnce",
    "Stopping",
    "Summary",
    "run_campaign",
    "run_campaigns",
]

_HOMES = {
    **dict.fromkeys(("OnProgress", "run_campaign", "run_campaigns"), "run"),
    **dict.fromkeys(("CampaignRequest", "Summary"), "opening"),
}


__getattr__ = late_names(__name__, _HOMES)
