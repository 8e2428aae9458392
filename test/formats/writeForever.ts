import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
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
const WRITERS: Record<string, () => Promise<unknown>> = {
  csv: () => writeTimeSeriesCsv(path!, source, { onProgress }),
  netcdf: () => writeTimeSeriesNetcdf(path!, source, { onProgress }),
  sqlite: () => writePlainSqlite(path!, { series: source, satellites: null }, { onProgress }),
};
console.log(JSON.stringify(await WRITERS[kind!]!()));
