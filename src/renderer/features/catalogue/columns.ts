import { type CatalogueStation, type KnownStation, SOURCE_TYPES, stationLabel } from "#shared/service/catalogue.ts";
import { countryName } from "#shared/station/search.ts";
import { ago, decimal, duration, utcMinutes } from "../../ui/text.ts";

/** What cells need beside the station itself. */
export interface ColumnContext {
  readonly nowMs: number;
  readonly networkNames: ReadonlyMap<string, string>;
  /** Cached share of the time range by station; none: 0. */
  readonly shares: ReadonlyMap<string, number>;
}

export interface Column {
  readonly id: string;
  readonly title: string;
  /** Pixels; the name takes what is left. */
  readonly width: number;
  readonly isNumber?: boolean;
  /** What the column is sorted by; null sorts last in either direction. */
  readonly key: (station: CatalogueStation, context: ColumnContext) => string | number | null;
  /** null where there is no value. */
  readonly text: (station: KnownStation, context: ColumnContext) => string | null;
  /** More exact than the text, or why there is none. */
  readonly hint?: (station: CatalogueStation, context: ColumnContext) => string | null;
}

const SOURCES: Readonly<Record<string, string>> = {
  stream_gnss: "Stream",
  telco: "Telecom",
  cors: "CORS",
} satisfies Record<(typeof SOURCE_TYPES)[number], string>;

/** A source type in words; a newer word of the service as it is. */
export function sourceWords(sourceType: string): string {
  return SOURCES[sourceType] ?? sourceType;
}

/** "30 s", or "native" where the station sends at the rate of its receiver, which the catalogue does not tell. */
export function rateWords(resolutionSeconds: number): string {
  return resolutionSeconds === 0 ? "native" : duration(resolutionSeconds);
}

export const NO_POSITION = "The key may not see positions";
export const NO_DATA = "No measurement yet";
const NOT_TOLD = "Unknown";

const degrees = (value: number | null): string | null => (value === null ? null : decimal(value, 3));
const metres = (value: number | null): string | null => (value === null ? null : decimal(value, 1));
const day = (moment: number | null): string | null => (moment === null ? null : utcMinutes(moment).slice(0, 10));
const exactly = (moment: number | null, missing: string): string =>
  moment === null ? missing : `${utcMinutes(moment)} UTC`;

/** "100 %" only where nothing is missing, "0 %" only where there is nothing. */
export function shareWords(share: number): string {
  if (share <= 0) return "0 %";
  return share >= 1 ? "100 %" : `${Math.min(99, Math.max(1, Math.round(share * 100)))} %`;
}

/** All columns, in their order. */
export const COLUMNS: readonly Column[] = [
  { id: "name", title: "Name", width: 132, key: (s) => s.displayName, text: stationLabel },
  {
    id: "country",
    title: "Country",
    width: 64,
    key: (s) => s.countryCode || null,
    text: (s) => s.countryCode || null,
    hint: (s) => (s.countryCode ? countryName(s.countryCode) : NOT_TOLD),
  },
  {
    id: "rate",
    title: "Rate",
    width: 56,
    isNumber: true,
    key: (s) => s.resolutionSeconds,
    text: (s) => rateWords(s.resolutionSeconds),
    hint: (s) => (s.resolutionSeconds === 0 ? "At the rate of the receiver" : null),
  },
  {
    id: "cached",
    title: "Cached",
    width: 68,
    key: (s, { shares }) => shares.get(s.id) ?? 0,
    text: (s, { shares }) => shareWords(shares.get(s.id) ?? 0),
    hint: (s, { shares }) => `${shareWords(shares.get(s.id) ?? 0)} of the time range is cached`,
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
    hint: (s) => exactly(s.dataLastUpdatedMs, NO_DATA),
  },
  {
    id: "first",
    title: "First data",
    width: 92,
    key: (s) => s.historicDataFromMs,
    text: (s) => day(s.historicDataFromMs),
    hint: (s) => exactly(s.historicDataFromMs, NO_DATA),
  },
  {
    id: "latitude",
    title: "Latitude °",
    width: 84,
    isNumber: true,
    key: (s) => s.latitudeDeg,
    text: (s) => degrees(s.latitudeDeg),
    hint: (s) => (s.latitudeDeg === null ? NO_POSITION : null),
  },
  {
    id: "longitude",
    title: "Longitude °",
    width: 92,
    isNumber: true,
    key: (s) => s.longitudeDeg,
    text: (s) => degrees(s.longitudeDeg),
    hint: (s) => (s.longitudeDeg === null ? NO_POSITION : null),
  },
  {
    id: "ellipsoidal",
    title: "Height WGS 84 m",
    width: 124,
    isNumber: true,
    key: (s) => s.ellipsoidalHeight,
    text: (s) => metres(s.ellipsoidalHeight),
    hint: (s) => (s.ellipsoidalHeight === null ? NO_POSITION : null),
  },
  {
    id: "orthometric",
    title: "Height EGM2008 m",
    width: 132,
    isNumber: true,
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
    hint: (s) => exactly(s.createdAtMs, NOT_TOLD),
  },
  {
    id: "updated",
    title: "Updated",
    width: 92,
    key: (s) => s.updatedAtMs,
    text: (s) => day(s.updatedAtMs),
    hint: (s) => exactly(s.updatedAtMs, NOT_TOLD),
  },
];
