import type { SeriesRows } from "#shared/series/rows.ts";
import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { BandRegistry } from "./cn0.ts";
import { readColumns } from "./columns.ts";
import type { SatelliteNumbers } from "./values.ts";
import { SatelliteParser, satelliteValue } from "./parse.ts";
import type { SatelliteProblemCounts } from "./problems.ts";

/** Parses satellites of rows of texts, of which any variable may be absent. @param bands those of the parser */
function parseRows(parser: SatelliteParser, rows: SeriesRows, bands: BandRegistry): SatelliteNumbers {
  const [prnTexts, el, az, snr] = [
    rowTexts(rows, "prn"),
    rowTexts(rows, "el"),
    rowTexts(rows, "az"),
    rowTexts(rows, "snr"),
  ];
  const offsets = new Uint32Array(rows.timesMs.length + 1);
  const indexOf = new Map<string, number>();
  const prn = growingNumbers();
  const elevationDeg = growingNumbers();
  const azimuthDeg = growingNumbers();
  const cn0DbHz: GrowingNumbers[] = [];
  let named: readonly string[] = [];
  let indices: readonly number[] = [];
  const indexFor = (name: string): number => {
    const index = indexOf.get(name) ?? indexOf.size;
    if (index === indexOf.size) indexOf.set(name, index);
    return index;
  };
  for (let row = 0; row < rows.timesMs.length; row++) {
    const seen = parser.parse(prnTexts[row] ?? null, el[row] ?? null, az[row] ?? null, snr[row] ?? null);
    // A new band has no values in earlier rows.
    while (cn0DbHz.length < bands.names.length) cn0DbHz.push(growingNumbers(prn.length));
    // The parser returns the same list for consecutive rows with the same satellites.
    if (seen.prns !== named) {
      named = seen.prns;
      indices = named.map(indexFor);
    }
    for (let s = 0; s < indices.length; s++) {
      const at = seen.index[s]!;
      prn.push(indices[s]!);
      elevationDeg.push(satelliteValue(seen.elevationDeg, at));
      azimuthDeg.push(satelliteValue(seen.azimuthDeg, at));
      for (let b = 0; b < cn0DbHz.length; b++) cn0DbHz[b]!.push(satelliteValue(seen.cn0DbHz[b], at));
    }
    offsets[row + 1] = prn.length;
  }
  return {
    timesMs: rows.timesMs,
    offsets,
    prns: [...indexOf.keys()],
    prn: Uint32Array.from(prn.take()),
    elevationDeg: elevationDeg.take(),
    azimuthDeg: azimuthDeg.take(),
    cn0DbHz: cn0DbHz.map((values) => values.take()),
  };
}

function rowTexts(rows: SeriesRows, variable: Variable): readonly (string | null)[] {
  const column = rows.columns[variable];
  return column?.kind === "text" ? column.values : [];
}

/** A growing array of numbers. */
interface GrowingNumbers {
  readonly length: number;
  push(value: number): void;
  /** Returns a copy of the numbers. */
  take(): Float64Array;
}

/** Creates an array that starts with `filled` times NaN. */
function growingNumbers(filled = 0): GrowingNumbers {
  let values = new Float64Array(Math.max(1_024, 2 * filled)).fill(Number.NaN, 0, filled);
  let n = filled;
  return {
    get length() {
      return n;
    },
    push(value) {
      if (n === values.length) {
        const larger = new Float64Array(2 * n);
        larger.set(values);
        values = larger;
      }
      values[n++] = value;
    },
    take: () => values.slice(0, n),
  };
}

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
