// The report of a campaign in a frame of its own, in which nothing runs. Its address has a seal, since a frame cannot
// send the token.

import { useSignal } from "@preact/signals";
import { useAnswer } from "../answer";
import { getText, Refused, type Problem } from "../client";
import { Problems } from "../widgets/Problems";
import { save } from "../widgets/save";

export function Report({ id, title }: { id: string; title: string }) {
  const base = `/api/campaigns/${encodeURIComponent(id)}/report`;
  const frame = useAnswer<{ path: string }>(`${base}/frame`);
  const problems = useSignal<readonly Problem[]>([]);
  const file = async () => {
    try {
      save(new Blob([await getText(base)], { type: "text/html" }), "report.html");
    } catch (error) {
      if (error instanceof Refused) problems.value = error.problems;
    }
  };
  return (
    <section class="sheet report" aria-label="Report">
      <Problems problems={[...frame.problems, ...problems.value]} />
      {!frame.value && frame.problems.length === 0 && <p class="hint" role="status">The report is written …</p>}
      {frame.value && (
        <>
          <div class="sheet-tools">
            <button type="button" onClick={() => void file()}>Save the report</button>
            <span class="hint">One file that needs nothing else; to print it, open the saved file.</span>
          </div>
          <iframe sandbox="" src={frame.value.path} title={`Report: ${title}`} />
        </>
      )}
    </section>
  );
}
