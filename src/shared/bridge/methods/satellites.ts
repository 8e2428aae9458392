import { z } from "zod";
import { method } from "../method.ts";
import { connectionId, mode, range, stationId } from "./schemas.ts";

/** Satellites over time: epoch i has the entries from `offsets[i]` up to `offsets[i + 1]`. */
export interface SatelliteEpochs {
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  /** Distinct identifiers: "G01". */
  readonly prns: readonly string[];
  /** Index into `prns` for each entry. */
  readonly prn: Uint16Array;
  /** Degrees for each entry; NaN: no value. */
  readonly elevationDeg: Float64Array;
  /** Degrees clockwise from north for each entry; NaN: no value. */
  readonly azimuthDeg: Float64Array;
  /** C/N0 in dB-Hz, one array per signal band. */
  readonly bands: readonly { readonly name: string; readonly cn0DbHz: Float64Array }[];
  /** Descriptions of unreadable entries, with their number. */
  readonly problems: readonly { readonly problem: string; readonly count: number }[];
}

/** Cached satellite tracking data. Sends nothing. */
export const satellites = {
  /** All satellites of one station in a range of at most 31 days. Faults: usage, disk. */
  read: method<SatelliteEpochs>()(z.object({ connectionId, stationId, range, mode })),
};
