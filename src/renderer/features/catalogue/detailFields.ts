import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import { ago, utc } from "../../ui/text.ts";
import { countryName, NO_DATA, NO_POSITION, rateWords, sourceWords } from "./columns.ts";

export interface DetailField {
  readonly title: string;
  readonly text: string;
  readonly hint: string | null;
}

const ABSENT = "—";

/** All that is known of a station, in words with units; what is absent says why. */
export function detailFields(station: CatalogueStation, network: Network | undefined, nowMs: number): DetailField[] {
  const field = (title: string, text: string | null, missing: string): DetailField => ({
    title,
    text: text || ABSENT,
    hint: text ? null : missing,
  });
  const notTold = "The service does not tell";
  const moment = (ms: number | null): string | null => (ms === null ? null : `${utc(ms)} UTC`);
  const metres = (m: number | null): string | null => (m === null ? null : `${m.toFixed(2)} m`);
  const { latitudeDeg, longitudeDeg, dataLastUpdatedMs } = station;
  return [
    field("Place", station.locationAlias, notTold),
    field("Country", station.countryCode && countryName(station.countryCode), notTold),
    field("Network", [station.networkCode, network?.name].filter(Boolean).join(" · "), notTold),
    field("Source", sourceWords(station.sourceType), notTold),
    field("Rate", rateText(station.resolutionSeconds), notTold),
    field(
      "Last data",
      dataLastUpdatedMs === null ? null : `${ago(dataLastUpdatedMs, nowMs)}, ${moment(dataLastUpdatedMs)}`,
      NO_DATA,
    ),
    field("First data", moment(station.historicDataFromMs), NO_DATA),
    field(
      "Position",
      latitudeDeg === null || longitudeDeg === null ? null : positionText(latitudeDeg, longitudeDeg),
      NO_POSITION,
    ),
    field("Height", heights(metres(station.ellipsoidalHeight), metres(station.orthometricHeight)), NO_POSITION),
    field("Mountpoint", station.mountpoint, "Only told for stations of the organization's own networks"),
    field("Id", station.id, notTold),
    field("Created", moment(station.createdAtMs), notTold),
    field("Updated", moment(station.updatedAtMs), notTold),
  ];
}

function rateText(seconds: number): string {
  return seconds === 0 ? "native, at the rate of the receiver" : `every ${rateWords(seconds)}`;
}

function positionText(latitudeDeg: number, longitudeDeg: number): string {
  const part = (degrees: number, [plus, minus]: readonly [string, string]): string =>
    `${Math.abs(degrees).toFixed(4)}° ${degrees < 0 ? minus : plus}`;
  return `${part(latitudeDeg, ["N", "S"])}, ${part(longitudeDeg, ["E", "W"])} (obfuscated by the service)`;
}

function heights(ellipsoidal: string | null, orthometric: string | null): string | null {
  if (ellipsoidal === null && orthometric === null) return null;
  return `${ellipsoidal ?? ABSENT} above WGS 84 ellipsoid, ${orthometric ?? ABSENT} above EGM2008 geoid`;
}
