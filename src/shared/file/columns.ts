import { z } from "zod";
import { isScalar, SCALAR_VARIABLES, type ScalarVariable } from "../service/variables.ts";
import { TIME_UNITS, timeUnit } from "./timeUnits.ts";

/** Roles for times and sites. */
const FIXED_ROLES = [
  "none",
  "time",
  "dayFirst",
  "monthFirst",
  "clock",
  "halfDay",
  "year",
  "month",
  "day",
  "dayOfYear",
  "hour",
  "minute",
  "second",
  "secondOfDay",
  "mjd",
  "unixTime",
  "excelDay",
  "decimalYear",
  "gpsWeek",
  "secondOfWeek",
  "station",
  "latitude",
  "longitude",
  "height",
] as const;
export type FixedRole = (typeof FIXED_ROLES)[number] | "number";
export type ColumnRole = FixedRole | ScalarVariable;

/**
 * Roles of the columns of a text table.
 *
 * - time: a date, or a date and a time of day, year first; dayFirst and monthFirst: the same in that order
 * - clock: a time of day, beside a column of the date; halfDay: its AM or PM, for a clock of 12 hours
 * - year to secondOfDay: parts of a date
 * - mjd, unixTime, excelDay (days since 1899-12-30), decimalYear: a moment as one number; gpsWeek and secondOfWeek: a moment as two
 * - a scalar variable of the service
 * - number: any other quantity
 */
export const COLUMN_ROLES: readonly ColumnRole[] = [...FIXED_ROLES, ...SCALAR_VARIABLES, "number"];

const LENGTH_UNITS: readonly string[] = ["mm", "cm", "m"];
/** Units of a second of the day or of the GPS week, beside its time scale. */
const PARTS: readonly string[] = ["s", "ms", "min"];

/** Roles of the time of day. */
export const DAY_ROLES: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  "clock",
  "halfDay",
  "hour",
  "minute",
  "second",
  "secondOfDay",
]);

/** Roles of the time of a row. Each of its columns may state the scale of the time. */
export const TIME_ROLES: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  ...DAY_ROLES,
  ...(["time", "dayFirst", "monthFirst", "year", "month", "day", "dayOfYear", "mjd", "unixTime", "excelDay"] as const),
  ...(["decimalYear", "gpsWeek", "secondOfWeek"] as const),
]);

/** Returns the units, or time scales and zones, that a column with this role may have; none if it has no choice. */
export function unitsOf(role: ColumnRole): readonly string[] {
  if (role === "secondOfDay" || role === "secondOfWeek") return [...PARTS, ...TIME_UNITS];
  if (TIME_ROLES.has(role)) return TIME_UNITS;
  if (role === "pwv") return [...LENGTH_UNITS, "kg m-2"];
  return isScalar(role) ? LENGTH_UNITS : [];
}

/** A role as written on the command line: `day-first` for `dayFirst`. */
export function roleWord(role: ColumnRole): string {
  return role.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The unit, or the time scale or zone, that a text names for a role, in its usual spelling; null if the role cannot have it. */
export function unitFor(role: ColumnRole, text: string): string | null {
  const plain = text.trim().toLowerCase();
  return unitsOf(role).find((unit) => unit.toLowerCase() === plain) ?? (TIME_ROLES.has(role) ? timeUnit(text) : null);
}

const chosenColumn = z
  .object({
    /** Its index, from 0, or its name in the file. */
    column: z.union([z.number().int().min(0).max(10_000), z.string().min(1).max(200)]),
    role: z.enum(COLUMN_ROLES),
    /** Of a variable of the service, or the scale or zone of the time; null: what the file says. */
    unit: z.string().max(50).nullable(),
  })
  .refine(({ role, unit }) => unit === null || unitFor(role, unit) !== null);
export type ChosenColumn = z.output<typeof chosenColumn>;

export const chosenColumns = z.object({
  /** Columns not listed here keep the role derived from their names. */
  columns: z.array(chosenColumn).max(2_000).readonly(),
  /** A text that means "no value", in addition to the usual ones. */
  noValue: z.string().max(50).nullable(),
});
export type ChosenColumns = z.output<typeof chosenColumns>;

/** Answers of the user that are kept for other files with the same header. */
export const keptColumns = z.object({
  answers: z
    .array(
      z.object({
        chosen: chosenColumn,
        /** What the file itself said: its question, or how it was read. Null: nothing else, so that nothing is kept. */
        said: z.string().nullable(),
      }),
    )
    .readonly(),
  noValue: z.string().max(50).nullable(),
});
export type KeptColumns = z.output<typeof keptColumns>;

/** Returns the earlier answers for a table with this header, and takes those of now. */
export type Remember = (header: string, now: KeptColumns | null) => KeptColumns | null | Promise<KeptColumns | null>;

/** The columns of a text table, for the user to choose their roles. */
export interface TextTable {
  /** The header line, or null. */
  readonly header: string | null;
  readonly names: readonly string[];
  /** The first rows, unparsed. */
  readonly rows: readonly (readonly string[])[];
  /** The role and unit of each column. */
  readonly roles: readonly { readonly role: ColumnRole; readonly unit: string | null }[];
  readonly noValue: string | null;
  /** Indices of the columns whose unit or time scale the file leaves open. */
  readonly open?: readonly number[];
  /** Whether the file names its times and stations itself: of its times, only the scale can be chosen. */
  readonly isNamed?: true;
}
