// The pages of campaigns: the list, one of them, one run.

import type { Route } from "../state";
import { CampaignList } from "./CampaignList";
import { CampaignPage } from "./CampaignPage";
import { RunPage } from "./RunPage";

export function CampaignPages({ route }: { route: Route }) {
  if (route.page === "campaign run") return <RunPage id={route.id} number={route.number} key={`${route.id}/${route.number}`} />;
  if (route.page === "campaign") return <CampaignPage id={route.id} key={route.id} />;
  return <CampaignList />;
}
