// A command for a terminal, with a button that copies it.

import { useSignal } from "@preact/signals";

export function Command({ text }: { text: string }) {
  const said = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      said.value = "The browser allows no copy";
    }
    setTimeout(() => (said.value = ""), 2000);
  };
  return (
    <div class="command">
      <code tabIndex={0} role="region" aria-label="Command">{text}</code>
      <button type="button" onClick={() => void copy()} title="Copy the command"><span role="status">{said.value || "Copy"}</span></button>
    </div>
  );
}
