import { SECOND_MS, type UtcMs } from "./utc.ts";

/** Sunday 1980-01-06, the start of GPS week 0. UTC and GPS time were equal then. */
export const GPS_START_MS = Date.UTC(1980, 0, 6);

/** Seconds that GPS time is ahead of UTC since a given date (IERS Bulletin C), latest first. */
const GPS_AHEAD: readonly (readonly [fromMs: UtcMs, seconds: number])[] = [
  [Date.UTC(2017, 0, 1), 18],
  [Date.UTC(2015, 6, 1), 17],
  [Date.UTC(2012, 6, 1), 16],
  [Date.UTC(2009, 0, 1), 15],
  [Date.UTC(2006, 0, 1), 14],
  [Date.UTC(1999, 0, 1), 13],
  [Date.UTC(1997, 6, 1), 12],
  [Date.UTC(1996, 0, 1), 11],
  [Date.UTC(1994, 6, 1), 10],
  [Date.UTC(1993, 6, 1), 9],
  [Date.UTC(1992, 6, 1), 8],
  [Date.UTC(1991, 0, 1), 7],
  [Date.UTC(1990, 0, 1), 6],
  [Date.UTC(1988, 0, 1), 5],
  [Date.UTC(1985, 6, 1), 4],
  [Date.UTC(1983, 6, 1), 3],
  [Date.UTC(1982, 6, 1), 2],
  [Date.UTC(1981, 6, 1), 1],
];

/** Returns GPS time minus UTC, in seconds. */
export function gpsAheadSeconds(utcMs: UtcMs): number {
  return GPS_AHEAD.find(([fromMs]) => utcMs >= fromMs)?.[1] ?? 0;
}

/** Converts a moment in GPS time, counted like UTC in milliseconds since 1970, to UTC. */
export function gpsToUtc(gpsMs: number): UtcMs {
  const found = GPS_AHEAD.find(([fromMs, seconds]) => gpsMs - seconds * SECOND_MS >= fromMs);
  return gpsMs - (found?.[1] ?? 0) * SECOND_MS;
}
