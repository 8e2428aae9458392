export { writeTimeSeriesCsv } from "./series.ts";
export type { CsvOptions, WrittenCsv } from "./options.ts";
