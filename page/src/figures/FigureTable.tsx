// What a figure shows, as a table.

import { number } from "../units";
import { levelText, meansOf, quantile, valueOf, withUnit } from "./content";
import type { ChartFrame } from "./types";

const PERCENTS = [50, 95, 99];
const NOBODY: ReadonlySet<number> = new Set();

export function FigureTable({ frame }: { frame: ChartFrame }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Table of ${frame.head.title}`}>
      {frame.head.of === "means" ? <Means frame={frame} /> : <Shares frame={frame} />}
    </div>
  );
}

function Means({ frame }: { frame: ChartFrame }) {
  const { panels, series, heading, x, y } = frame.head;
  const [hasPanels, hasSeries] = [panels.length > 1, series.length > 1];
  return (
    <table class="numbers">
      <caption>{frame.head.title}</caption>
      <thead>
        <tr>
          {hasPanels && <th scope="col">panel</th>}
          {hasSeries && <th scope="col">{heading}</th>}
          <th scope="col">{x.label.replace(/ \(.*/, "")}</th>
          <th scope="col">{y.label}</th>
          <th scope="col">interval</th>
          <th scope="col">n</th>
        </tr>
      </thead>
      <tbody>
        {meansOf(frame, NOBODY).map((place, at) => {
          const { panel, line, row } = place;
          const [lo, hi] = [valueOf(frame, line.lo, row), valueOf(frame, line.hi, row)];
          return (
            <tr key={at}>
              {hasPanels && <th scope="row">{panels[panel]?.title}</th>}
              {hasSeries && <th scope="row">{series[line.series]}</th>}
              <th scope="row">{levelText(frame, place)}</th>
              <td>{number(valueOf(frame, line.y, row))}</td>
              <td>{Number.isFinite(lo) ? `${number(lo)} to ${number(hi)}` : "–"}</td>
              <td>{number(valueOf(frame, line.n, row))}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Shares({ frame }: { frame: ChartFrame }) {
  const { panels, series, heading, x } = frame.head;
  const hasCounts = panels.some(({ lines }) => lines.some((each) => each.n !== undefined));
  const [hasPanels, hasSeries] = [panels.length > 1, series.length > 1];
  return (
    <table class="numbers">
      <caption>{x.label}: values that so many percent do not exceed</caption>
      <thead>
        <tr>
          {hasPanels && <th scope="col">panel</th>}
          <th scope="col">{hasSeries ? heading || "series" : "of"}</th>
          {PERCENTS.map((each) => <th key={each} scope="col">{each} %</th>)}
          {hasCounts && <th scope="col">values</th>}
        </tr>
      </thead>
      <tbody>
        {panels.flatMap(({ title, lines }, panel) =>
          lines.map((line) => (
            <tr key={`${panel} ${line.series}`}>
              {hasPanels && <th scope="row">{title}</th>}
              <th scope="row">{series[line.series]}</th>
              {PERCENTS.map((each) => <td key={each}>{withUnit(quantile(frame, line, each), x.unit)}</td>)}
              {hasCounts && <td>{number(valueOf(frame, line.n, 0), 9)}</td>}
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
