/**
 * What the values of a series stand for: a moment, or a mean over the interval of which their time is the start, the middle
 * or the end.
 */
export type Cell =
  | { readonly kind: "point" }
  | { readonly kind: "interval"; readonly lengthMs: number; readonly time: "start" | "middle" | "end" };

export const POINT: Cell = { kind: "point" };

/** The cell of a series of the service, of the cache and of this program's tables: a mean has the time of its start. */
export function cellOfInterval(intervalSeconds: number | null): Cell {
  return intervalSeconds === null ? POINT : { kind: "interval", lengthMs: intervalSeconds * 1_000, time: "start" };
}

const PART = { start: 0, middle: 0.5, end: 1 } as const;

/** From the start of a cell to its time, milliseconds. @param cell null: unknown, taken as a moment */
export function timeAfterStartMs(cell: Cell | null): number {
  return cell?.kind === "interval" ? PART[cell.time] * cell.lengthMs : 0;
}

/** From the time of a cell to its middle, where a plot draws its value, milliseconds. */
export function middleAfterTimeMs(cell: Cell | null): number {
  return cell?.kind === "interval" ? (0.5 - PART[cell.time]) * cell.lengthMs : 0;
}

/** Times are rounded to seconds in many formats. */
const ROUNDING_MS = 1_000;

/**
 * The convention of SINEX_TRO and COST-716, whose rows have an epoch, and whose header only states the distance of the
 * rows: epochs in the middle of the intervals between its multiples are those of means, epochs at the multiples those of
 * moments.
 *
 * @param samplingMs the stated distance; null without one
 * @returns null if the epochs are neither
 */
export function cellOfEpochs(timesMs: Iterable<number>, samplingMs: number | null): Cell | null {
  if (samplingMs === null || samplingMs <= 4 * ROUNDING_MS) return null;
  const isAt = { start: true, middle: true };
  for (const timeMs of timesMs) {
    const after = ((timeMs % samplingMs) + samplingMs) % samplingMs;
    isAt.start &&= Math.min(after, samplingMs - after) < ROUNDING_MS;
    isAt.middle &&= Math.abs(after - samplingMs / 2) < ROUNDING_MS;
  }
  if (isAt.start) return POINT;
  return isAt.middle ? { kind: "interval", lengthMs: samplingMs, time: "middle" } : null;
}

/** A length of time in its largest whole unit: `6 h`, `90 s`. */
export function lengthText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms % each === 0) ?? ["s", 1_000];
  return `${Number((ms / size).toFixed(3))} ${unit}`;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;
