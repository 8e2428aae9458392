import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { BandRegistry } from "./cn0.ts";
import { readColumns } from "./columns.ts";
import type { SatelliteNumbers } from "./entries.ts";
import { parseRows } from "./parseRows.ts";
import { SatelliteParser, type SatelliteProblemCounts } from "./parse.ts";

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
