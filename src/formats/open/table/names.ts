import type { ColumnRole } from "#shared/file/columns.ts";
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
  ["hour", /^(hour|hh|hr|h)$/],
  ["minute", /^(minute|min|mi)$/],
  ["second", /^(second|sec|ss|s)$/],
  ["secondOfDay", /^(sod|seconds?_of_day)$/],
];
const SITE: readonly (readonly [ColumnRole, RegExp])[] = [
  ["station", /^(station(_?(id|name|code))?|site(_?(id|name|code))?|stat|stn|sta|id|code|marker(_name)?|name)$/],
  ["latitude", /^(lat|latitude)(_deg)?$/],
  ["longitude", /^(lon|long|longitude)(_deg)?$/],
  ["height", /^(height|hgt|h|alt|altitude|elev|elevation|ellipsoidal_height|h_ell)(_m)?$/],
];

/** Whether a name may be a time column, so that the line is a header. */
function isTimeName(name: string): boolean {
  return [TIME, DATE, MJD, /^year$|^yyyy$|^yr$/, /^unix_time$/].some((pattern) => pattern.test(name));
}

/**
 * Finds the columns of time and position by their names and the first row.
 *
 * @returns null if there is no time column with a valid time in the first row
 */
export function rolesByName(heads: readonly string[], first: readonly string[]): Map<ColumnRole, number> | null {
  const names = heads.map((head) => plainName(head));
  if (heads.length < 2 || heads.length !== first.length || !names.some(isTimeName)) return null;
  const one = (role: ColumnRole, pattern: RegExp): [ColumnRole, number] => [
    role,
    names.findIndex((n) => pattern.test(n)),
  ];
  const date = one("time", DATE);
  const clock: [ColumnRole, number] = ["clock", names.findIndex((name, i) => i !== date[1] && CLOCK.test(name))];
  const candidates = [
    date[1] >= 0 && clock[1] >= 0 ? [date, clock] : [],
    [one("time", TIME)],
    [one("mjd", MJD)],
    [one("unixTime", UNIX)],
    PARTS.map(([role, pattern]) => one(role, pattern)),
  ].map((places) => new Map(places.filter(([, at]) => at >= 0)));
  const times = candidates.find((places) => !Number.isNaN(timeReader(places)?.(first) ?? Number.NaN));
  if (!times) return null;
  return new Map([...siteRolesByName(heads, times.values()), ...times]);
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

function plainName(head: string): string {
  return head
    .replace(/[([].*$/, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}
