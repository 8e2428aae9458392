import { WGS84 } from "#shared/service/catalogue.ts";
import type { FileStation } from "../source.ts";
import { FILL_DOUBLE, type Attributes, type NetcdfSink } from "./sink.ts";

/** Maximum length of a station name in bytes; the sidecar has the whole name. */
const MAX_NAME_BYTES = 256;

/**
 * Writes the positions of stations, one value per element of `dimension`. Returns the variable names for the `coordinates`
 * attribute of data variables.
 */
export function writePositions(file: NetcdfSink, dimension: string, stations: readonly FileStation[]): string[] {
  const position = (name: string, of: (station: FileStation) => number | null, attributes: Attributes): string => {
    const data = Float64Array.from(stations.map(of), (v) => (v === null || !Number.isFinite(v) ? FILL_DOUBLE : v));
    file.values({ name, dimensions: [dimension], attributes: { ...attributes, _FillValue: FILL_DOUBLE } }, data);
    return name;
  };
  return [
    position("lat", (s) => s.latitudeDeg, {
      standard_name: "latitude",
      long_name: "station latitude, with the precision given by the service",
      units: "degrees_north",
    }),
    position("lon", (s) => s.longitudeDeg, {
      standard_name: "longitude",
      long_name: "station longitude, with the precision given by the service",
      units: "degrees_east",
    }),
    ...heightNames(stations).map(({ name, reference }) =>
      position(name, (s) => (s.heightReference === reference ? s.height : null), HEIGHT_ATTRIBUTES[reference]),
    ),
  ];
}

// No `positive = "up"`, because CDO rejects it for the height of (station, time) data.
const HEIGHT_ATTRIBUTES: Readonly<Record<FileStation["heightReference"], Attributes>> = {
  WGS84_ELLIPSOID: {
    standard_name: "height_above_reference_ellipsoid",
    long_name: "ellipsoidal height on the WGS 84 ellipsoid",
    units: "m",
    height_vertical_reference: "WGS84_ELLIPSOID",
  },
  EGM2008: {
    standard_name: "altitude",
    long_name: "orthometric height above the EGM2008 geoid",
    units: "m",
    height_vertical_reference: "EGM2008",
    geoid_name: "EGM2008",
  },
};

/** Returns `height` for a single reference; with both references, orthometric heights are in `altitude`. */
function heightNames(stations: readonly FileStation[]): { name: string; reference: FileStation["heightReference"] }[] {
  const orthometric = stations.some((s) => s.heightReference === "EGM2008");
  const ellipsoidal = stations.some((s) => s.heightReference === "WGS84_ELLIPSOID");
  if (orthometric && ellipsoidal) {
    return [
      { name: "height", reference: "WGS84_ELLIPSOID" },
      { name: "altitude", reference: "EGM2008" },
    ];
  }
  return [{ name: "height", reference: orthometric ? "EGM2008" : "WGS84_ELLIPSOID" }];
}

/** Writes the coordinate reference system, with the geoid if heights refer to it. */
export function writeReferenceSystem(file: NetcdfSink, stations: readonly FileStation[]): void {
  const geoid = stations.some((s) => s.heightReference === "EGM2008");
  file.values(
    {
      name: "crs",
      dimensions: [],
      attributes: {
        grid_mapping_name: "latitude_longitude",
        geographic_crs_name: "WGS 84",
        horizontal_datum_name: "World Geodetic System 1984",
        reference_ellipsoid_name: "WGS 84",
        prime_meridian_name: "Greenwich",
        semi_major_axis: WGS84.semiMajorAxisM,
        inverse_flattening: WGS84.inverseFlattening,
        longitude_of_prime_meridian: 0,
        geoid_name: geoid ? "EGM2008" : undefined,
      },
    },
    Int32Array.of(0),
  );
}

/** Writes the texts of the catalogue for each station. */
export function writeDescriptions(file: NetcdfSink, dimension: string, stations: readonly FileStation[]): void {
  const texts = (name: string, longName: string, of: (s: FileStation) => string): void =>
    file.names(
      name,
      dimension,
      stations.map((s) => shortened(of(s))),
      { long_name: longName },
    );
  writeStationNames(file, dimension, stations);
  texts("network", "network code", (s) => s.networkCode);
  texts("country", "country code by ISO 3166-1 alpha-2", (s) => s.countryCode);
  texts("place", "place name", (s) => s.locationAlias);
  texts("source_type", "kind of receiver", (s) => s.sourceType);
}

/** Writes the display name of each station. */
export function writeStationNames(file: NetcdfSink, dimension: string, stations: readonly FileStation[]): void {
  file.names(
    "station_name",
    dimension,
    stations.map((s) => shortened(s.displayName)),
    { long_name: "station name" },
  );
}

/** Shortens a text that exceeds the limit in UTF-8, with an ellipsis. */
function shortened(text: string): string {
  // Every code unit takes at least one byte, so that later ones cannot fit.
  const head = text.slice(0, MAX_NAME_BYTES + 1);
  if (head.length === text.length && Buffer.byteLength(text) <= MAX_NAME_BYTES) return text;
  let bytes = 0;
  let kept = "";
  for (const character of head) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_NAME_BYTES - 3) break;
    kept += character;
  }
  return `${kept}…`;
}
