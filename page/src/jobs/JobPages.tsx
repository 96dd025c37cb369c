// The pages of jobs: the list, and one of them with its result.

import type { Route } from "../state";
import { JobList } from "./JobList";
import { JobPage } from "./JobPage";

export function JobPages({ route }: { route: Route }) {
  if (route.page === "job") return <JobPage id={route.id} key={route.id} />;
  return <JobList />;
}
