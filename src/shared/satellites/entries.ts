/** Satellites of some rows: row i has the entries from `offsets[i]` up to `offsets[i + 1]`. */
export interface SatelliteNumbers {
  /** UTC, ascending. */
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  /** Identifiers in the order in which they turn up, each once. */
  readonly prns: readonly string[];
  /** Index into `prns` of each entry. */
  readonly prn: Uint32Array;
  /** Degrees, NaN: no value; as long as `prn`, as are the next. */
  readonly elevationDeg: Float64Array;
  /** Degrees clockwise from north. */
  readonly azimuthDeg: Float64Array;
  /** C/N0 in dB-Hz, one array per band that the registry has so far. */
  readonly cn0DbHz: readonly Float64Array[];
}

/** The time of each entry: of a table with a row for each satellite. */
export function timesOfEntries({ timesMs, offsets }: Pick<SatelliteNumbers, "timesMs" | "offsets">): Float64Array {
  const times = new Float64Array(offsets.at(-1)!);
  for (let row = 0; row < timesMs.length; row++) times.fill(timesMs[row]!, offsets[row], offsets[row + 1]);
  return times;
}
