// The path: nodes, links with rate and delay, queues, and which flows go where. A click selects a link.

import { useComputed } from "@preact/signals";
import { check, lab, live } from "./session";
import { change } from "../navigation";
import { useWidth } from "../widgets/size";
import { layoutOf, type PlacedLink, type PlacedNode } from "./pathLayout";
import { micro } from "./text";
import type { Path, PathLink } from "./types";

const COLUMN = { least: 84, most: 200 };
const ROW = 44;
const PAD_X = 50;
const PAD_Y = 26;

export function PathPicture() {
  const path = useComputed(() => check.value?.path ?? null);
  const { host, width } = useWidth();
  const selected = useComputed(() => lab.value?.link ?? live.frame.value?.head.link?.name ?? null);
  if (!path.value || path.value.nodes.length === 0) return null;
  return (
    <figure class="path" aria-label="The path">
      <div ref={host} class="path-scroll">
        <Drawing path={path.value} selected={selected.value} room={width.value} />
      </div>
      <figcaption>
        <LinkFacts path={path.value} selected={selected.value} />
        {path.value.hidden_links > 0 && ` ${path.value.hidden_links} more links are not drawn.`}
      </figcaption>
    </figure>
  );
}

function Drawing({ path, selected, room }: { path: Path; selected: string | null; room: number }) {
  const { nodes, links, columns, rows } = layoutOf(path);
  const column = Math.min(COLUMN.most, Math.max(COLUMN.least, (room - 2 * PAD_X) / Math.max(1, columns - 1)));
  const [width, height] = [(columns - 1) * column + 2 * PAD_X, (rows - 1) * ROW + 2 * PAD_Y];
  const at: At = ({ x, y }) => [PAD_X + x * column, PAD_Y + y * ROW];
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      {links.map((link) => (
        <LinkStroke key={`${link.from.name} ${link.to.name}`} link={link} selected={selected} at={at} />
      ))}
      {nodes.map((node) => (
        <Node key={node.name} node={node} at={at} />
      ))}
    </svg>
  );
}

/** From the middle of a node to that of a queue beside it; a letter. */
const [QUEUE_PX, LETTER_PX] = [27, 6.5];

/** The pixel of a node. */
type At = (node: PlacedNode) => readonly [x: number, y: number];

function select(name: string): void {
  change((now) => ({ ...now, link: name }));
}

/** A second click selects the other direction. */
function nextOf(link: PlacedLink, selected: string | null): PathLink {
  const now = link.links.findIndex((each) => each.name === selected);
  return link.links[(now + 1) % link.links.length]!;
}

function LinkStroke({ link, selected, at }: { link: PlacedLink; selected: string | null; at: At }) {
  const [x1, y1] = at(link.from);
  const [x2, y2] = at(link.to);
  const first = link.links[0]!;
  const isSelected = link.links.some((each) => each.name === selected);
  const isBottleneck = link.links.some((each) => each.bottleneck);
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const length = Math.hypot(x2 - x1, y2 - y1);
  // The queue lies right behind its node, and a text that has no room between the nodes above them.
  const aside = Math.max(0.2, QUEUE_PX / length);
  const isShort = first.rate.length * LETTER_PX > length - 2 * QUEUE_PX;
  const shift = isBottleneck && !isShort ? 12 : 0;
  const choose = () => select(nextOf(link, selected).name);
  const names = `link ${isBottleneck ? "bottleneck " : ""}${isSelected ? "selected" : ""}`;
  const hasText = isBottleneck || link.from.kind !== "host" && link.to.kind !== "host" || y1 === y2;
  return (
    <g
      class={names}
      role="button"
      tabindex={0}
      aria-pressed={isSelected}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      }}
    >
      <title>{link.links.map((each) => `Link ${each.name}: ${factsOf(each)}`).join("\n")}</title>
      <path class="link-target" d={`M${x1} ${y1}L${x2} ${y2}`} />
      <path class="link-line" d={`M${x1} ${y1}L${x2} ${y2}`} />
      {isBottleneck && <QueueSign x={x1 + (x2 - x1) * aside} y={y1 + (y2 - y1) * aside} />}
      {hasText && (
        <>
          <text class="link-rate" x={x + shift} y={y - (isShort ? 17 : 7)}>{first.rate}</text>
          <text class="link-delay" x={x + shift} y={y + 16}>{micro(first.delay)}</text>
        </>
      )}
    </g>
  );
}

/** A queue: packets that wait before the link. */
function QueueSign({ x, y }: { x: number; y: number }) {
  return (
    <g class="queue-sign" transform={`translate(${x - 13} ${y - 8})`}>
      <rect width="26" height="16" />
      {[18, 12, 6].map((left) => (
        <rect key={left} class="packet" x={left + 1} y="3" width="4" height="10" />
      ))}
    </g>
  );
}

function Node({ node, at }: { node: PlacedNode; at: At }) {
  const [x, y] = at(node);
  const isHost = node.kind === "host";
  return (
    <g class={`node ${node.kind}`} transform={`translate(${x} ${y})`}>
      {isHost ? <rect x="-13" y="-10" width="26" height="20" rx="2" /> : <circle r="12" />}
      {node.count > 1 && <rect x="-9" y="-14" width="26" height="20" rx="2" class="more" />}
      {node.count > 1 && <text y="4">×{node.count}</text>}
      <text y={node.isAbove ? -15 : 24}>{node.count > 1 ? `${node.name} …` : node.name}</text>
    </g>
  );
}

function factsOf(link: PathLink): string {
  return [link.rate, link.delay, link.queue, ...link.notes].filter(Boolean).map(micro).join(", ");
}

function LinkFacts({ path, selected }: { path: Path; selected: string | null }) {
  const link = path.links.find((each) => each.name === selected) ?? path.links.find((each) => each.bottleneck) ?? path.links[0];
  if (!link) return null;
  const crossing = path.flows.filter((flow) => flow.by.includes(link.name));
  const count = crossing.reduce((sum, flow) => sum + flow.count, 0);
  return (
    <>
      <strong>{link.name}</strong> {link.bottleneck && <span class="tag">bottleneck</span>} {factsOf(link)}
      {count > 0 && (
        <>
          {" · "}
          {count === 1 ? "1 flow" : `${count} flows`}: {crossing.slice(0, 4).map(flowText).join("; ")}
          {crossing.length > 4 && ` and ${crossing.length - 4} more groups`}
        </>
      )}
    </>
  );
}

function flowText(flow: Path["flows"][number]): string {
  return `${flow.count > 1 ? `${flow.count} × ` : ""}${flow.group ?? flow.name} (${flow.flavor}, ${flow.workload})`;
}
