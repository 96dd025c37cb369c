// How many jobs are under way, in the header; as long as the page is there, it follows them.

import { useEffect } from "preact/hooks";
import { followJobs, underWay } from "./store";
import "./jobs.css";

export function JobBadge() {
  useEffect(followJobs, []);
  if (underWay.value === 0) return null;
  return <span class="badge" title={`${underWay.value} under way`}>{underWay.value}<span class="unseen"> under way</span></span>;
}
