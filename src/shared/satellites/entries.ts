/** Satellites of some rows: row i has the entries from `offsets[i]` up to `offsets[i + 1]`. */
export interface SatelliteNumbers {
  /** UTC, ascending. */
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  /** Distinct identifiers in order of first occurrence. */
  readonly prns: readonly string[];
  /** Index into `prns` of each entry. */
  readonly prn: Uint32Array;
  /** Degrees for each entry; NaN: no value. */
  readonly elevationDeg: Float64Array;
  /** Degrees clockwise from north for each entry; NaN: no value. */
  readonly azimuthDeg: Float64Array;
  /** C/N0 in dB-Hz for each entry, one array per band of the registry so far. */
  readonly cn0DbHz: readonly Float64Array[];
}

/** Returns the time of each entry, for tables with a row per satellite. */
export function timesOfEntries({ timesMs, offsets }: Pick<SatelliteNumbers, "timesMs" | "offsets">): Float64Array {
  const times = new Float64Array(offsets.at(-1) ?? 0);
  for (const [row, timeMs] of timesMs.entries()) times.fill(timeMs, offsets[row], offsets[row + 1]);
  return times;
}
