import { momentOf } from "../time/moment.ts";

// Columns that a heading does not name.

/**
 * Completes a heading with fewer names than the rows have fields: with the time of day, or the second of the GPS week, if
 * it has one name for date and time (RTKLIB), or with the number of the row (R).
 */
export function withClock(
  names: readonly string[] | null,
  [first = [], ...more]: readonly (readonly string[])[],
): readonly string[] | null {
  if (names === null || first.length <= names.length) return names;
  const isAll = (at: number, test: (one: string, next: string) => boolean): boolean =>
    [first, ...more].every((row) => row.length !== first.length || test(row[at] ?? "", row[at + 1] ?? ""));
  const week = names.findIndex((name, at) => /^gpst?$/i.test(name) && isAll(at, (text) => /^\d{4}$/.test(text)));
  if (week >= 0) return names.toSpliced(week, 1, "gps_week", "tow");
  // R writes rows with their number, which has no name.
  if (isAll(0, (text) => /^\d+$/.test(text))) return withClock(["", ...names], [first, ...more]);
  if (first.length > names.length + 1) return names;
  const split = names.findIndex((_, at) =>
    isAll(at, (date, clock) => CLOCK.test(clock) && momentOf(`${date} ${clock}`) > 0),
  );
  return split < 0 ? names : names.toSpliced(split + 1, 0, "clock");
}

const CLOCK = /^\d\d:\d\d(:\d\d([.,]\d+)?)?$/;

/** Names a column without a name: nothing if it is empty, or the first one with the numbers of the rows, as pandas writes. */
export function placeName(names: readonly string[], rows: readonly (readonly string[])[], at: number): string {
  const isFirst = names.slice(0, at).every((name) => name === "");
  const isNothing = rows.every((row) => (isFirst ? /^\d*$/ : /^$/).test(row[at] ?? ""));
  return isNothing ? "" : `Column ${at + 1}`;
}
