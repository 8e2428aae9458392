import type { ColumnRole } from "#shared/file/columns.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseUtc, SECOND_MS } from "#shared/time/utc.ts";

/** Reads the time of a row, UTC milliseconds; NaN if it cannot be read. */
export type TimeReader = (fields: readonly string[]) => number;

/** Column indices by role. */
type ColumnIndices = ReadonlyMap<ColumnRole, number>;

export const TIME_ROLES: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  ...(["time", "dayFirst", "monthFirst", "clock", "year", "month", "day", "dayOfYear"] as const),
  ...(["hour", "minute", "second", "secondOfDay", "mjd", "unixTime", "decimalYear"] as const),
]);
/** Modified Julian date of 1970-01-01. */
const MJD_1970 = 40_587;
const DATE_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(.*)$/;

/** Creates a reader of times from columns of these roles; null if they do not define a time. */
export function timeReader(columns: ColumnIndices): TimeReader | null {
  const at = (role: ColumnRole): number => columns.get(role) ?? -1;
  const number = (role: ColumnRole, msOf: (value: number) => number): TimeReader => {
    const index = at(role);
    return (fields) => Math.round(msOf(numberOf(fields[index])));
  };
  if (at("mjd") >= 0) return number("mjd", (days) => (days - MJD_1970) * DAY_MS);
  if (at("unixTime") >= 0) return number("unixTime", (seconds) => seconds * SECOND_MS);
  if (at("decimalYear") >= 0) return number("decimalYear", momentOfYear);
  for (const role of ["time", "dayFirst", "monthFirst"] as const) {
    if (at(role) < 0) continue;
    const [date, clock] = [at(role), at("clock")];
    return (fields) => {
      const text = isoOrder(fields[date] ?? "", role);
      return momentOf(clock < 0 ? text : `${text} ${clockOf(fields[clock] ?? "")}`);
    };
  }
  return partsReader(columns);
}

function partsReader(columns: ColumnIndices): TimeReader | null {
  const at = (role: ColumnRole): number => columns.get(role) ?? -1;
  if (at("year") < 0 || (at("dayOfYear") < 0 && (at("month") < 0 || at("day") < 0))) return null;
  return (fields) => {
    const part = (role: ColumnRole, missing: number): number => (at(role) < 0 ? missing : numberOf(fields[at(role)]));
    const [month, day] = at("dayOfYear") < 0 ? [part("month", 1), part("day", 1)] : [1, part("dayOfYear", 1)];
    const clockMs = at("clock") < 0 ? 0 : msOfClock(fields[at("clock")] ?? "");
    const ms =
      part("hour", 0) * HOUR_MS +
      part("minute", 0) * MINUTE_MS +
      (part("second", 0) + part("secondOfDay", 0)) * SECOND_MS;
    return Date.UTC(part("year", Number.NaN), month - 1, day) + Math.round(ms) + clockMs;
  };
}

function momentOfYear(year: number): number {
  const whole = Math.floor(year);
  const startMs = Date.UTC(whole, 0, 1);
  return startMs + (year - whole) * (Date.UTC(whole + 1, 0, 1) - startMs);
}

/** Converts `31.01.2026` and `01/31/2026` to `2026-01-31`. */
function isoOrder(text: string, order: "time" | "dayFirst" | "monthFirst"): string {
  if (order === "time") return text;
  const [, first = "", second = "", year = "", rest = ""] = DATE_FIRST.exec(text.trim()) ?? [];
  const [day, month] = order === "dayFirst" ? [first, second] : [second, first];
  return year === "" ? "" : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${rest}`;
}

/**
 * Parses ISO 8601 with any separators, compact digits (`202601010630`), or year, day of year and second of day
 * (`2026:001:23400`). Dates that start with the day or month are not guessed.
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

/** Converts `6`, `0630`, `063000` and `6:30` to `HH:MM:SS`. */
function clockOf(text: string): string {
  const digits = /^(\d\d)(\d\d)(\d\d)?$/.exec(text.trim());
  if (digits) return `${digits[1]}:${digits[2]}:${digits[3] ?? "00"}`;
  const parts = text.trim().split(":");
  return [parts[0] ?? "", parts[1] ?? "00", parts[2] ?? "00"].map((part) => part.padStart(2, "0")).join(":");
}

function msOfClock(text: string): number {
  return momentOf(`1970-01-01 ${clockOf(text)}`);
}

function numberOf(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? Number.NaN : Number(text);
}
