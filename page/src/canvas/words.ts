// Counts and instants in sentences.

const COUNT = new Intl.NumberFormat("en-US");

/** All digits of a number: 43,440. */
export const digits = (value: number): string => COUNT.format(value);

/** 1,448 bytes; 1 byte. */
export const count = (value: number, unit: string): string => `${digits(value)} ${unit}${value === 1 ? "" : "s"}`;

/** A point in time, s, to the microsecond: 3.021345 s. */
export const instant = (time: number): string => `${time.toFixed(6)} s`;

/** 1st, 2nd, 11th. */
export function ordinal(value: number): string {
  const tens = value % 100;
  return `${value}${(tens < 11 || tens > 13 ? ["th", "st", "nd", "rd"][value % 10] : undefined) ?? "th"}`;
}
