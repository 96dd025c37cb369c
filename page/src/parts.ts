// Parts of the page that others fill: a part that is not there has no entry, no route and no button.

import type { ComponentType } from "preact";
import { CampaignPages } from "./campaigns/CampaignPages";
import { PacketsDetail } from "./detail/PacketsDetail";
import { SequenceDetail } from "./detail/SequenceDetail";
import { JobBadge } from "./jobs/JobBadge";
import { JobPages } from "./jobs/JobPages";
import { ManyRuns } from "./jobs/ManyRuns";
import { PairOfRuns } from "./jobs/PairOfRuns";
import { Lessons } from "./lessons/Lessons";
import type { Route } from "./state";
import { StudyPages } from "./studies/StudyPages";

export interface Part {
  /** Its place in the header. */
  readonly label: string;
  readonly href: string;
  /** The routes that it shows. */
  readonly pages: readonly Route["page"][];
  readonly Page: ComponentType<{ route: Route }>;
  /** What stands beside its label, like a number. */
  readonly Badge?: ComponentType;
}

/** In the order of the header. */
export const parts: readonly Part[] = [
  { label: "Lessons", href: "#/lessons", pages: ["lessons", "lesson"], Page: Lessons },
  { label: "Campaigns", href: "#/campaigns", pages: ["campaigns", "campaign", "campaign run"], Page: CampaignPages },
  { label: "Studies", href: "#/studies", pages: ["studies", "study"], Page: StudyPages },
  { label: "Jobs", href: "#/jobs", pages: ["jobs", "job"], Page: JobPages, Badge: JobBadge },
];

/** Below the panels of the lab: each opens by its key in the address. */
export interface Detail {
  readonly key: string;
  readonly label: string;
  readonly Panel: ComponentType;
}

export const details: readonly Detail[] = [
  { key: "sequence", label: "Time-sequence diagram", Panel: SequenceDetail },
  { key: "packets", label: "Packets on the path", Panel: PacketsDetail },
  { key: "many", label: "Many runs", Panel: ManyRuns },
];

/** Beside the differences of two runs: what makes a job with intervals of them. */
export const PairJob: ComponentType | null = PairOfRuns;
