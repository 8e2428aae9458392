import { formatUtcShort, type UtcMs } from "./time/utc.ts";
import { defined } from "./defined.ts";

/** Times by the service's responses and by this computer. */
export interface ClockDisagreement {
  /** Earliest and latest time by the responses; equal if the responses agree. */
  readonly earliestMs: UtcMs;
  readonly latestMs: UtcMs;
  readonly computerMs: UtcMs;
}

const CONTRADICTION_MS = 120_000;
const UNITS = [
  ["year", 365.25 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

function roughly(ms: number): string {
  const seconds = Math.abs(ms) / 1_000;
  const [unit, size] = UNITS.find(([, s]) => seconds >= 0.95 * s) ?? defined(UNITS.at(-1));
  const n = Math.max(1, Math.round(seconds / size));
  return `about ${n} ${unit}${n === 1 ? "" : "s"}`;
}

function day(moment: UtcMs): string {
  return formatUtcShort(moment).slice(0, 10);
}

/** Describes the difference of the clocks, its consequence and what to do, in two or three sentences. */
export function clocksSentence({ earliestMs, latestMs, computerMs }: ClockDisagreement): string {
  const caution = "Until the clocks agree, new data are provisional and may be requested again.";
  if (latestMs - earliestMs > CONTRADICTION_MS)
    return (
      `The service's answers do not agree on the time: they say ${day(earliestMs)} and ${day(latestMs)}. ` +
      `Tell the operator of the service. ${caution}`
    );
  const aheadMs = computerMs - latestMs;
  return (
    `The clock of this computer is ${roughly(aheadMs)} ${aheadMs > 0 ? "ahead of" : "behind"} the clock of the service. ` +
    `Set it if it is wrong; if it is right, tell the operator of the service. ${caution}`
  );
}
