import { isScalar, variableInfo } from "#shared/service/variables.ts";
import { STATION_FIELDS } from "../../stationFields.ts";
import { namedQuantity } from "../columnName.ts";
import type { RawQuantity } from "../quantity.ts";

/** Meaning of a column of a CSV export. */
export type CsvColumn =
  /** `place`: a field of the station, which is no series. */
  | { readonly kind: "station" | "name" | "time" | "satellite" | "place" }
  | { readonly kind: "number"; readonly quantity: RawQuantity }
  /** Lists with one value per satellite. */
  | { readonly kind: "lists" };

/** Long names for single satellites. */
const ONE_SATELLITE: Partial<Record<string, string>> = {
  el: "Elevation of the satellite",
  az: "Azimuth of the satellite",
};

/** Interprets the header of a CSV export; returns null for other tables: one station and one time column are required. */
export function csvColumns(header: readonly string[]): CsvColumn[] | null {
  const names = header.map((name) => name.trim().toLowerCase());
  const isSatellites =
    names.includes("prn") && !names.includes("cn0_dbhz") && names.indexOf("prn") < names.indexOf("el_deg");
  const columns = names.map((name, i): CsvColumn => {
    if (name === "station_id") return { kind: "station" };
    if (name === "station_name") return { kind: "name" };
    if (Object.hasOwn(STATION_FIELDS, name)) return { kind: "place" };
    if (name === "time") return { kind: "time" };
    if (name === "prn") return { kind: isSatellites ? "satellite" : "lists" };
    if (!isSatellites && /^(el_deg|az_deg|cn0_dbhz)$/.test(name)) return { kind: "lists" };
    return { kind: "number", quantity: quantityOf((header[i] ?? name).trim()) };
  });
  const isOurs = ["station", "time"].every((kind) => columns.filter((c) => c.kind === kind).length === 1);
  return isOurs ? columns : null;
}

function quantityOf(header: string): RawQuantity {
  const { name, unit } = namedQuantity(header);
  const band = /^cn0_(.+)$/i.exec(name)?.[1];
  const own = name.toLowerCase();
  const known = isScalar(own) ? variableInfo(own).label : ONE_SATELLITE[own];
  const longName = known ?? (band === undefined ? null : `C/N0, band ${band}`);
  return { name, unit, longName, standardName: null };
}
