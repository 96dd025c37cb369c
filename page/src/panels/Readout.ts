// The box beside the line under the pointer: what each line says at that time, a row a flow, a column a quantity.

import { inScale, type Scale } from "../units";
import type { Line } from "./chart";
import { valueAt } from "./lookup";

export interface Row {
  readonly color: string;
  readonly name: string;
  readonly values: readonly string[];
}

export interface Readings {
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** What is no number: the state of a flow. */
export interface Remark {
  readonly color: string;
  readonly text: string;
}

const GAP_PX = 10;
/** More rows than these would hide the plot. */
const MOST_ROWS = 8;

/** What a panel shows, once each. */
export function quantitiesOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.map((each) => each.quantity))];
}

/** What the lines say at a time. Of several connections of a flow, the one that began last speaks. */
export function readings(lines: readonly Line[], at: number, scale: Scale): Readings {
  const heads = quantitiesOf(lines);
  const rows = new Map<string, { color: string; name: string; values: string[] }>();
  for (const line of lines) {
    const value = valueAt(line, at);
    if (Number.isNaN(value)) continue;
    const row = rows.get(line.of) ?? { color: line.look.color, name: line.of, values: heads.map(() => "") };
    row.values[heads.indexOf(line.quantity)] = inScale(value, scale);
    rows.set(line.of, row);
  }
  // With one row the quantities are told beside their numbers.
  const [only, ...others] = rows.values();
  if (!only || others.length) return { heads, rows: [...rows.values()] };
  const parts = heads.map((name, k) => ({ color: only.color, name: only.name ? `${only.name} ${name}` : name, values: [only.values[k]!] }));
  return { heads: [""], rows: parts.filter((each) => each.values[0] !== "") };
}

/** Made once; moving the pointer changes texts only. */
export class Readout {
  readonly #box = document.createElement("div");
  readonly #time = document.createElement("div");
  readonly #table = document.createElement("table");
  readonly #remarks = document.createElement("div");
  #shape = "";

  constructor(readonly over: HTMLElement) {
    this.#box.className = "readout";
    // The table of the panel is for those who do not see it.
    this.#box.setAttribute("aria-hidden", "true");
    this.#box.hidden = true;
    this.#time.className = "readout-time";
    this.#box.append(this.#time, this.#table, this.#remarks);
    over.append(this.#box);
  }

  hide(): void {
    this.#box.hidden = true;
  }

  show(left: number, time: string, { heads, rows }: Readings, remarks: readonly Remark[]): void {
    const shown = rows.slice(0, MOST_ROWS);
    this.#time.textContent = time;
    this.#fit(heads.length, shown.length);
    const [head, ...others] = this.#table.rows;
    heads.forEach((name, k) => write(head!, k + 1, heads.length > 1 ? name : ""));
    shown.forEach((row, k) => {
      const its = others[k]!;
      write(its, 0, row.name);
      (its.cells[0]!.firstChild as HTMLElement).style.backgroundColor = row.color;
      row.values.forEach((value, at) => write(its, at + 1, value));
    });
    this.#remark(remarks.slice(0, MOST_ROWS));
    this.#box.hidden = false;
    this.#place(left);
  }

  /** Beside the line, on the side with more room, and inside the panel. */
  #place(left: number): void {
    const room = this.over.clientWidth;
    const width = this.#box.offsetWidth;
    const wanted = left > room / 2 ? left - GAP_PX - width : left + GAP_PX;
    const least = Math.min(0, room - width);
    this.#box.style.left = `${Math.max(least, Math.min(wanted, room - width))}px`;
  }

  #remark(remarks: readonly Remark[]): void {
    const box = this.#remarks;
    while (box.children.length > remarks.length) box.lastChild!.remove();
    remarks.forEach(({ color, text }, k) => {
      if (!box.children[k]) box.append(document.createElement("div"));
      const row = box.children[k]!;
      if (!row.firstChild) row.append(document.createElement("i"), "");
      (row.firstChild as HTMLElement).style.backgroundColor = color;
      row.lastChild!.nodeValue = text;
    });
  }

  /** So many cells. */
  #fit(columns: number, rows: number): void {
    const shape = `${columns} ${rows}`;
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#table.replaceChildren();
    for (let k = 0; k <= rows; k++) {
      const row = this.#table.insertRow();
      for (let at = 0; at <= columns; at++) {
        const cell = row.insertCell();
        if (at === 0) cell.append(Object.assign(document.createElement("i"), { hidden: k === 0 }));
        cell.append("");
      }
    }
  }
}

function write(row: HTMLTableRowElement, at: number, text: string): void {
  row.cells[at]!.lastChild!.nodeValue = text;
}
