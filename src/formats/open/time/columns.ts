import { DAY_ROLES } from "#shared/file/columns.ts";
import { DAY_MS, SECOND_MS } from "#shared/time/utc.ts";
import { listed, quotedName } from "../notes.ts";
import { isNumeric } from "../table/notation.ts";
import { DATE_ORDERS, dateOrder, MONTH } from "./moment.ts";
import {
  firstFields,
  type Columns,
  isReadable,
  namedColumns,
  onlyClock,
  firstTimes,
  timesOfDay,
} from "./namedColumns.ts";
import * as NAMES from "./names.ts";
import { type SampleTable, type TimeReader } from "./ofDay.ts";
import { dateText } from "./reader.ts";
import { scaleInHeading } from "./scale.ts";

/** Whether a column that does not tell the time of its row repeats it as text, and is not a quantity. */
export function isTimeText({ names, rows }: SampleTable, index: number): boolean {
  const name = NAMES.timeName(names[index] ?? "");
  const fields = rows.map((row) => row[index] ?? "");
  if (NAMES.END.test(name) && dateOrder(fields) !== null) return true;
  return NAMES.isMomentName(name) && !fields.some(isNumeric);
}

/**
 * Finds the columns of time by their names, and by the first rows where a name may be a date or a time of day.
 * @returns null if no column has a date, or if a column that is named like a time of day cannot be read: the rows of a
 * table with times of day are not at midnight
 */
export function timeColumns(table: SampleTable): Columns | null {
  const named = namedColumns(table);
  const ofDay = named.ofDay.find((columns) => timesOfDay(table, columns).some(isReadable));
  const isFine = ofDay !== undefined && !(ofDay.size === 1 && ofDay.has("hour"));
  const readable = named.dates.flatMap((columns) => {
    const times = firstTimes(table, columns).filter(isReadable);
    return times.length === 0 ? [] : [{ columns, times, hasOwnTime: times.some((ms) => ms % DAY_MS !== 0) }];
  });
  // Decimals of a year are rounded to minutes or hours: any other date is exact.
  const exact = readable.filter(({ columns }) => !columns.has("decimalYear"));
  const dates = exact.length > 0 ? exact : readable;
  const own = dates.filter((date) => date.hasOwnTime);
  const days = dates.filter((date) => !date.hasOwnTime);
  // A date beside a time of day is the time of the row, whatever other moment the row has.
  const first = isFine ? days.filter(({ columns }) => DATE_ORDERS.some((role) => columns.has(role))) : [];
  for (const { columns, times, hasOwnTime } of [...first, ...own, ...days]) {
    const clock = ofDay ?? (hasOwnTime ? undefined : onlyClock(table, times));
    const both = clock && new Map([...columns, ...clock]);
    const least = hasOwnTime ? times.length : 1;
    if (both && firstTimes(table, both).filter(isReadable).length >= least) return both;
    if (hasOwnTime || named.isDaily) return columns;
  }
  return null;
}

/** Whether GPS weeks and their seconds tell the times of these columns, which then are in GPS time. */
export function isByGpsWeek(table: SampleTable, used: Columns): boolean {
  if (used.has("gpsWeek")) return true;
  const weeks = namedColumns(table).dates.find((columns) => columns.has("gpsWeek"));
  const [times, own] = [firstTimes(table, used), weeks ? firstTimes(table, weeks) : []];
  return own.length > 0 && own.every((ms, i) => Math.abs(ms - (times[i] ?? Number.NaN)) < SECOND_MS);
}

/** The columns of a time of day by their names, if others have dates without one; else empty. */
export function missingTimeOfDay(table: SampleTable, others: Columns): Columns {
  const times = firstTimes(table, others).filter(isReadable);
  const isDaily = times.length > 0 && times.every((ms) => ms % DAY_MS === 0);
  const hasOwn = (["clock", "hour", "secondOfDay"] as const).some((role) => others.has(role));
  if (!isDaily || hasOwn) return new Map();
  return namedColumns(table).ofDay.find((columns) => timesOfDay(table, columns).some(isReadable)) ?? new Map();
}

export function momentRemarks(table: SampleTable, used: Columns, time: TimeReader): string[] {
  const columns = [...used.values()];
  const names = columns.map((i) => table.names[i] ?? "");
  const isPlain = used.size === 1 && used.has("time") && names.every(NAMES.isTimeName);
  const row = isPlain ? undefined : table.rows.find((each) => !Number.isNaN(time(each)));
  const text = (each: readonly string[]): string => columns.map((i) => each[i] ?? "").join(" ");
  const at = used.get("time") ?? -1;
  const isMonths =
    at >= 0 &&
    firstFields(table, at)
      .map(dateText(table, at))
      .every((field) => MONTH.test(field.trim()));
  const isOfMonths = isMonths || (used.has("month") && !used.has("day") && !used.has("dayOfYear"));
  return [
    ...(row
      ? [
          `Times are read from ${listed(names)}: ${quotedName(text(row))} is ${new Date(time(row)).toISOString().slice(0, 19)}.`,
        ]
      : []),
    ...names
      .filter((name) => NAMES.END.test(NAMES.timeName(name)))
      .map((name) => `The times in ${quotedName(name)} are the ends of intervals.`),
    ...(isOfMonths ? ["Months have no day: their times are those of the first one."] : []),
  ];
}

/**
 * Columns that are named like a used one, but for a word or a number after it, `Time.1`, `date_time_met`, each with whether it
 * tells another time in a row.
 */
export function likeTimes(table: SampleTable, used: Columns) {
  const bases = (at: number): string[] => {
    const name = NAMES.timeName(table.names[at] ?? "");
    const base = name.replace(/_?\d+$|_[a-z\d]+$/, "");
    return [name, ...(NAMES.isMomentName(base) ? [base] : [])];
  };
  const others = [...table.names.keys()].filter((at) => {
    const name = NAMES.timeName(table.names[at] ?? "");
    // The same time in another scale tells this one.
    const isOwn =
      ![NAMES.START, NAMES.END].some((each) => each.test(name)) && scaleInHeading(table.names[at] ?? "").length === 0;
    return isOwn && ![...used.values()].includes(at);
  });
  return [...used].flatMap(([role, like]) => {
    const times = (at: number, rows: SampleTable["rows"]): number[] =>
      (DAY_ROLES.has(role) ? timesOfDay : firstTimes)({ ...table, rows }, new Map([[role, at]]));
    const alike = others.filter((at) => bases(at).some((name) => bases(like).includes(name)));
    return alike.flatMap((at) => {
      if (times(at, table.rows).length === 0) return [];
      const differs = (fields: readonly string[]): boolean =>
        fields[at] !== fields[like] &&
        Math.abs((times(at, [fields])[0] ?? Number.NaN) - (times(like, [fields])[0] ?? Number.NaN)) >= SECOND_MS;
      return [{ at, like, differs }];
    });
  });
}
