import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Absence } from "#shared/series/gap.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { decimal, duration } from "../../ui/text.ts";
import type { Frame } from "./frames.ts";

/** "not downloaded", or "failed: The service's answer cannot be used: …" */
export function absenceWords({ cause, reason }: Absence): string {
  const { word } = gapMark(cause);
  return reason === null ? word : `${word}: ${reason}`;
}

/** "2,411.3 mm" */
export function valueText(variable: Variable, value: number): string {
  return `${decimal(value, 1)} ${variableInfo(variable).unit}`;
}

/** How far an observation is from the moment that was asked: "at the moment", "4 min before", "30 s after". */
export function ageText(timeMs: UtcMs, momentMs: UtcMs): string {
  const seconds = Math.round((momentMs - timeMs) / 1_000);
  if (seconds === 0) return "at the moment";
  return `${duration(Math.abs(seconds))} ${seconds > 0 ? "before" : "after"}`;
}

export interface Tally {
  readonly there: number;
  /** Those of them that the service told. */
  readonly told: number;
  /** Seconds from the moment of the nearest and the furthest of them. */
  readonly leastSeconds: number;
  readonly mostSeconds: number;
}

/** How many stations have a value at a moment, and how far it is from it. */
export function tallyOf(stations: readonly CatalogueStation[], frame: Frame, variable: Variable): Tally {
  let [there, told, leastSeconds, mostSeconds] = [0, 0, Infinity, 0];
  for (const { id } of stations) {
    const reading = frame.read(id, variable);
    if (!reading) continue;
    there++;
    if (reading.from === "service") told++;
    const seconds = Math.abs(reading.timeMs - frame.momentMs) / 1_000;
    leastSeconds = Math.min(leastSeconds, seconds);
    mostSeconds = Math.max(mostSeconds, seconds);
  }
  return { there, told, leastSeconds, mostSeconds };
}

/** "0 s to 30 s away" */
export function spreadText({ there, leastSeconds, mostSeconds }: Tally): string {
  if (there === 0) return "";
  if (mostSeconds < 1) return "at the moment";
  const [least, most] = [leastSeconds < 1 ? "0 s" : duration(leastSeconds), duration(mostSeconds)];
  return least === most ? `${most} away` : `${least} to ${most} away`;
}
