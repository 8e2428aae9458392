import type { FilePosition } from "#shared/file/opened.ts";

const A_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const E2 = FLATTENING * (2 - FLATTENING);
const ABOVE_ELLIPSOID = "WGS84 ellipsoid";

/** The place of a site that a line of coordinates tells: three lengths in a row that lead to the surface of the Earth. */
export function placeOfCoordinates(line: string): FilePosition | null {
  const numbers = line.trim().split(/\s+/).map(Number);
  for (let i = 0; i + 2 < numbers.length; i++) {
    const [x, y, z] = [numbers[i]!, numbers[i + 1]!, numbers[i + 2]!];
    const radius = Math.hypot(x, y, z);
    if (radius > 6.3e6 && radius < 6.5e6) return onEllipsoid(x, y, z);
  }
  return null;
}

function onEllipsoid(x: number, y: number, z: number): FilePosition {
  const ring = Math.hypot(x, y);
  let latitude = Math.atan2(z, ring * (1 - E2));
  // Converges by a factor of 300 a round.
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

/** Nine decimals: a tenth of a millimetre on the ground. */
function degrees(radians: number): number {
  return Math.round((radians * 180e9) / Math.PI) / 1e9;
}

/** The columns of SITE/ID in files of version 2.00, for files without a heading line. */
const SITE_HEAD = "*STATION__ PT __DOMES__ T _STATION_DESCRIPTION__ _LONGITUDE _LATITUDE_ _HGT_ELI_ _HGT_MSL_";

/** Area, site, M or S for a marker or an instrument, and its number. */
const DOMES = /^\d{5}[MS]\d{3}$/;

/** Reads lines of SITE/ID by where the heads stand: centres leave columns out or put them in another order. */
export class SiteLines {
  #head = SITE_HEAD;

  /** A comment line of the block; that with the heads counts from here on. */
  comment(line: string): void {
    if (/LATITUDE|APPROX_LAT/.test(line)) this.#head = line;
  }

  place(line: string): FilePosition | null {
    const longitude = angle(this.#field(line, /_*(?:LONGITUDE|APPROX_LON)_*/));
    const latitude = angle(this.#field(line, /_*(?:LATITUDE|APPROX_LAT)_*/));
    if (!(Math.abs(latitude) <= 90 && longitude >= -180 && longitude <= 360)) return null;
    const position = { latitudeDeg: latitude, longitudeDeg: longitude > 180 ? longitude - 360 : longitude };
    const ellipsoidal = length(this.#field(line, /_*(?:HGT_ELI|APP_H)_*/));
    if (ellipsoidal !== null) return { ...position, height: ellipsoidal, heightReference: ABOVE_ELLIPSOID };
    const height = length(this.#field(line, /_*HGT_MSL_*/));
    return { ...position, height, heightReference: height === null ? null : "mean sea level" };
  }

  /** The DOMES number of the site; null without one. */
  domes(line: string): string | null {
    return DOMES.exec(this.#field(line, /_*DOMES_*/))?.[0] ?? null;
  }

  #field(line: string, head: RegExp): string {
    const found = head.exec(this.#head);
    return found ? line.slice(found.index, found.index + found[0].length).trim() : "";
  }
}

/** In decimals, or as degrees, minutes and seconds. */
function angle(text: string): number {
  if (text === "") return Number.NaN;
  const [whole, minutes, seconds, ...more] = text.split(/\s+/);
  if (more.length > 0) return Number.NaN;
  const size = Math.abs(Number(whole)) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3_600;
  return whole?.startsWith("-") ? -size : size;
}

/** null for -999 and the like: no site is so deep. */
function length(text: string): number | null {
  const value = text === "" ? Number.NaN : Number(text);
  return value > -900 && value < 10_000 ? value : null;
}
