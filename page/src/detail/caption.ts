// What was run, for a picture of it.

import * as session from "../lab/session";

export function captionOf(): string {
  const run = session.lab.value?.run;
  const title = session.check.value?.title ?? session.scenario.value?.title ?? "";
  return [title, run?.point ? `point ${run.point}` : "", run ? `run ${run.replication}` : ""]
    .filter(Boolean)
    .join(", ");
}
