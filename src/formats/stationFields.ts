import type { FileStation, SeriesFileSource } from "./source.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";

/** Station fields of tables, by column name. */
export const STATION_FIELDS = {
  station_id: { unit: "", meaning: "Identifier of the station at the service", of: (s) => s.id },
  station_name: { unit: "", meaning: "Display name of the station", of: (s) => s.displayName },
  network_code: { unit: "", meaning: "Code of the station's network", of: (s) => s.networkCode },
  country_code: { unit: "", meaning: "Country, ISO 3166-1 alpha-2", of: (s) => s.countryCode },
  location_alias: { unit: "", meaning: "Place of the station in words", of: (s) => s.locationAlias },
  source_type: { unit: "", meaning: "Kind of the station", of: (s) => s.sourceType },
  latitude_deg: {
    unit: "degree",
    meaning: "Latitude of the station, WGS 84, positive north",
    standard_name: "latitude",
    of: (s) => s.latitudeDeg,
  },
  longitude_deg: {
    unit: "degree",
    meaning: "Longitude of the station, WGS 84, positive east",
    standard_name: "longitude",
    of: (s) => s.longitudeDeg,
  },
  height_m: { unit: "m", meaning: "Height of the station above height_reference", of: (s) => s.height },
  height_reference: {
    unit: "",
    meaning: "What height_m is above: the WGS 84 ellipsoid, or the geoid EGM2008",
    of: (s) => s.heightReference,
  },
} as const satisfies Record<string, ColumnMeaning & { readonly of: (station: FileStation) => string | number | null }>;

export type StationField = keyof typeof STATION_FIELDS;

export const ALL_STATION_FIELDS = Object.keys(STATION_FIELDS) as readonly StationField[];

export function stationValue(station: FileStation, field: StationField): string | number | null {
  return STATION_FIELDS[field].of(station);
}

export interface ColumnMeaning {
  readonly unit: string;
  readonly meaning: string;
  /** CF standard name. */
  readonly standard_name?: string;
}

/** The column of tables of means that tells them from observations, also after other programs wrote the table again. */
export const INTERVAL_COLUMN = "interval_s";

/** Names of the columns of a table of series after its time. */
export function seriesColumns({ variables, intervalSeconds }: Pick<SeriesFileSource, "variables" | "intervalSeconds">) {
  const names = variables.map((v) => variableInfo(v).column);
  return intervalSeconds === null ? names : [INTERVAL_COLUMN, ...names];
}

/** Returns descriptions and units of the columns of a table, for the metadata of files. */
export function columnMeanings(
  variables: readonly Variable[],
  intervalSeconds: number | null,
): Record<string, ColumnMeaning> {
  const meaning = "Length of the interval that begins at time; the values are means over it";
  return {
    ...(intervalSeconds === null ? {} : { [INTERVAL_COLUMN]: { unit: "s", meaning } }),
    ...Object.fromEntries(variables.map((v) => [variableInfo(v).column, columnMeaning(v)])),
  };
}

export function columnMeaning(variable: Variable): ColumnMeaning {
  const { unit, label, meaning, standardName } = variableInfo(variable);
  const named = standardName === undefined ? {} : { standard_name: standardName };
  return { unit, meaning: `${label}. ${meaning}`, ...named };
}
