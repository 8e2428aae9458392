import { z } from "zod";
import { method } from "../method.ts";
import { connectionId, mode, range, stationId } from "./words.ts";

/** Satellites over time: epoch i has the entries from `offsets[i]` up to `offsets[i + 1]`. */
export interface SatelliteEpochs {
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  /** Identifiers, each once: "G01". */
  readonly prns: readonly string[];
  /** Index into `prns`, for each entry. */
  readonly prn: Uint16Array;
  /** Degrees, NaN: no value; as long as `prn`, as is the next. */
  readonly elevationDeg: Float64Array;
  /** Degrees clockwise from north. */
  readonly azimuthDeg: Float64Array;
  /** C/N0 in dB-Hz, one array per signal band. */
  readonly bands: readonly { readonly name: string; readonly cn0DbHz: Float64Array }[];
  /** What could not be read, in words, with how often. */
  readonly problems: readonly { readonly problem: string; readonly count: number }[];
}

/** Satellite tracking data of the cache. Nothing here sends anything. */
export const satellites = {
  /** All satellites of one station in a range of at most 31 days. Faults: usage, disk. */
  read: method<SatelliteEpochs>()(z.object({ connectionId, stationId, range, mode })),
};
