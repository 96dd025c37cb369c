// What is wrong, in the server's words.

import type { Problem } from "../client";

/** Those of a key. */
export function problemsOf(problems: readonly Problem[], key: string): Problem[] {
  return problems.filter((each) => each.key === key);
}

function TakeBack({ action }: { action: (() => void) | null }) {
  return action && <button type="button" onClick={action}>Take it back</button>;
}

/** The server says where it is as a terminal shows it: "scenario:6: ", "--set ". Here the place is beside it. */
function withoutPlace(message: string): string {
  return message.replace(/^[\w./-]+:\d+: |^--set /, "");
}

/** `onTakeBack` takes back the key of a problem, where it was changed. */
export function Problems({ problems, onTakeBack }: { problems: readonly Problem[]; onTakeBack?: ((problem: Problem) => (() => void) | null) | undefined }) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems">
      {problems.map((each) => (
        <li key={each.message}>
          {each.line !== null && <span class="line-number">line {each.line}</span>} {withoutPlace(each.message)}
          <TakeBack action={onTakeBack?.(each) ?? null} />
        </li>
      ))}
    </ul>
  );
}
