// The module of the widget in a notebook. Each view has an instance of it of its own (see build.mjs).

import { effect } from "@preact/signals";
import { render as mount } from "preact";
import "uplot/dist/uPlot.min.css";
import { transport } from "../client";
import { Frame } from "../frame";
import * as session from "../lab/session";
import type { RunFrame } from "../lab/types";
import "../lab.css";
import { detach, route } from "../navigation";
import "../page.css";
import { Figure } from "../report/Figure";
import { drawnOf } from "../report/read";
import { labOf, type RunState } from "../state";
import { choice, startTheme } from "../theme";
import "../theme.css";
import { isCopy } from "../widgets/ids";
import { followWindow } from "../widgets/size";
import { bytesOf, kernel, type Model } from "./kernel";
import { ScenarioCell } from "./ScenarioCell";
import "./widget.css";

/** Traits that say what is run; the page and the kernel both write them. */
const STATE = ["sets", "point", "replication"] as const;

/** Called by anywidget for each view; the function that it returns ends the view. */
export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  isCopy();
  const ends = [followNotebook()];
  followWindow();
  const host = document.createElement("div");
  host.className = "ackclock";
  el.classList.add("ackclock-view");
  el.append(host);
  const figure = bytesOf(model.get("figure"));
  if (figure.length) mount(<Figure drawn={drawnOf(figure)} />, host);
  else {
    ends.push(connect(model));
    mount(<ScenarioCell only={model.get("only") as string[]} />, host);
  }
  return () => {
    mount(null, host);
    host.remove();
    for (const end of ends) end();
  };
}

/** Dark where the notebook is. */
function followNotebook(): () => void {
  startTheme();
  const read = () => {
    const isLight = document.body.dataset["jpThemeLight"];
    choice.value = isLight === undefined ? "system" : isLight === "true" ? "light" : "dark";
  };
  const observer = new MutationObserver(read);
  observer.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  read();
  return () => observer.disconnect();
}

function stateOf(model: Model): RunState {
  const [sets, point, replication] = STATE.map((name) => model.get(name)) as [string[], number, number];
  // The kernel knows which scenario this is.
  return { scenario: null, source: "of the kernel", sets, point, replication };
}

/** The lab's session with the kernel as its server, and with a state that both may change. */
function connect(model: Model): () => void {
  detach();
  transport.fetch = kernel(model);
  route.value = { page: "lab", lab: labOf(stateOf(model)) };
  const last = bytesOf(model.get("frame"));
  // A notebook that was saved shows its last picture, before or without a kernel.
  if (last.length) session.live.frame.value = new Frame(last.slice()) as unknown as RunFrame;
  const read = () => {
    const { sets, point, replication } = stateOf(model);
    session.changeRun(() => ({ sets, point, replication }));
  };
  for (const name of STATE) model.on(`change:${name}`, read);
  const end = effect(() => {
    const run = session.lab.value?.run;
    const changed = run ? STATE.filter((name) => JSON.stringify(model.get(name)) !== JSON.stringify(run[name])) : [];
    for (const name of changed) model.set(name, run![name]);
    if (changed.length) model.save_changes();
  });
  return () => {
    end();
    for (const name of STATE) model.off(`change:${name}`, read);
  };
}
