import { jammingPower } from "./errors.ts";
import { RADIANS } from "./geometry.ts";
import { bell, hash, smoothNoise, unit } from "./random.ts";
import { emptySky, SATELLITES, skyAt, type Satellite, type Sky } from "./orbits.ts";
import type { Site } from "./site.ts";
import type { Segment } from "./timeline.ts";

/** Lower satellites are not used. */
const MASK_DEG = 10;
/** A receiver loses a weaker signal. */
const LOST_DB = 28;
/** Multipath from the ground makes the signal vary as satellites move. */
const MULTIPATH_MS = 6 * 60_000;
const MULTIPATH_DB = 1.9;
const THERMAL_DB = 1.2;

/** The texts of all possible numbers with one decimal: 0.0 to 360.0. */
const TENTHS: readonly string[] = Array.from({ length: 3601 }, (_, n) => (n / 10).toFixed(1));

function tenthsText(tenths: number): string {
  return TENTHS[tenths]!;
}

/**
 * The satellites of one epoch as the service returns them, each text with one item per satellite in the same order:
 * `prn` as `G01,G05,R12`, `el` and `az` in degrees with one decimal, and `snr` with the C/N0 of the first and the second
 * signal band in dB-Hz with one decimal and a slash between: `45.1/41.0,38.2/35.5,…`. Empty if every signal is lost.
 */
export interface SatelliteTexts {
  readonly prn: string;
  readonly el: string;
  readonly az: string;
  readonly snr: string;
}

/** @returns a pure function of an epoch and its segment, created once per site for speed */
export function satelliteTexts(site: Site): (timeMs: number, segment: Segment) => SatelliteTexts {
  const sky: Sky = emptySky();
  return (timeMs, segment) => {
    skyAt(site.horizon, timeMs, MASK_DEG, sky);
    const dropDb = dropOf(segment, timeMs);
    let prn = "";
    let el = "";
    let az = "";
    let snr = "";
    for (let i = 0; i < sky.count; i++) {
      const satellite = SATELLITES[sky.satellite[i]!]!;
      const elevation = sky.elevationDeg[i]!;
      const usualDb = 34 + 15 * Math.sin(elevation * RADIANS);
      const first = usualDb + deviationDb(site, satellite, 0, timeMs) - dropDb;
      if (first < LOST_DB) continue;
      const second = Math.max(0, usualDb + deviationDb(site, satellite, 1, timeMs) - dropDb);
      const comma = prn === "" ? "" : ",";
      prn += comma + satellite.id;
      el += comma + tenthsText(Math.round(elevation * 10));
      az += comma + tenthsText(Math.round(sky.azimuthDeg[i]! * 10) % 3600);
      snr += `${comma}${tenthsText(Math.round(first * 10))}/${tenthsText(Math.round(second * 10))}`;
    }
    return { prn, el, az, snr };
  };
}

/** Reduction of C/N0 by interference, dB. */
function dropOf({ episode }: Segment, timeMs: number): number {
  if (episode?.state !== "jamming") return 0;
  return (9 + 5 * unit(episode.key, 9)) * jammingPower(episode, timeMs);
}

/** What C/N0 of one signal differs from 34 + 15 sin(elevation) dB-Hz: the gain of antenna and band, and about 1.2 dB of noise. */
function deviationDb(site: Site, satellite: Satellite, band: 0 | 1, timeMs: number): number {
  const signal = hash(site.keys.signal, satellite.index * 2 + band);
  const gain = site.gainDb + satellite.bandDb[band];
  const noise =
    MULTIPATH_DB * smoothNoise(signal, timeMs, MULTIPATH_MS) + THERMAL_DB * bell(signal ^ 0x5bd1e995, timeMs / 1000);
  return gain + noise;
}
