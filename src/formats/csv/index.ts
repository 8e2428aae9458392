export { writeSatelliteCsv, type WrittenSatelliteCsv } from "./satellites.ts";
export { writeTimeSeriesCsv } from "./series.ts";
export type { CsvOptions } from "./options.ts";
