import type { Convergence } from "#shared/series/gap.ts";
import { decimal, duration, utc, utcMinutes } from "../../ui/text.ts";

/** Describes a possible convergence; only the service knows what its solution did. */
export function convergenceWords({ range, fromMm, toMm }: Convergence): string {
  const seconds = (range.endMs - range.startMs) / 1_000;
  return (
    `Possible convergence after a restart: from ${utcMinutes(range.startMs)} the uncertainty of ZTD decays ` +
    `from ${decimal(fromMm, 1)} to ${decimal(toMm, 1)} mm within ${duration(seconds)}.`
  );
}

/** Label of a minimum duration: "From 5 min". */
export function minimumWords(seconds: number): string {
  return seconds === 0 ? "All gaps" : `From ${duration(seconds)}`;
}

/** Formats a time to the second; fractions do not matter for gaps. */
export function secondText(ms: number): string {
  return utc(Math.floor(ms / 1_000) * 1_000);
}
