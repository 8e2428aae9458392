import { type ColumnRole, type FixedRole, type TextTable, unitFor } from "#shared/file/columns.ts";
import { isScalar, shortName } from "#shared/service/variables.ts";

export type Role = TextTable["roles"][number];

const LABELS: Readonly<Record<FixedRole, string>> = {
  none: "Not used",
  time: "Time, year first",
  dayFirst: "Time, day first",
  monthFirst: "Time, month first",
  clock: "Time of day",
  halfDay: "AM or PM",
  year: "Year",
  month: "Month",
  day: "Day",
  dayOfYear: "Day of year",
  hour: "Hour",
  minute: "Minute",
  second: "Second",
  secondOfDay: "Second of day",
  mjd: "Modified Julian date",
  unixTime: "Seconds since 1970",
  excelDay: "Days since 1900 (Excel)",
  decimalYear: "Year with decimals",
  gpsWeek: "GPS week",
  secondOfWeek: "Second of GPS week",
  station: "Station",
  latitude: "Latitude, degrees",
  longitude: "Longitude, degrees",
  height: "Height, m",
  number: "Other number",
};

/** Returns the text of a role in the window. */
export function roleLabel(role: ColumnRole): string {
  return isScalar(role) ? shortName(role) : LABELS[role];
}

/** Returns the roles with one changed. A role that only one column can have is removed from its previous column. */
export function withRole(roles: readonly Role[], at: number, changed: Role): Role[] {
  const isRepeatable = changed.role === "none" || changed.role === "number" || isScalar(changed.role);
  const unit = changed.unit === null ? null : unitFor(changed.role, changed.unit);
  return roles.map((role, i) => {
    if (i === at) return { role: changed.role, unit };
    return !isRepeatable && role.role === changed.role ? { role: "none", unit: null } : role;
  });
}
