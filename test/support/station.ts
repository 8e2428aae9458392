import type { CatalogueStation } from "#shared/service/catalogue.ts";

/** A station of the catalogue, of whose place, height and times nothing is known. */
export function stationOf(id: string, change: Partial<CatalogueStation> = {}): CatalogueStation {
  return {
    id,
    displayName: id,
    mountpoint: null,
    sourceType: "cors",
    historicDataFromMs: null,
    hasNeverSent: false,
    resolutionSeconds: 30,
    locationAlias: "",
    countryCode: "",
    latitudeDeg: null,
    longitudeDeg: null,
    height: null,
    heightReference: "WGS84_ELLIPSOID",
    ellipsoidalHeight: null,
    orthometricHeight: null,
    dataLastUpdatedMs: null,
    networkId: "",
    networkCode: "",
    createdAtMs: null,
    updatedAtMs: null,
    ...change,
  };
}
