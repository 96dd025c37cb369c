// Numbers with units, as a network engineer writes them: 20 Mbit/s, 12.5 ms, 64 kB, 33 packets.

/** How numbers in a base unit are shown: `value * factor` is in `unit`. */
export interface Scale {
  readonly factor: number;
  readonly unit: string;
}

type Step = readonly [least: number, factor: number, unit: string];

function decimal(unit: string): readonly Step[] {
  return [
    [1e9, 1e-9, `G${unit}`],
    [1e6, 1e-6, `M${unit}`],
    [1e3, 1e-3, `k${unit}`],
  ];
}

/** Scales of each base unit, the largest first, with the least value in the base unit that each is for. */
const SCALES: Readonly<Record<string, readonly Step[]>> = {
  "bit/s": decimal("bit/s"),
  bit: decimal("bit"),
  bytes: decimal("B"),
  s: [
    [1, 1, "s"],
    [1e-3, 1e3, "ms"],
    [0, 1e6, "µs"],
  ],
};

/** The scale in which values up to `largest` read best: one for a whole axis. */
export function scaleFor(unit: string, largest: number): Scale {
  const magnitude = Math.abs(largest);
  const found = SCALES[unit]?.find(([least]) => magnitude >= least * 0.999_999);
  // Zero seconds is "0 s", not "0 µs".
  if (!found || (magnitude === 0 && unit === "s")) return { factor: 1, unit };
  return { factor: found[1], unit: found[2] };
}

/** A number with at most `digits` significant digits, without needless zeros; thousands have commas from 10,000 on. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e15)) return String(Number(value.toPrecision(digits)));
  const whole = magnitude >= 10 ** (digits - 1);
  const rounded = whole ? Math.round(value) : Number(value.toPrecision(digits));
  if (Math.abs(rounded) < 10_000) return String(rounded === 0 ? 0 : rounded);
  return String(rounded).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A value in a base unit as text: `quantity(2e7, "bit/s")` is "20 Mbit/s". Not a number: a dash. */
export function quantity(value: number, unit: string, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const scale = scaleFor(unit, value);
  const text = number(value * scale.factor, digits);
  if (scale.unit === "packets" && text === "1") return "1 packet";
  return scale.unit === "" ? text : `${text} ${scale.unit}`;
}

/** A value in the scale of its axis: all read-outs of a panel have one unit. */
export function inScale(value: number, scale: Scale, digits = 4): string {
  const text = number(value * scale.factor, digits);
  return text === "–" || scale.unit === "" ? text : `${text} ${scale.unit}`;
}

/** Round values from `low` to `high`: steps of 1, 2 or 5 times a power of ten, at most `most` of them. */
export function ticks(low: number, high: number, most: number): number[] {
  if (!(high > low) || most < 1) return [];
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough * 0.999_999) ?? 10) * power;
  const values = [];
  // Counted in steps, so that no error of rounding adds up.
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    values.push(Number((k * step).toPrecision(12)));
  }
  return values;
}

/** How many decimals tell values apart that are a step from each other. */
export function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(Math.abs(step)) + 1e-6));
}

/** Numbers along a time axis: as many decimals as their step needs, and the unit at the last one. */
export function timeTexts(times: readonly number[]): string[] {
  const decimals = Math.min(12, decimalsOf((times[1] ?? 1) - (times[0] ?? 0)));
  return times.map((each, at) => `${each.toFixed(decimals)}${at === times.length - 1 ? " s" : ""}`);
}

/** Times for a read-out: as exact as a window of this length can show. */
export function time(seconds: number, length: number): string {
  const decimals = Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(Math.max(length, 1e-9)))));
  return `${seconds.toFixed(decimals)} s`;
}
