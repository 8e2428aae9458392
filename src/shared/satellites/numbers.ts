import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { BandRegistry } from "./cn0.ts";
import { readColumns } from "./columns.ts";
import type { SatelliteNumbers } from "./entries.ts";
import { parseRows } from "./parseRows.ts";
import { SatelliteParser } from "./parse.ts";
import type { SatelliteProblemCounts } from "./problems.ts";

/**
 * Reads satellites as numbers: from those in the cache if available, else by parsing texts, with the same result.
 * Unreadable parts are left out and counted, see `SATELLITE_PROBLEMS` of `problems.ts`.
 */
export class SatelliteReader {
  readonly #bands: BandRegistry;
  readonly #parser: SatelliteParser;

  /** @param bands collects signal bands; pass the same one for a second pass */
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
