import { create } from "zustand";
import type { ColumnRole, ColumnUnit, TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";

/** The text table in the dialog that chooses columns; null if it is closed. */
export const useColumns = create<{ readonly file: OpenedFile | null }>(() => ({ file: null }));

export function chooseColumnsOf(file: OpenedFile): void {
  useColumns.setState({ file });
}

export function closeColumns(): void {
  useColumns.setState({ file: null });
}

export type Role = TextTable["roles"][number];

export const ROLE_LABELS: Readonly<Record<ColumnRole, string>> = {
  none: "Not used",
  time: "Time, year first",
  dayFirst: "Time, day first",
  monthFirst: "Time, month first",
  clock: "Time of day",
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
  decimalYear: "Year with decimals",
  station: "Station",
  latitude: "Latitude, degrees",
  longitude: "Longitude, degrees",
  height: "Height, m",
  ztd: "ZTD",
  ztd_sigma: "Uncertainty of ZTD",
  pwv: "PWV",
  number: "Other number",
};

/** Returns the units that a column with this role may have. */
export function unitsOf(role: ColumnRole): readonly ColumnUnit[] {
  if (role === "ztd" || role === "ztd_sigma") return ["mm", "cm", "m"];
  return role === "pwv" ? ["mm", "cm", "m", "kg m-2"] : [];
}

/** Returns the roles with one changed. A role that only one column can have is removed from its previous column. */
export function withRole(roles: readonly Role[], at: number, changed: Role): Role[] {
  const isRepeatable = ["none", "number", "ztd", "ztd_sigma", "pwv"].includes(changed.role);
  const [first] = unitsOf(changed.role);
  const unit = changed.unit !== null && unitsOf(changed.role).includes(changed.unit) ? changed.unit : (first ?? null);
  return roles.map((role, i) => {
    if (i === at) return { role: changed.role, unit };
    return !isRepeatable && role.role === changed.role ? { role: "none", unit: null } : role;
  });
}
