// What is seen, as a file: by the server as a command would write it, or as it is on the screen.

import { useSignal } from "@preact/signals";
import { postFile, Refused } from "../client";
import { panelOf } from "../panels/content";
import { snapshot } from "../panels/snapshot";
import { Menu } from "../widgets/Menu";
import { save } from "../widgets/save";
import { columns, lab, live, scope } from "./session";

const FILES = [
  ["toml", "Scenario (TOML)", "With all changes; runs anywhere"],
  ["python", "Python", "The same run in a few lines"],
  ["csv", "Rows (CSV)", "Every row of what is drawn"],
  ["pcapng", "Packets (pcapng)", "For Wireshark"],
  ["svg", "Figure (SVG)", "As in a paper"],
  ["png", "Figure (PNG)", "As in a paper"],
] as const;

export function ExportMenu() {
  const said = useSignal("");
  const fetchFile = async (kind: string) => {
    const now = lab.peek();
    if (!now) return;
    said.value = "The server writes it …";
    try {
      const show = live.frame.peek()?.head.panels.map((each) => each.id) ?? [];
      const flows = now.flows.length ? now.flows : null;
      const body = { ...now.run, show, flows, link: now.link, window: now.window, width: columns.peek() };
      const { blob, name } = await postFile(`/api/export/${kind}`, body);
      save(blob, name);
      said.value = `${name} is saved.`;
    } catch (error) {
      said.value = error instanceof Refused || error instanceof Error ? error.message : String(error);
    }
  };
  return (
    <Menu label="Export">
      <ul class="menu-list">
        {FILES.map(([kind, label, what]) => (
          <li key={kind}>
            <button type="button" onClick={() => void fetchFile(kind)}>
              {label} <small>{what}</small>
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => void picture().then((name) => (said.value = `${name} is saved.`))}>
            Picture of the panels (PNG) <small>As they are here</small>
          </button>
        </li>
      </ul>
      <p class="said" role="status">{said}</p>
    </Menu>
  );
}

async function picture(): Promise<string> {
  const panels = [...scope.charts].map(([id, chart]) => ({ chart, title: [panelOf(live.frame.peek(), id)?.title ?? id, scope.units.peek()[id]].filter(Boolean).join(", ") }));
  const name = `${(lab.peek()?.run.scenario ?? "scenario").replaceAll("/", "-")}.png`;
  save(await snapshot(document.title, document.querySelector<HTMLCanvasElement>(".strips"), panels), name);
  return name;
}
