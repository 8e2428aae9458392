import { dot, RADIANS, type Horizon } from "./geometry.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A Walker constellation i: T/P/F with circular orbits. */
interface Constellation {
  readonly letter: string;
  readonly semiMajorM: number;
  readonly inclinationDeg: number;
  readonly satellites: number;
  readonly planes: number;
  readonly phasing: number;
  /** C/N0 of the first and second signal band relative to the usual curve, dB. */
  readonly bandDb: readonly [number, number];
}

const WALKER = { satellites: 24, planes: 3, phasing: 1 } as const;
const CONSTELLATIONS: readonly Constellation[] = [
  { ...WALKER, letter: "G", semiMajorM: 26_559_700, inclinationDeg: 55, planes: 6, bandDb: [0, -4] },
  { ...WALKER, letter: "R", semiMajorM: 25_508_000, inclinationDeg: 64.8, bandDb: [0.5, -2] },
  { ...WALKER, letter: "E", semiMajorM: 29_599_800, inclinationDeg: 56, bandDb: [0, 1] },
  { ...WALKER, letter: "C", semiMajorM: 27_906_100, inclinationDeg: 55, bandDb: [-0.5, -1.5] },
];

export interface Satellite extends Pick<Constellation, "bandDb"> {
  /** Its index in SATELLITES. */
  readonly index: number;
  readonly id: string;
}

/** In the order `G01` … `G24`, `R01` …, `E01` …, `C01` …. */
export const SATELLITES: readonly Satellite[] = CONSTELLATIONS.flatMap(({ letter, satellites, bandDb }) =>
  Array.from({ length: satellites }, (_, i) => ({ id: letter + String(i + 1).padStart(2, "0"), bandDb })),
).map((satellite, index) => ({ ...satellite, index }));

const EARTH_GM = 3.986004418e14;
const EARTH_TURN = 7.2921151467e-5;
const REFERENCE_MS = Date.UTC(2000, 0, 1, 12);
/** Angle of Greenwich at the reference time (IAU 1982). */
const REFERENCE_TURN = 280.46062 * RADIANS;
const TAU = 2 * Math.PI;

/** The satellites above the horizon at a moment, by column; reused between calls. */
export interface Sky {
  count: number;
  /** Index into SATELLITES, ascending. */
  readonly satellite: Uint8Array;
  readonly elevationDeg: Float64Array;
  /** Clockwise from north, [0, 360). */
  readonly azimuthDeg: Float64Array;
}

export function emptySky(): Sky {
  const most = SATELLITES.length;
  return {
    count: 0,
    satellite: new Uint8Array(most),
    elevationDeg: new Float64Array(most),
    azimuthDeg: new Float64Array(most),
  };
}

/** One orbital plane, with the constants of its satellites. */
interface Plane {
  readonly radiusM: number;
  readonly motion: number;
  readonly nodeRad: number;
  readonly cosI: number;
  readonly sinI: number;
  readonly argumentRad: number;
  /** The satellites by index, with cosine and sine of the place along the orbit, relative to the first. */
  readonly places: readonly { readonly satellite: number; readonly cos: number; readonly sin: number }[];
}

const PLANES: readonly Plane[] = CONSTELLATIONS.flatMap((c, index) => {
  const perPlane = c.satellites / c.planes;
  return Array.from({ length: c.planes }, (_, p) => ({
    radiusM: c.semiMajorM,
    motion: Math.sqrt(EARTH_GM / c.semiMajorM ** 3),
    // The constellations are rotated against each other, or their planes would coincide.
    nodeRad: (TAU * p) / c.planes + 0.4 * index,
    cosI: Math.cos(c.inclinationDeg * RADIANS),
    sinI: Math.sin(c.inclinationDeg * RADIANS),
    argumentRad: (TAU * c.phasing * p) / c.satellites + 0.3 * index,
    places: Array.from({ length: perPlane }, (_, s) => ({
      satellite: index * c.satellites + p * perPlane + s,
      cos: Math.cos((TAU * s) / perPlane),
      sin: Math.sin((TAU * s) / perPlane),
    })),
  }));
});

/** Fills `sky` with the satellites above the elevation mask; a pure function of place and time. */
export function skyAt(horizon: Horizon, timeMs: UtcMs, maskDeg: number, sky: Sky): void {
  const { position, east, north, up } = horizon;
  const seconds = (timeMs - REFERENCE_MS) / 1000;
  const turn = (REFERENCE_TURN + EARTH_TURN * seconds) % TAU;
  const sinMask = Math.sin(maskDeg * RADIANS);
  const positionUp = dot(position, up);
  const positionEast = dot(position, east);
  const positionNorth = dot(position, north);
  let n = 0;
  for (const plane of PLANES) {
    const node = plane.nodeRad - turn;
    const cosNode = Math.cos(node);
    const sinNode = Math.sin(node);
    // The plane's two axes: towards the ascending node, and a quarter orbit later.
    const qx = -sinNode * plane.cosI;
    const qy = cosNode * plane.cosI;
    const qz = plane.sinI;
    const upP = up[0] * cosNode + up[1] * sinNode;
    const upQ = up[0] * qx + up[1] * qy + up[2] * qz;
    const eastP = east[0] * cosNode + east[1] * sinNode;
    const eastQ = east[0] * qx + east[1] * qy;
    const northP = north[0] * cosNode + north[1] * sinNode;
    const northQ = north[0] * qx + north[1] * qy + north[2] * qz;
    const argument = (plane.argumentRad + plane.motion * seconds) % TAU;
    const cos0 = plane.radiusM * Math.cos(argument);
    const sin0 = plane.radiusM * Math.sin(argument);
    for (const place of plane.places) {
      const along = cos0 * place.cos - sin0 * place.sin;
      const across = sin0 * place.cos + cos0 * place.sin;
      const u = along * upP + across * upQ - positionUp;
      if (u <= 0) continue;
      const e = along * eastP + across * eastQ - positionEast;
      const m = along * northP + across * northQ - positionNorth;
      const sinElevation = u / Math.sqrt(u * u + e * e + m * m);
      if (sinElevation < sinMask) continue;
      const azimuth = Math.atan2(e, m) / RADIANS;
      sky.satellite[n] = place.satellite;
      sky.elevationDeg[n] = Math.asin(sinElevation) / RADIANS;
      sky.azimuthDeg[n] = azimuth < 0 ? azimuth + 360 : azimuth;
      n++;
    }
  }
  sky.count = n;
}
