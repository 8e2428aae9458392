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

const degrees = (value: number | null): string | null => (value === null ? null : decimal(value, 3));
const metres = (value: number | null): string | null => (value === null ? null : decimal(value, 1));
const day = (moment: number | null): string | null => (moment === null ? null : utcMinutes(moment).slice(0, 10));
const exactTime = (moment: number | null, missing: string): string =>
  moment === null ? missing : `${utcMinutes(moment)} UTC`;

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
    id: "country",
    title: "Country",
    width: 64,
    key: (s) => s.countryCode || null,
    text: (s) => s.countryCode || null,
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
    id: "network",
    title: "Network",
    width: 96,
    key: (s) => s.networkCode || null,
    text: (s) => s.networkCode || null,
    hint: (s, { networkNames }) => networkNames.get(s.networkId) ?? null,
  },
  {
    id: "place",
    title: "Place",
    width: 128,
    key: (s) => s.locationAlias || null,
    text: (s) => s.locationAlias || null,
  },
  {
    id: "source",
    title: "Source",
    width: 72,
    key: (s) => sourceWords(s.sourceType),
    text: (s) => sourceWords(s.sourceType),
  },
  {
    id: "last",
    title: "Last data",
    width: 104,
    key: (s) => s.dataLastUpdatedMs,
    text: (s, { nowMs }) => (s.dataLastUpdatedMs === null ? null : ago(s.dataLastUpdatedMs, nowMs)),
    hint: (s) => exactTime(s.dataLastUpdatedMs, NO_DATA),
  },
  {
    id: "first",
    title: "First data",
    width: 92,
    key: (s) => s.historicDataFromMs,
    text: (s) => day(s.historicDataFromMs),
    hint: (s) => exactTime(s.historicDataFromMs, NO_DATA),
  },
  {
    id: "latitude",
    title: "Latitude °",
    width: 84,
    align: "end",
    key: (s) => s.latitudeDeg,
    text: (s) => degrees(s.latitudeDeg),
    hint: (s) => (s.latitudeDeg === null ? NO_POSITION : null),
  },
  {
    id: "longitude",
    title: "Longitude °",
    width: 92,
    align: "end",
    key: (s) => s.longitudeDeg,
    text: (s) => degrees(s.longitudeDeg),
    hint: (s) => (s.longitudeDeg === null ? NO_POSITION : null),
  },
  {
    id: "ellipsoidal",
    title: "Height WGS 84 m",
    width: 124,
    align: "end",
    key: (s) => s.ellipsoidalHeight,
    text: (s) => metres(s.ellipsoidalHeight),
    hint: (s) => (s.ellipsoidalHeight === null ? NO_POSITION : null),
  },
  {
    id: "orthometric",
    title: "Height EGM2008 m",
    width: 132,
    align: "end",
    key: (s) => s.orthometricHeight,
    text: (s) => metres(s.orthometricHeight),
    hint: (s) => (s.orthometricHeight === null ? NO_POSITION : null),
  },
  {
    id: "created",
    title: "Created",
    width: 92,
    key: (s) => s.createdAtMs,
    text: (s) => day(s.createdAtMs),
    hint: (s) => exactTime(s.createdAtMs, UNKNOWN),
  },
  {
    id: "updated",
    title: "Updated",
    width: 92,
    key: (s) => s.updatedAtMs,
    text: (s) => day(s.updatedAtMs),
    hint: (s) => exactTime(s.updatedAtMs, UNKNOWN),
  },
];

export function columnsWith(context: ColumnContext): readonly Column<CatalogueStation>[] {
  return COLUMNS.map(({ key, text, hint, ...column }) => ({
    ...column,
    key: (station) => key(station, context),
    text: (station) => text(station, context),
    hint: (station) => hint?.(station, context) ?? text(station, context),
  }));
}
