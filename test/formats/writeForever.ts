import type { SeriesFileSource } from "#formats/source.ts";
import { START_MS, sourceOf, station } from "./sources.ts";

// Run as a program by the tests: writes a file of many days of noise, until it is killed or the disk is full.

const [kind, path, days = "3000"] = process.argv.slice(2);
const ROWS = 2_880;

const source: SeriesFileSource = {
  ...sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [[]] }),
  *blocks() {
    for (let day = 0; day < Number(days); day++) {
      const timesMs = Float64Array.from({ length: ROWS }, (_, i) => START_MS + (day * ROWS + i) * 30_000);
      const values = Float64Array.from({ length: ROWS }, () => 2_400 + Math.random());
      yield { timesMs, columns: { ztd: { kind: "scalar", values, present: null } } };
    }
  },
};

let isReported = false;
const onProgress = (): void => {
  if (!isReported) console.log("writing");
  isReported = true;
};
// Only the writer that runs is loaded.
const WRITERS: Record<string, () => Promise<unknown>> = {
  async csv() {
    const { writeTimeSeriesCsv } = await import("#formats/csv/index.ts");
    return writeTimeSeriesCsv(path!, source, { onProgress });
  },
  async netcdf() {
    const { writeTimeSeriesNetcdf } = await import("#formats/netcdf/index.ts");
    return writeTimeSeriesNetcdf(path!, source, { onProgress });
  },
  async sqlite() {
    const { writePlainSqlite } = await import("#main/export/sqlite.ts");
    return writePlainSqlite(path!, { series: source, satellites: null }, { onProgress });
  },
};
console.log(JSON.stringify(await WRITERS[kind!]!()));
