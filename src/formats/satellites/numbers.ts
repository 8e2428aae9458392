import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { BandRegistry } from "./cn0.ts";
import { readColumns } from "./columns.ts";
import { parseRows } from "./parseRows.ts";
import { SatelliteParser, type SatelliteProblemCounts } from "./parse.ts";

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

/**
 * Reads satellites as numbers: from those of the cache where it has them, else from the texts. Both give the same. What
 * cannot be understood is left out and counted, see `SATELLITE_PROBLEMS`.
 */
export class SatelliteReader {
  readonly #bands: BandRegistry;
  readonly #parser: SatelliteParser;

  /** @param bands gathers the signal bands as they turn up; give the same one again for a second pass */
  constructor(bands: BandRegistry) {
    this.#bands = bands;
    this.#parser = new SatelliteParser(bands);
  }

  get problems(): SatelliteProblemCounts {
    return this.#parser.problems;
  }

  read(block: SatelliteBlock): SatelliteNumbers {
    const { timesMs, columns } = block;
    return (
      (columns && readColumns(timesMs, columns, this.#bands)) ?? parseRows(this.#parser, block.texts(), this.#bands)
    );
  }
}
