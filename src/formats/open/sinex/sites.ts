import type { FilePosition } from "#shared/file/opened.ts";

const A_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const E2 = FLATTENING * (2 - FLATTENING);
const ABOVE_ELLIPSOID = "WGS84 ellipsoid";

/** Finds Earth-centred coordinates in a line: three consecutive numbers whose distance from the centre is an Earth radius. */
export function parseCoordinates(line: string): FilePosition | null {
  const numbers = line.trim().split(/\s+/).map(Number);
  for (let i = 0; i + 2 < numbers.length; i++) {
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = numbers.slice(i, i + 3);
    const radius = Math.hypot(x, y, z);
    if (radius > 6.3e6 && radius < 6.5e6) return onEllipsoid(x, y, z);
  }
  return null;
}

function onEllipsoid(x: number, y: number, z: number): FilePosition {
  const ring = Math.hypot(x, y);
  let latitude = Math.atan2(z, ring * (1 - E2));
  // The error decreases by a factor of 300 per iteration.
  for (let round = 0; round < 6; round++) {
    const normal = A_M / Math.sqrt(1 - E2 * Math.sin(latitude) ** 2);
    latitude = Math.atan2(z + E2 * normal * Math.sin(latitude), ring);
  }
  const [sine, cosine] = [Math.sin(latitude), Math.cos(latitude)];
  const height = ring * cosine + z * sine - A_M * Math.sqrt(1 - E2 * sine ** 2);
  return {
    latitudeDeg: degrees(latitude),
    longitudeDeg: degrees(Math.atan2(y, x)),
    height: Math.round(height * 1_000) / 1_000,
    heightReference: ABOVE_ELLIPSOID,
  };
}

/** Converts to degrees with nine decimals: a tenth of a millimetre on the ground. */
function degrees(radians: number): number {
  return Math.round((radians * 180e9) / Math.PI) / 1e9;
}

/** Header of SITE/ID in version 2.00, for files without a header line. */
const SITE_HEAD = "*STATION__ PT __DOMES__ T _STATION_DESCRIPTION__ _LONGITUDE _LATITUDE_ _HGT_ELI_ _HGT_MSL_";

/** DOMES number: area, site, M (marker) or S (instrument), and its number. */
const DOMES = /^\d{5}[MS]\d{3}$/;

/** Reads lines of SITE/ID by the positions of the column headers, because centres omit or reorder columns. */
export class SiteLines {
  #head = SITE_HEAD;

  /** Reads a comment line of the block, which may be the header line. */
  comment(line: string): void {
    if (/LATITUDE|APPROX_LAT/.test(line)) this.#head = line;
  }

  position(line: string): FilePosition | null {
    const longitude = angle(this.#field(line, /_*(?:LONGITUDE|APPROX_LON)_*/));
    const latitude = angle(this.#field(line, /_*(?:LATITUDE|APPROX_LAT)_*/));
    if (!(Math.abs(latitude) <= 90 && longitude >= -180 && longitude <= 360)) return null;
    const position = { latitudeDeg: latitude, longitudeDeg: longitude > 180 ? longitude - 360 : longitude };
    const ellipsoidal = length(this.#field(line, /_*(?:HGT_ELI|APP_H)_*/));
    if (ellipsoidal !== null) return { ...position, height: ellipsoidal, heightReference: ABOVE_ELLIPSOID };
    const height = length(this.#field(line, /_*HGT_MSL_*/));
    return { ...position, height, heightReference: height === null ? null : "mean sea level" };
  }

  /** Returns the DOMES number of a site, or null. */
  domes(line: string): string | null {
    return DOMES.exec(this.#field(line, /_*DOMES_*/))?.[0] ?? null;
  }

  #field(line: string, head: RegExp): string {
    const found = head.exec(this.#head);
    return found ? line.slice(found.index, found.index + found[0].length).trim() : "";
  }
}

/** Parses decimal degrees, or degrees, minutes and seconds. */
function angle(text: string): number {
  if (text === "") return Number.NaN;
  const [whole, minutes, seconds, ...more] = text.split(/\s+/);
  if (more.length > 0) return Number.NaN;
  const size = Math.abs(Number(whole)) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3_600;
  return whole?.startsWith("-") ? -size : size;
}

/** Parses a height; null for placeholders such as -999. */
function length(text: string): number | null {
  const value = text === "" ? Number.NaN : Number(text);
  return value > -900 && value < 10_000 ? value : null;
}
