import { z } from "zod";
import { isScalar, SCALAR_VARIABLES, type ScalarVariable } from "../service/variables.ts";

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

const LENGTH_UNITS = ["mm", "cm", "m"] as const;
/** Time scales, and zones as their difference from UTC. */
const OFFSETS = Array.from({ length: 27 }, (_, i) => i - 12).filter((hours) => hours !== 0);
const TIME_SCALES = ["UTC", "GPS", "BDT", "TAI", ...OFFSETS.map((h) => `UTC${h < 0 ? "" : "+"}${h}`)] as const;
/** Units of the variables of the service, and time scales. */
const COLUMN_UNITS = [...LENGTH_UNITS, "kg m-2", ...TIME_SCALES] as const;
type ColumnUnit = (typeof COLUMN_UNITS)[number];

/** Roles that have a time scale: those of the date. */
const DATES: ReadonlySet<ColumnRole> = new Set<ColumnRole>([
  "time",
  "dayFirst",
  "monthFirst",
  "year",
  "mjd",
  "unixTime",
  "excelDay",
  "decimalYear",
  "gpsWeek",
]);

/** Returns the units, or time scales, that a column with this role may have; none if it has no choice. */
export function unitsOf(role: ColumnRole): readonly ColumnUnit[] {
  if (DATES.has(role)) return TIME_SCALES;
  if (role === "pwv") return [...LENGTH_UNITS, "kg m-2"];
  return isScalar(role) ? LENGTH_UNITS : [];
}

const chosenColumn = z.object({
  /** Its index, from 0, or its name in the file. */
  column: z.union([z.number().int().min(0).max(10_000), z.string().min(1).max(200)]),
  role: z.enum(COLUMN_ROLES),
  /** Of a variable of the service, or of the time; null: what the file says. */
  unit: z.enum(COLUMN_UNITS).nullable(),
});
export type ChosenColumn = z.output<typeof chosenColumn>;

export const chosenColumns = z.object({
  /** Columns not listed here keep the role derived from their names. */
  columns: z.array(chosenColumn).max(2_000).readonly(),
  /** A text that means "no value", in addition to the usual ones. */
  noValue: z.string().max(50).nullable(),
});
export type ChosenColumns = z.output<typeof chosenColumns>;

/** The columns of a text table, for the user to choose their roles. */
export interface TextTable {
  /** The header line, or null. */
  readonly header: string | null;
  readonly names: readonly string[];
  /** The first rows, unparsed. */
  readonly rows: readonly (readonly string[])[];
  /** The role and unit of each column. */
  readonly roles: readonly { readonly role: ColumnRole; readonly unit: ColumnUnit | null }[];
  readonly noValue: string | null;
}
