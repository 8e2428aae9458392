import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import { ago, decimal, utc } from "../../ui/text.ts";
import { countryName } from "#shared/station/search.ts";
import { NO_DATA, NO_POSITION, rateWords, sourceWords } from "./columns.ts";

interface DetailField {
  readonly title: string;
  readonly text: string;
  readonly hint: string | null;
}

const ABSENT = "—";
const UNKNOWN = "Unknown";

/** Returns all details of a station as text with units, with the reason if one is missing. */
export function detailFields(station: CatalogueStation, network: Network | undefined, nowMs: number): DetailField[] {
  const { latitudeDeg, longitudeDeg, dataLastUpdatedMs } = station;
  return [
    field("Place", station.locationAlias, UNKNOWN),
    field("Country", station.countryCode && countryName(station.countryCode), UNKNOWN),
    field("Network", [station.networkCode, network?.name].filter(Boolean).join(" · "), UNKNOWN),
    field("Owner", network && (network.isOwner ? "your organization" : "another organization"), UNKNOWN),
    field("Visibility", visibilityText(network), UNKNOWN),
    field("Source", sourceWords(station.sourceType), UNKNOWN),
    field("Rate", rateText(station.resolutionSeconds), UNKNOWN),
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
    field("Mountpoint", station.mountpoint, "Known only for the networks of your organization"),
    field("Id", station.id, UNKNOWN),
    field("Created", moment(station.createdAtMs), UNKNOWN),
    field("Updated", moment(station.updatedAtMs), UNKNOWN),
  ];
}

/** Returns the visibility of the network as given by the service, and whether it is internal. */
function visibilityText(network: Network | undefined): string | null {
  const internal = network?.isInternal;
  const words = [network?.visibility, internal === true ? "internal" : internal === false ? "not internal" : null];
  return words.filter(Boolean).join(", ") || null;
}

function rateText(seconds: number): string {
  return seconds === 0 ? "native, the receiver's own rate" : `every ${rateWords(seconds)}`;
}

function positionText(latitudeDeg: number, longitudeDeg: number): string {
  return `${angle(latitudeDeg, "N", "S")}, ${angle(longitudeDeg, "E", "W")} (obfuscated by the service)`;
}

function angle(degrees: number, plus: string, minus: string): string {
  return `${Math.abs(degrees).toFixed(4)}° ${degrees < 0 ? minus : plus}`;
}

function heights(ellipsoidal: string | null, orthometric: string | null): string | null {
  if (ellipsoidal === null && orthometric === null) return null;
  return `${ellipsoidal ?? ABSENT} above WGS 84 ellipsoid, ${orthometric ?? ABSENT} above EGM2008 geoid`;
}

function field(title: string, text: string | null | undefined, missing: string): DetailField {
  return { title, text: text || ABSENT, hint: text ? null : missing };
}

function moment(ms: number | null): string | null {
  return ms === null ? null : `${utc(ms)} UTC`;
}

function metres(m: number | null): string | null {
  return m === null ? null : `${decimal(m, 2)} m`;
}
