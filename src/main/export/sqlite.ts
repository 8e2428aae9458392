import { neededTimeDigits } from "#formats/csv/options.ts";
import { type TimeDigits, TimeText } from "#formats/csv/time.ts";
import { type FormatError, FormatFailure } from "#formats/error.ts";
import { Pace } from "#formats/pace.ts";
import type { BandRegistry } from "#formats/satellites/cn0.ts";
import { SatelliteParser, valueAt } from "#formats/satellites/parse.ts";
import { parseRow, surveySatellites } from "#formats/satellites/survey.ts";
import type { FileStation, SeriesFileSource, WriteOptions } from "#formats/source.ts";
import { guarded } from "#formats/sourceRows.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import { success, type Result } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { createPlainDatabase, type PlainDatabase, type PlainValue } from "../store/plain.ts";
import { aboutRows, exportTables, stationRow } from "./sqliteTables.ts";
import type { ExportSources } from "./writers.ts";

/**
 * Writes rows as tables for SQL tools: `station`, `measurement` (station_id, time, ztd_mm, …), `satellite` (station_id,
 * time, prn, el_deg, az_deg, cn0_<band>_dbhz) where there are satellites, and `about`. Times are texts as in our CSV,
 * UTC, all of one length, so that they sort; no value is NULL. The keys are (station_id, time) and (station_id, time,
 * prn). Memory does not grow with the number of rows.
 */
export async function writePlainSqlite(
  path: string,
  sources: ExportSources,
  options: WriteOptions,
): Promise<Result<{ readonly bytes: number; readonly rows: number }, FormatError>> {
  const written = await writeThroughTemporary(path, async (temporaryPath) => {
    const looking = new Pace({ ...options, onProgress: () => {} });
    const { series, satellites } = sources;
    const survey = satellites ? await surveySatellites(satellites, looking) : null;
    const digits: TimeDigits =
      survey?.wholeSeconds === false ? 3 : series ? await neededTimeDigits(series, options, looking) : 0;
    const source = series ?? satellites;
    if (source === null) throw new FormatFailure("invalid", "No variable is selected: choose at least one to export.");
    const db = createPlainDatabase(temporaryPath, exportTables(series, survey));
    try {
      db.insert("about", aboutRows(sources));
      db.insert("station", source.stations.toSorted(byId).map(stationRow));
      const pace = new Pace(options);
      if (series) await insertRows(db, "measurement", series, digits, measurements(series), pace);
      if (satellites && survey) await insertRows(db, "satellite", satellites, digits, observations(survey.bands), pace);
      return pace.rows;
    } finally {
      db.close();
    }
  });
  if (!written.ok) return written;
  options.onProgress?.(written.value.value);
  return success({ bytes: written.value.bytes, rows: written.value.value });
}

/** The rows of a table for one row of the source: what follows after the station and the time. */
type RowsOf = (rows: SeriesRows, row: number) => readonly (readonly PlainValue[])[];

/** Stations in the order of the key, so that the tables grow at their end only. */
async function insertRows(
  db: PlainDatabase,
  table: string,
  source: SeriesFileSource,
  digits: TimeDigits,
  valuesOf: RowsOf,
  pace: Pace,
): Promise<void> {
  const time = new TimeText("iso", digits);
  const bytes = Buffer.alloc(32);
  const textOf = (momentMs: UtcMs): string => bytes.toString("latin1", 0, time.write(bytes, 0, momentMs));
  const order = [...source.stations.keys()].toSorted((a, b) => byId(source.stations[a]!, source.stations[b]!));
  for (const station of order) {
    const { id } = source.stations[station]!;
    for (const rows of guarded(() => source.blocks(station))) {
      // Some hundred rows of the source at a time: with their satellites they are thousands of the table.
      for (let from = 0; from < rows.timesMs.length; from += 500) {
        const found: (readonly PlainValue[])[] = [];
        for (let row = from; row < Math.min(from + 500, rows.timesMs.length); row++) {
          const moment = textOf(rows.timesMs[row]!);
          for (const values of valuesOf(rows, row)) found.push([id, moment, ...values]);
        }
        db.insert(table, found);
        await pace.breathe(found.length);
      }
    }
  }
}

function measurements({ variables }: SeriesFileSource): RowsOf {
  return (rows, row) => [
    variables.map((v) => {
      const column = rows.columns[v];
      return column?.kind === "scalar" ? orNull(column.values[row]!) : null;
    }),
  ];
}

function observations(bands: BandRegistry): RowsOf {
  const parser = new SatelliteParser(bands);
  return (rows, row) => {
    const seen = parseRow(parser, rows, row);
    return seen.prns.map((prn, s) => {
      const valueOf = (values: Float64Array | undefined) => orNull(valueAt(values, seen.index[s]!));
      const cn0 = bands.names.map((_, band) => valueOf(seen.cn0DbHz[band]));
      return [prn, valueOf(seen.elevationDeg), valueOf(seen.azimuthDeg), ...cn0];
    });
  };
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** As SQLite compares texts: by their bytes. */
function byId(a: FileStation, b: FileStation): number {
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}
