import { NO_VALUE } from "#shared/text.ts";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { completeness, percent } from "#shared/series/statistics.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, MINUTE_MS, startOfDay, type UtcMs } from "#shared/time/utc.ts";
import { count, duration, many, utcMinutes } from "../../ui/text.ts";
import { type GapLine, lengthMs } from "../gaps/list.ts";
import { sumCounts } from "../availability/table.ts";

/** Yesterday and today, UTC. */
export function morningRange(nowMs: UtcMs): TimeRange {
  const todayMs = startOfDay(nowMs);
  return { startMs: todayMs - DAY_MS, endMs: todayMs + DAY_MS };
}

/** Without data for this long, a station is silent. */
const SILENT_AFTER_MS = 30 * MINUTE_MS;

/** Says since when a station has sent nothing: "Silent since 2026-11-28 07:10, for 1 h 20 min"; null if it sends. */
export function silentWords(
  { dataLastUpdatedMs }: Pick<CatalogueStation, "dataLastUpdatedMs">,
  nowMs: UtcMs,
): string | null {
  if (dataLastUpdatedMs === null) return "Has never sent data";
  const silentMs = nowMs - dataLastUpdatedMs;
  if (silentMs < SILENT_AFTER_MS) return null;
  return `Silent since ${utcMinutes(dataLastUpdatedMs)}, for ${duration(silentMs / 1_000)}`;
}

/**
 * The share of expected values that are in the cache on a day (0: yesterday, 1: today), and the share that is not
 * downloaded: "99.2 %, 0.8 % not downloaded"; "–" if none is expected.
 */
export function dayWords(availability: SeriesAvailability, stationId: string, day: number): string {
  const station = availability.stations.findIndex((s) => s.stationId === stationId);
  if (station < 0 || day >= availability.bins) return NO_VALUE;
  const counts = sumCounts(availability, station, day, day + 1);
  if (counts.expected === 0) return NO_VALUE;
  if (counts.notRequested === counts.expected) return "not\u00a0downloaded";
  const share = percent(completeness(counts.received, counts.expected));
  return counts.notRequested > 0 ? `${share}, ${percent(counts.notRequested / counts.expected)} not downloaded` : share;
}

const MAX_LISTED = 2;
/** Shorter gaps are only counted. */
const SHORTEST_LISTED_MS = 5 * MINUTE_MS;

/** The longest gaps of a station with their causes: "11-27 03:12 → 04:00 failed: …; 2 more; 4 gaps shorter than 5 min". */
export function missingWords(lines: readonly GapLine[]): string {
  const known = lines.filter(({ cause }) => cause !== "notRequested");
  const long = known.filter((line) => lengthMs(line) >= SHORTEST_LISTED_MS);
  const longest = long.toSorted((a, b) => lengthMs(b) - lengthMs(a)).slice(0, MAX_LISTED);
  const listed = longest.map(({ range, cause, reason }) => {
    const [from, to] = [utcMinutes(range.startMs), utcMinutes(range.endMs)];
    const end = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to.slice(5);
    return `${from.slice(5)} → ${end} ${gapMark(cause).word}${reason === undefined ? "" : `: ${reason}`}`;
  });
  const [more, short] = [long.length - listed.length, known.length - long.length];
  return [
    ...listed,
    ...(more > 0 ? [`${count(more)} more`] : []),
    ...(short > 0 ? [`${many(short, "gap")} shorter than ${duration(SHORTEST_LISTED_MS / 1_000)}`] : []),
  ].join("; ");
}
