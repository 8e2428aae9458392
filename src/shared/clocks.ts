import { formatUtcShort, type UtcMs } from "./time/utc.ts";
import { defined } from "./defined.ts";

/** What the service's answers say of the time, and what this computer says. */
export interface ClockDisagreement {
  /** Where the answers agree with each other, both are the same moment. */
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

/** By how much the clocks differ, what follows from it, and what to do: a sentence or three. */
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
