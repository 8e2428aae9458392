import { isScalar, variableInfo } from "#shared/service/variables.ts";
import { STATION_FIELDS } from "../../stationFields.ts";
import type { ToldQuantity } from "../quantity.ts";

/** What a column of our CSV holds, by its name. */
export type CsvColumn =
  /** `place`: what every row says of its station, and is no series. */
  | { readonly kind: "station" | "name" | "time" | "satellite" | "place" }
  | { readonly kind: "number"; readonly quantity: ToldQuantity }
  /** Lists with one value per satellite in every field. */
  | { readonly kind: "lists" };

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_mm$/, "mm"],
  [/_deg$/, "degree"],
  [/_dbhz$/, "dB-Hz"],
];
/** Of one satellite, where the variables are of all. */
const ONE_SATELLITE: Partial<Record<string, string>> = {
  el: "Elevation of the satellite",
  az: "Azimuth of the satellite",
};

/** null for a header that is none of ours: there has to be a time, and something with a unit in its name. */
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
    return { kind: "number", quantity: quantityOf(header[i]!.trim()) };
  });
  const isOurs = ["station", "time"].every((kind) => columns.filter((c) => c.kind === kind).length === 1);
  return isOurs ? columns : null;
}

function quantityOf(header: string): ToldQuantity {
  const [ending, unit = null] = UNITS.find(([words]) => words.test(header.toLowerCase())) ?? [];
  const name = ending ? header.replace(new RegExp(ending, "i"), "") : header;
  const band = /^cn0_(.+)$/i.exec(name)?.[1];
  const own = name.toLowerCase();
  const known = isScalar(own) ? variableInfo(own).label : ONE_SATELLITE[own];
  const longName = known ?? (band === undefined ? null : `C/N0, band ${band}`);
  return { name, unit, longName, standardName: null };
}
