// The script of an interactive report: over each drawing that has data, a panel. Whatever fails, the drawing stays.

import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "../page.css";
import "../theme.css";
import { startTheme } from "../theme";
import { followWindow } from "../widgets/size";
import { Figure, Guard } from "./Figure";
import { bytesOf, drawnOf } from "./read";
import "./report.css";

/** Where the panels of a figure stand: before its drawings, whose styles are not theirs. */
function rowOf(place: HTMLElement): Element {
  const drawings = place.parentElement!;
  const before = drawings.previousElementSibling;
  if (before?.classList.contains("panels-row")) return before;
  const row = document.createElement("div");
  row.className = "panels-row";
  drawings.before(row);
  return row;
}

/** Put a panel in the place of a drawing. */
function show(place: HTMLElement): void {
  const host = document.createElement("div");
  host.className = "ackclock";
  const undo = (error: unknown) => {
    host.remove();
    delete place.dataset["live"];
    console.error(`figure ${place.dataset["figure"] ?? ""} stays as printed:`, error);
  };
  try {
    const data = document.getElementById(`${place.dataset["figure"] ?? ""}-data`);
    const drawn = drawnOf(bytesOf(data?.textContent ?? ""));
    rowOf(place).append(host);
    render(<Guard onFail={undo}><Figure drawn={drawn} /></Guard>, host);
    if (host.isConnected) place.dataset["live"] = "";
  } catch (error) {
    undo(error);
  }
}

startTheme();
followWindow();
document.querySelectorAll<HTMLElement>("[data-figure]").forEach(show);
