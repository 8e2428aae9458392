import type { ColumnRole } from "#shared/file/columns.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { timeReader } from "./times.ts";

const TIME = /^(date_?time|timestamp|epoch|time|utc|(time|date|epoch)_utc|utc_time|valid_time|obs_?time|date)$/;
const DATE = /^(date|day|ymd|yyyymmdd|yyyy_mm_dd)$/;
const CLOCK = /^(time|utc|hour|clock|hh_?mm(_?ss)?)$/;
const MJD = /^mjd$/;
const UNIX = /^(unix(_time)?|posix(_time)?)$/;
const PARTS: readonly (readonly [ColumnRole, RegExp])[] = [
  ["year", /^(year|yyyy|yr)$/],
  ["month", /^(month|mon|mo)$/],
  ["day", /^(day|dd|dom)$/],
  ["dayOfYear", /^(doy|ddd|day_of_year|yday)$/],
];
const SITE: readonly (readonly [ColumnRole, RegExp])[] = [
  ["station", /^(station(_?(id|name|code))?|site(_?(id|name|code))?|stat|stn|sta|id|code|marker(_name)?|name)$/],
  ["latitude", /^(lat|latitude)(_deg)?$/],
  ["longitude", /^(lon|long|longitude)(_deg)?$/],
  ["height", /^(height|hgt|h|alt|altitude|elev|elevation|ellipsoidal_height|h_ell)(_m)?$/],
];

/** Whether a plain name may be a time column, so that the line is a header. */
export function isTimeName(name: string): boolean {
  return [TIME, DATE, MJD, /^year$|^yyyy$|^yr$/, /^unix_time$/].some((pattern) => pattern.test(name));
}

/**
 * Finds the columns of time and position by their names.
 *
 * @param rows the first rows
 * @returns null if there is no time column with a valid time in one of the rows
 */
export function rolesByName(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Map<ColumnRole, number> | null {
  const names = heads.map((head) => plainName(head));
  if (heads.length < 2 || !names.some(isTimeName)) return null;
  const one = (role: ColumnRole, pattern: RegExp): [ColumnRole, number] => [
    role,
    names.findIndex((n) => pattern.test(n)),
  ];
  const ofDay = timeOfDayColumns(names);
  const date = one("time", DATE);
  const clock: [ColumnRole, number] = ["clock", names.findIndex((name, i) => i !== date[1] && CLOCK.test(name))];
  const dates = [date, one("time", TIME), one("mjd", MJD), one("unixTime", UNIX)].filter(([, at]) => at >= 0);
  const parts = PARTS.map(([role, pattern]) => one(role, pattern));
  const candidates = [
    ...(ofDay.length > 0 ? dates.map((each) => [each, ...ofDay]) : []),
    // An hour that has minutes in another column is no clock time.
    ofDay.length < 2 ? [date, clock] : [],
    ...dates.map((each) => [each]),
    [...parts, ...timeOfDayColumns(names, /^h$/)],
  ].map((places) => new Map(places.filter(([, at]) => at >= 0)));
  const readable = candidates.map((places) => {
    const times = readTimes(places, rows);
    // Days alone are not the times of a table that has a time of day, even if more of its rows can be read like this.
    const isDaysOnly = ofDay.length > 0 && places.size === 1 && times.every((ms) => ms % DAY_MS === 0);
    return isDaysOnly ? 0 : times.length;
  });
  const most = Math.max(...readable);
  const times = most === 0 ? undefined : candidates[readable.indexOf(most)];
  if (!times) return null;
  return new Map([...siteRolesByName(heads, times.values()), ...times]);
}

function readTimes(columns: ReadonlyMap<ColumnRole, number>, rows: readonly (readonly string[])[]): number[] {
  const read = timeReader(columns);
  return read === null ? [] : rows.map(read).filter((ms) => !Number.isNaN(ms));
}

/** Finds the columns of station and position by their names. @param taken columns with another role */
export function siteRolesByName(heads: readonly string[], taken: Iterable<number> = []): Map<ColumnRole, number> {
  const others = new Set(taken);
  const names = heads.map((head) => plainName(head));
  const places = SITE.map(([role, pattern]) => {
    const at = names.findIndex((name, i) => pattern.test(name) && !others.has(i));
    return [role, at] as const;
  });
  return new Map(places.filter(([, at]) => at >= 0));
}

/** Returns the columns of a time of day: second of day, or an hour, which may have minutes, which may have seconds. */
function timeOfDayColumns(names: readonly string[], otherHour = /^$/): [ColumnRole, number][] {
  const find = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));
  const secondOfDay = find(/^(sod|seconds?_of_day)$/);
  if (secondOfDay >= 0) return [["secondOfDay", secondOfDay]];
  const named = find(/^(hour|hh|hr)$/);
  const hour = named < 0 ? find(otherHour) : named;
  if (hour < 0) return [];
  // Beside a maximum, “min” is the minimum.
  const minute = find(names.some((name) => /^max(imum)?$/.test(name)) ? /^(minute|mi)$/ : /^(minute|min|mi)$/);
  if (minute < 0) return [["hour", hour]];
  const second = find(/^(second|sec|ss|s)$/);
  return [["hour", hour], ["minute", minute], ...(second < 0 ? [] : [["second", second] as [ColumnRole, number]])];
}

export function plainName(head: string): string {
  return head
    .replace(/[([].*$/, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}
