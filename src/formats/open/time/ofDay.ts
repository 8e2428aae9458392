import type { ColumnRole } from "#shared/file/columns.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { plainName } from "../meaning/stations.ts";
import { momentOf } from "./moment.ts";
import { unitOfTimeMs } from "./units.ts";

/** Reads the time of a row in milliseconds since 1970; NaN if it cannot be read, such as February 30. */
export type TimeReader = (fields: readonly string[]) => number;

export type ColumnIndices = ReadonlyMap<ColumnRole, number>;

export interface SampleTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The units that the file, or the user, states for the columns. */
  readonly units?: readonly (string | null)[];
}

/** The unit that a file, or the user, states for a column that counts time, in milliseconds; null without one. */
export function statedUnitMs({ names, units }: SampleTable, at: number): number | null {
  const name = names[at] ?? "";
  const [bracket = "", suffix = ""] = [/[([](.*?)[)\]]/.exec(name)?.[1], /_(ms)$/.exec(plainName(name))?.[1]];
  return [units?.[at] ?? "", bracket, suffix].map(unitOfTimeMs).find((ms) => ms !== null) ?? null;
}

/** The unit of a column that counts from midnight or from the start of a week: seconds if none is stated. */
export function unitMsOf(table: SampleTable, at: number): number {
  const name = plainName(table.names[at] ?? "");
  return statedUnitMs(table, at) ?? (name.includes("frac") ? DAY_MS : /^m(in|od)/.test(name) ? MINUTE_MS : SECOND_MS);
}

export function resolutionMs(columns: ColumnIndices): number {
  if (columns.has("second") || columns.has("secondOfDay")) return SECOND_MS;
  return columns.has("hour") && !columns.has("minute") ? HOUR_MS : MINUTE_MS;
}

export function timeOfDayReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const halfDay = columns.get("halfDay");
  const read = plainTimeOfDayReader(columns, table);
  if (halfDay === undefined || read === null) return read;
  // A time of a 12-hour clock, 12:00 to 11:59.
  return (fields) => {
    const [ofDayMs, half] = [read(fields), (fields[halfDay] ?? "").trim()];
    if (!(ofDayMs >= HOUR_MS && ofDayMs < 13 * HOUR_MS) || !/^[ap]\.?m?\.?$/i.test(half)) return Number.NaN;
    return (ofDayMs % (12 * HOUR_MS)) + (/^p/i.test(half) ? 12 * HOUR_MS : 0);
  };
}

function plainTimeOfDayReader(columns: ColumnIndices, table: SampleTable): TimeReader | null {
  const { names, rows } = table;
  const clock = columns.get("clock");
  if (clock !== undefined) {
    const second = columns.get("second");
    const text = clockText(
      names[clock] ?? "",
      rows.map((row) => row[clock] ?? ""),
    );
    return (fields) => {
      const time = text(fields[clock] ?? "");
      const hasSeconds = second === undefined || !/^\d\d:\d\d$/.test(time);
      if (time === "") return Number.NaN;
      return momentOf(`1970-01-01 ${time}`) + (hasSeconds ? 0 : secondsMs(fields[second]));
    };
  }
  const parts = (["hour", "minute", "second", "secondOfDay"] as const).flatMap((role) => {
    const index = columns.get(role);
    if (index === undefined) return [];
    if (role !== "secondOfDay") return [{ index, ...PARTS_OF_DAY[role] }];
    const unitMs = unitMsOf(table, index);
    return [{ index, unitMs, max: DAY_MS / unitMs }];
  });
  if (parts.length === 0) return null;
  return (fields) => {
    let ms = 0;
    for (const { index, unitMs, max } of parts) {
      // Four digits of an hour are hours and minutes.
      const value =
        unitMs <= SECOND_MS || max > 60 || !/^\s*\d{3}/.test(fields[index] ?? "")
          ? decimalOf(fields[index])
          : Number.NaN;
      ms += value >= 0 && value <= max ? value * unitMs : Number.NaN;
    }
    return ms <= DAY_MS ? Math.round(ms) : Number.NaN;
  };
}

function secondsMs(field: string | undefined): number {
  const value = decimalOf(field);
  return value >= 0 && value <= PARTS_OF_DAY.second.max ? Math.round(value * SECOND_MS) : Number.NaN;
}

/** Units of the columns of a time of day, and their largest values: hour 24 ends a day, second 60 is a leap second. */
const PARTS_OF_DAY = {
  hour: { unitMs: HOUR_MS, max: 24 },
  minute: { unitMs: MINUTE_MS, max: 59.999_999 },
  second: { unitMs: SECOND_MS, max: 60.999_999 },
} as const;

/** UTC after digits: their column is in UTC by its fields. */
const UTC_BEHIND = /(?<=^\d{4}(\d\d)?)\s*(Z|UTC|GMT)$/i;
const BARE = /^\d+(\.0+)?$/;

/**
 * Creates a reader of clock times such as `6:30`, `06:30:00` and `0630` that returns `HH:MM:SS`, or another text as it
 * is. Bare digits without a fixed width are read only if the heading names their format, because 5 and 1230 of another
 * column may be hours, hours with minutes, or minutes with seconds.
 * @param fields the fields of the first rows in this column
 */
function clockText(heading: string, fields: readonly string[]): (field: string) => string {
  const [format, seconds] = /^hh_?mm(_?ss)?$/.exec(plainName(heading)) ?? [];
  const texts = fields
    .map((field) => field.trim().replace(UTC_BEHIND, ""))
    .filter((text) => /^\d+$/.test(text) && isTimeOfDay(Number(text)));
  const [only, ...others] = new Set(texts.map((text) => text.length));
  const width = format === undefined ? (others.length === 0 ? only : undefined) : seconds === undefined ? 4 : 6;
  return (field) => {
    const text = field
      .trim()
      .replace(UTC_BEHIND, "")
      .replace(/^(\d\d?)\s*h\s*(?=\d\d)/i, "$1:")
      .replace(/(?<=^\d\d?:\d\d:\d\d):(?=\d{3}$)/, ".");
    if (BARE.test(text)) {
      // A format in the heading may be that of numbers, which have no leading zeros: 5 is five minutes past midnight.
      const digits = text.replace(/\..*/, "");
      const isFitting = digits.length === width || (format !== undefined && digits.length < (width ?? 0));
      if (!isFitting || (width !== 4 && width !== 6)) return text;
      return digits.padStart(width, "0").replaceAll(/(\d\d)(?=\d)/g, "$1:");
    }
    const [hour = "", ...rest] = text.split(":");
    return rest.length === 0 ? text : [hour.padStart(2, "0"), ...rest.map((part) => part.padStart(2, "0"))].join(":");
  };
}

/** Whether digits may be hours and minutes, or these with seconds. */
export function isTimeOfDay(digits: number): boolean {
  const [first, second, third] = [Math.floor(digits / 10_000), Math.floor(digits / 100) % 100, digits % 100];
  return first <= 24 && second < 60 && third < 60;
}

/** With a decimal point or comma. */
export function decimalOf(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? Number.NaN : Number(text.replace(",", "."));
}
