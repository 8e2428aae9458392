import { DAY_MS, HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS } from "#shared/time/utc.ts";

/** Reads the time of a row, UTC milliseconds; NaN if it cannot be read. */
export type TimeReader = (fields: readonly string[]) => number;

export interface TimeColumns {
  readonly read: TimeReader;
  /** Places of the columns that it reads. */
  readonly used: readonly number[];
}

const TIME = /^(date_?time|timestamp|epoch|time|utc|(time|date|epoch)_utc|utc_time|valid_time|obs_?time|date)$/;
const DATE = /^(date|day|ymd|yyyymmdd|yyyy_mm_dd)$/;
const CLOCK = /^(time|utc|hour|clock|hh_?mm(_?ss)?)$/;
/** Modified Julian date of 1970-01-01. */
const MJD_1970 = 40_587;

const PARTS = {
  year: /^(year|yyyy|yr)$/,
  month: /^(month|mon|mo)$/,
  day: /^(day|dd|dom)$/,
  dayOfYear: /^(doy|ddd|day_of_year|yday)$/,
  hour: /^(hour|hh|hr|h)$/,
  minute: /^(minute|min|mi)$/,
  second: /^(second|sec|ss|s)$/,
  secondOfDay: /^(sod|seconds?_of_day)$/,
} as const;

/** The columns of time in a header of plain names, judged by the first row as well; null without any. */
export function timeColumns(names: readonly string[], first: readonly string[]): TimeColumns | null {
  const candidates = [inDateAndClock, inOneColumn, asJulianDate, asUnixTime, inParts];
  for (const candidate of candidates) {
    const found = candidate(names);
    if (found && !Number.isNaN(found.read(first))) return found;
  }
  return null;
}

/** Whether a name may be that of a time, so that the line is a header. */
export function isTimeName(name: string): boolean {
  return TIME.test(name) || DATE.test(name) || PARTS.year.test(name) || name === "mjd" || name === "unix_time";
}

function inOneColumn(names: readonly string[]): TimeColumns | null {
  const at = names.findIndex((name) => TIME.test(name));
  return at < 0 ? null : { read: (fields) => momentOf(fields[at] ?? ""), used: [at] };
}

function inDateAndClock(names: readonly string[]): TimeColumns | null {
  const date = names.findIndex((name) => DATE.test(name));
  const clock = names.findIndex((name, i) => i !== date && CLOCK.test(name));
  if (date < 0 || clock < 0) return null;
  return {
    read: (fields) => momentOf(`${fields[date] ?? ""} ${clockOf(fields[clock] ?? "")}`),
    used: [date, clock],
  };
}

function asJulianDate(names: readonly string[]): TimeColumns | null {
  return scaledColumn(names, /^mjd$/, (days) => (days - MJD_1970) * DAY_MS);
}

function asUnixTime(names: readonly string[]): TimeColumns | null {
  return scaledColumn(names, /^(unix(_time)?|posix(_time)?)$/, (seconds) => seconds * SECOND_MS);
}

function scaledColumn(names: readonly string[], name: RegExp, msOf: (value: number) => number): TimeColumns | null {
  const at = names.findIndex((own) => name.test(own));
  if (at < 0) return null;
  return { read: (fields) => Math.round(msOf(numberOf(fields[at]))), used: [at] };
}

function inParts(names: readonly string[]): TimeColumns | null {
  const places = Object.entries(PARTS).map(([part, name]) => [part, names.findIndex((own) => name.test(own))] as const);
  const at = Object.fromEntries(places) as Record<keyof typeof PARTS, number>;
  if (at.year < 0 || (at.dayOfYear < 0 && (at.month < 0 || at.day < 0))) return null;
  const read: TimeReader = (fields) => {
    const part = (name: keyof typeof PARTS, missing: number): number =>
      at[name] < 0 ? missing : numberOf(fields[at[name]]);
    const [month, day] = at.dayOfYear < 0 ? [part("month", 1), part("day", 1)] : [1, part("dayOfYear", 1)];
    const secondOfDay = part("secondOfDay", 0);
    const ms =
      part("hour", 0) * HOUR_MS + part("minute", 0) * MINUTE_MS + (part("second", 0) + secondOfDay) * SECOND_MS;
    return Date.UTC(part("year", Number.NaN), month - 1, day) + Math.round(ms);
  };
  return { read, used: places.flatMap(([, place]) => (place < 0 ? [] : [place])) };
}

/**
 * ISO 8601 with any separators, compact digits (`202601010630`), or year, day of year and second of day
 * (`2026:001:23400`). Dates that begin with the day or the month are not guessed.
 */
function momentOf(text: string): number {
  const plain = text.trim();
  const epoch = /^(\d{4})[:-](\d{3})[:-](\d{5})$/.exec(plain);
  if (epoch) return Date.UTC(Number(epoch[1]), 0, Number(epoch[2])) + Number(epoch[3]) * SECOND_MS;
  const digits = /^(\d{4})(\d\d)(\d\d)[T ]?(?:(\d\d):?(\d\d):?(\d\d)?)?Z?$/.exec(plain);
  if (digits) {
    const [, year, month, day, hour = "00", minute = "00", second = "00"] = digits;
    return parseUtc(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) ?? Number.NaN;
  }
  return (
    parseUtc(
      plain
        .replaceAll("/", "-")
        .replace(/\s+/, "T")
        .replace(/\s*(UTC|GMT)$/, "Z"),
    ) ?? Number.NaN
  );
}

/** `6`, `0630`, `063000` and `6:30` as hours and minutes with colons. */
function clockOf(text: string): string {
  const digits = /^(\d\d)(\d\d)(\d\d)?$/.exec(text.trim());
  if (digits) return `${digits[1]}:${digits[2]}:${digits[3] ?? "00"}`;
  const parts = text.trim().split(":");
  return [parts[0] ?? "", parts[1] ?? "00", parts[2] ?? "00"].map((part) => part.padStart(2, "0")).join(":");
}

function numberOf(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? Number.NaN : Number(text);
}
