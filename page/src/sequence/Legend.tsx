// The signs of the diagram.

import { COLOR } from "./draw";

const WIDTH = 18;
const HEIGHT = 14;

const paths: readonly {
  readonly name: string;
  readonly color: string;
  readonly path: string;
  readonly dash?: string;
  readonly letter?: string;
}[] = [
  { name: "data", color: COLOR.data, path: "M9 2V12M6 2H12M6 12H12" },
  { name: "sent again", color: COLOR.again, path: "M5 2V12M2 2H8M2 12H8", letter: "R" },
  { name: "lost", color: COLOR.lost, path: "M5 3L13 11M5 11L13 3" },
  { name: "ACK", color: COLOR.ack, path: "M1 12H9V4H17" },
  { name: "duplicate ACK", color: COLOR.ack, path: "M1 5H17M6 5V11M12 5V11" },
  { name: "SACK range", color: COLOR.sack, path: "M5 2V12", letter: "S" },
  { name: "end of the receive window", color: COLOR.window, path: "M1 11H9V3H17", dash: "3 2" },
];

export function Legend() {
  return (
    <ul class="legend">
      {paths.map(({ name, color, path, dash, letter }) => (
        <li key={name} class={`sign-${color}`}>
          <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
            <path d={path} fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray={dash} />
            {letter ? (
              <text x="11" y="11" font-size="10" font-weight="bold" fill="currentColor">
                {letter}
              </text>
            ) : null}
          </svg>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}
