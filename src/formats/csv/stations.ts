import { csvLine } from "#shared/file/csv.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import { writeThroughSink } from "../sink.ts";
import type { FileStation, WriteOptions, WrittenFile } from "../source.ts";
import { ALL_STATION_FIELDS, stationValue } from "../stationFields.ts";
import { headLine } from "./options.ts";

/** Writes a table of stations, one row each: `station_id,station_name,…,latitude_deg,longitude_deg,height_m,…`. */
export async function writeStationsCsv(
  path: string,
  stations: readonly FileStation[],
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const lines = stations.map((s) => `${csvLine(ALL_STATION_FIELDS.map((f) => stationValue(s, f)))}\r\n`);
  const written = await writeThroughSink(
    path,
    async (sink) => {
      await sink.write(headLine(ALL_STATION_FIELDS));
      await sink.write(Buffer.from(lines.join("")));
    },
    () => undefined,
    options,
  );
  if (!written.ok) return written;
  return success({ path, bytes: written.value.bytes, stationsWithRows: stations.length, rows: stations.length });
}
