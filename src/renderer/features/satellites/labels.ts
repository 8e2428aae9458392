import { NO_VALUE } from "#shared/text.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import { decimal, many, utc } from "../../ui/text.ts";
import { AZIMUTHS, CELL_DEG, type HeatMap } from "./data/heatMap.ts";
import { satelliteAt, type Sky, timeOf } from "./data/sky.ts";

/** Formats the length of a range: "31 days". */
export function lengthWords(lengthMs: number): string {
  return lengthMs >= 2 * DAY_MS
    ? many(Math.round(lengthMs / DAY_MS), "day")
    : many(Math.round(lengthMs / HOUR_MS), "hour");
}

/** Explains why there are no data. @param reason why the download failed, as a sentence */
export function emptyWords(causes: ReadonlySet<GapCause>, reason?: string): string {
  const [only] = causes.size === 1 ? causes : [];
  if (only === "noAccess")
    return "The key has no access to this station. Select another station, or ask the owner of the network.";
  if (only === "beforeHistory") return "This is before the station’s first observation. Choose a later range.";
  if (only === "nothingSent") return "The station sent no satellite data in this range.";
  if (only === "nothingOrFiltered" || only === "filteredOut")
    return "The service has no data: the station sent nothing, or the quality filter rejected everything. Fetch raw data to find out.";
  if (only === "failed")
    return `The last fetch of this range failed. ${reason ?? "The reason is under Downloads and exports."} Fetch it again.`;
  return "Elevation, azimuth and C/N0 of each satellite appear here once they are cached.";
}

/** Shown until the first data arrive. */
export const READING = "Reading …";

function degrees(value: number): string {
  return Number.isNaN(value) ? NO_VALUE : `${decimal(value, 1)}°`;
}

/**
 * Describes a satellite at a moment: "G01 GPS · elevation 45.1° · azimuth 120.0° · C/N0 band 1 45.2, band 2 40.1 dB-Hz", with
 * the time of the entry if it is earlier.
 */
export function entryWords(sky: Sky, entry: number, momentMs: UtcMs): string {
  const { prn, constellation, elevationDeg, azimuthDeg, ...values } = satelliteAt(sky, entry);
  const timeMs = timeOf(sky, entry);
  const bands = values.bands.map(({ name, cn0DbHz }) => `band ${name} ${decimal(cn0DbHz, 1)}`);
  return [
    `${prn} ${constellation.name}`,
    `elevation ${degrees(elevationDeg)}`,
    `azimuth ${degrees(azimuthDeg)}`,
    ...(bands.length > 0 ? [`C/N0 ${bands.join(", ")} dB-Hz`] : []),
    ...(momentMs - timeMs > 1.5 * sky.stepMs ? [`last tracked ${momentWords(timeMs)}`] : []),
  ].join(" · ");
}

export function cellWords({ n, meanDbHz }: HeatMap, cell: number): string {
  const azimuth = (cell % AZIMUTHS) * CELL_DEG;
  const elevation = Math.floor(cell / AZIMUTHS) * CELL_DEG;
  const place = `Azimuth ${azimuth}–${azimuth + CELL_DEG}° · elevation ${elevation}–${elevation + CELL_DEG}°`;
  const [count = 0, mean = Number.NaN] = [n[cell], meanDbHz[cell]];
  const words = Number.isNaN(mean) ? NO_VALUE : `${decimal(mean, 1)} dB-Hz`;
  return count === 0 ? `${place} · no values` : `${place} · mean ${words} · ${many(count, "value")}`;
}

/** Formats a time: "2026-10-01 12:30:00 UTC". */
export function momentWords(momentMs: number): string {
  return `${utc(momentMs)} UTC`;
}
