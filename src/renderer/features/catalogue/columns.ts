import { type CatalogueStation, SOURCE_TYPES, stationLabel } from "#shared/service/catalogue.ts";
import { countryName } from "#shared/station/search.ts";
import type { Column } from "../../ui/grid/columns.ts";
import { ago, decimal, exactDuration, utcMinutes } from "../../ui/text.ts";

/** Data of cells besides the station. */
export interface ColumnContext {
  readonly nowMs: number;
  readonly networkNames: ReadonlyMap<string, string>;
  /** Cached share of the time range by station; 0 if absent. */
  readonly shares: ReadonlyMap<string, number>;
}

type Told<T> = (station: CatalogueStation, context: ColumnContext) => T;

interface StationColumn extends Pick<Column<CatalogueStation>, "id" | "title" | "width" | "share" | "align"> {
  readonly key: Told<string | number | null>;
  readonly text: Told<string | null>;
  /** A more precise value than the text, or why there is none. */
  readonly hint?: Told<string | null>;
}

const SOURCES: Readonly<Record<string, string>> = {
  stream_gnss: "Stream",
  telco: "Telecom",
  cors: "CORS",
} satisfies Record<(typeof SOURCE_TYPES)[number], string>;

/** Returns the display name of a source type; unknown types are unchanged. */
export function sourceWords(sourceType: string): string {
  return SOURCES[sourceType] ?? sourceType;
}

/** Formats a rate: "30 s", or "native" for the receiver's own rate, which the catalogue does not specify. */
export function rateWords(resolutionSeconds: number): string {
  return resolutionSeconds === 0 ? "native" : exactDuration(resolutionSeconds);
}

export const NO_POSITION = "The key has no access to positions";
export const NO_DATA = "No measurement yet";
const UNKNOWN = "Unknown";

type Of<T> = (station: CatalogueStation) => T;

function textColumn(id: string, title: string, width: number, of: Of<string>): StationColumn {
  const text: Of<string | null> = (s) => of(s) || null;
  return { id, title, width, key: text, text };
}

/** A coordinate, which only some keys may read. */
function positionColumn(id: string, title: string, width: number, of: Of<number | null>): StationColumn {
  const digits = id === "latitude" || id === "longitude" ? 3 : 1;
  const text: Of<string | null> = (s) => {
    const value = of(s);
    return value === null ? null : decimal(value, digits);
  };
  return { id, title, width, align: "end", key: of, text, hint: (s) => (of(s) === null ? NO_POSITION : null) };
}

function exactTime(momentMs: number | null, missing: string): string {
  return momentMs === null ? missing : `${utcMinutes(momentMs)} UTC`;
}

function dayColumn(id: string, title: string, missing: string, of: Of<number | null>): StationColumn {
  const text: Of<string | null> = (s) => (of(s) === null ? null : exactTime(of(s), missing).slice(0, 10));
  return { id, title, width: 92, key: of, text, hint: (s) => exactTime(of(s), missing) };
}

/** All columns in display order. */
export const COLUMNS: readonly StationColumn[] = [
  {
    id: "name",
    title: "Name",
    width: 132,
    share: 1,
    key: (s) => s.displayName || s.id,
    text: (s) => stationLabel(s),
  },
  {
    ...textColumn("country", "Country", 64, (s) => s.countryCode),
    hint: (s) => (s.countryCode ? countryName(s.countryCode) : UNKNOWN),
  },
  {
    id: "rate",
    title: "Rate",
    width: 56,
    align: "end",
    key: (s) => s.resolutionSeconds,
    text: (s) => rateWords(s.resolutionSeconds),
    hint: (s) => (s.resolutionSeconds === 0 ? "The receiver's own rate" : null),
  },
  {
    id: "cached",
    title: "Cached",
    width: 68,
    key: (s, { shares }) => shares.get(s.id) ?? 0,
    // Drawn as a strip.
    text: () => null,
  },
  {
    ...textColumn("network", "Network", 96, (s) => s.networkCode),
    hint: (s, { networkNames }) => networkNames.get(s.networkId) ?? null,
  },
  textColumn("place", "Place", 128, (s) => s.locationAlias),
  textColumn("source", "Source", 72, (s) => sourceWords(s.sourceType)),
  {
    id: "last",
    title: "Last data",
    width: 104,
    key: (s) => s.dataLastUpdatedMs,
    text: (s, { nowMs }) => (s.dataLastUpdatedMs === null ? null : ago(s.dataLastUpdatedMs, nowMs)),
    hint: (s) => exactTime(s.dataLastUpdatedMs, NO_DATA),
  },
  dayColumn("first", "First data", NO_DATA, (s) => s.historicDataFromMs),
  positionColumn("latitude", "Latitude °", 84, (s) => s.latitudeDeg),
  positionColumn("longitude", "Longitude °", 92, (s) => s.longitudeDeg),
  positionColumn("ellipsoidal", "Height WGS 84 m", 124, (s) => s.ellipsoidalHeight),
  positionColumn("orthometric", "Height EGM2008 m", 132, (s) => s.orthometricHeight),
  dayColumn("created", "Created", UNKNOWN, (s) => s.createdAtMs),
  dayColumn("updated", "Updated", UNKNOWN, (s) => s.updatedAtMs),
];

export function columnsWith(context: ColumnContext): readonly Column<CatalogueStation>[] {
  return COLUMNS.map(({ key, text, hint, ...column }) => ({
    ...column,
    key: (station) => key(station, context),
    text: (station) => text(station, context),
    hint: (station) => hint?.(station, context) ?? text(station, context),
  }));
}
