import { create } from "zustand";
import type { ColumnRole, ColumnUnit, TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";

/** The table whose columns are being chosen. */
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

/** The units that a role may have; none where it has no unit to choose. */
export function unitsOf(role: ColumnRole): readonly ColumnUnit[] {
  if (role === "ztd" || role === "ztd_sigma") return ["mm", "cm", "m"];
  return role === "pwv" ? ["mm", "cm", "m", "kg m-2"] : [];
}

/** The roles with one of them changed: what there can be but once goes from the column that had it. */
export function withRole(roles: readonly Role[], at: number, changed: Role): Role[] {
  const isFree = ["none", "number", "ztd", "ztd_sigma", "pwv"].includes(changed.role);
  const [first] = unitsOf(changed.role);
  const unit = changed.unit !== null && unitsOf(changed.role).includes(changed.unit) ? changed.unit : (first ?? null);
  return roles.map((role, i) => {
    if (i === at) return { role: changed.role, unit };
    return !isFree && role.role === changed.role ? { role: "none", unit: null } : role;
  });
}
