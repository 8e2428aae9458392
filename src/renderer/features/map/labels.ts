import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Absence } from "#shared/series/gap.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { decimal, duration } from "../../ui/text.ts";
import type { Frame } from "./frames.ts";

/** Formats a cause: "not downloaded", or "failed: The service's answer cannot be used: …". */
export function absenceWords({ cause, reason }: Absence): string {
  const { word } = gapMark(cause);
  return reason === null ? word : `${word}: ${reason}`;
}

/** Formats a value: "2,411.3 mm". */
export function valueText(variable: Variable, value: number): string {
  return `${decimal(value, 1)} ${variableInfo(variable).unit}`;
}

/** Formats an anomaly of ZTD, mm, to follow its value: " (+12.3)"; empty if it is unknown. */
export function anomalyText(anomaly = Number.NaN): string {
  if (Number.isNaN(anomaly)) return "";
  return ` (${anomaly >= 0.05 ? "+" : ""}${decimal(anomaly, 1)})`;
}

/** Formats the time difference between an observation and a moment: "at the moment", "4 min before", "30 s after". */
export function timeDifference(timeMs: UtcMs, momentMs: UtcMs): string {
  const seconds = Math.round((momentMs - timeMs) / 1_000);
  if (seconds === 0) return "at the moment";
  return `${duration(Math.abs(seconds))} ${seconds > 0 ? "before" : "after"}`;
}

interface Tally {
  /** Stations with a value. */
  readonly count: number;
  /** Stations with a value from the service. */
  readonly serviceCount: number;
  /** Smallest and largest time difference from the moment. */
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** Counts the stations with a value at a moment. */
export function tallyOf(stations: readonly CatalogueStation[], frame: Frame, variable: Variable): Tally {
  let [count, serviceCount, minSeconds, maxSeconds] = [0, 0, Infinity, 0];
  for (const { id } of stations) {
    const reading = frame.read(id, variable);
    if (!reading) continue;
    count++;
    if (reading.from === "service") serviceCount++;
    const seconds = Math.abs(reading.timeMs - frame.momentMs) / 1_000;
    minSeconds = Math.min(minSeconds, seconds);
    maxSeconds = Math.max(maxSeconds, seconds);
  }
  return { count, serviceCount, minSeconds, maxSeconds };
}

/** Formats the time differences: "0 s to 30 s away". */
export function differenceRange({ count, minSeconds, maxSeconds }: Tally): string {
  if (count === 0) return "";
  if (maxSeconds < 1) return "at the moment";
  const [min, max] = [minSeconds < 1 ? "0 s" : duration(minSeconds), duration(maxSeconds)];
  return min === max ? `${max} away` : `${min} to ${max} away`;
}
