// One picture of all panels as they are seen now.

import { palette } from "../theme";
import type { Chart } from "./chart";

const TITLE_PX = 20;
const PAD_PX = 16;

interface Part {
  readonly title: string;
  readonly canvas: HTMLCanvasElement;
}

/** A PNG with a heading, and a title above each panel. */
export async function snapshot(heading: string, strips: HTMLCanvasElement | null, panels: readonly { title: string; chart: Chart }[]): Promise<Blob> {
  const ratio = devicePixelRatio;
  const parts: Part[] = [
    ...(strips && strips.height > 0 ? [{ title: "States", canvas: strips }] : []),
    ...panels.map(({ title, chart }) => ({ title, canvas: chart.canvas })),
  ];
  const width = Math.max(...parts.map((each) => each.canvas.width)) + 2 * PAD_PX * ratio;
  const space = TITLE_PX * ratio;
  const height = parts.reduce((sum, each) => sum + each.canvas.height + space, 2 * PAD_PX * ratio + space);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const ctx = canvas.getContext("2d")!;
  const family = getComputedStyle(document.body).fontFamily;
  ctx.fillStyle = palette.peek()("paper");
  ctx.fillRect(0, 0, width, height);
  ctx.fillStyle = palette.peek()("ink");
  ctx.font = `bold ${15 * ratio}px ${family}`;
  const left = PAD_PX * ratio;
  let top = PAD_PX * ratio;
  ctx.fillText(heading, left, top + 13 * ratio, width - 2 * left);
  top += space;
  ctx.font = `${13 * ratio}px ${family}`;
  for (const part of parts) {
    ctx.fillText(part.title, left, top + 14 * ratio);
    ctx.drawImage(part.canvas, left, top + space);
    top += part.canvas.height + space;
  }
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser makes no picture."))), "image/png"),
  );
}
