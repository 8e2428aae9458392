import { surveyTimes, type TimeDigits } from "#formats/csv/index.ts";
import { type FormatError, FormatFailure } from "#formats/error.ts";
import {
  type FileStation,
  guarded,
  Pace,
  satelliteBlocks,
  type SeriesFileSource,
  type WriteOptions,
  intervalLengths,
  timeMeaning,
} from "#formats/source.ts";
import { defined } from "#shared/defined.ts";
import type { BandRegistry } from "#shared/satellites/cn0.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { surveySatellites, type SatelliteSurvey } from "#formats/netcdf/index.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import { success, type Result } from "#shared/service/error.ts";
import { formatUtc, HOUR_MS, MINUTE_MS, SECOND_MS, type UtcMs, formatUtcShort } from "#shared/time/utc.ts";
import { createPlainDatabase, type PlainDatabase, type PlainValue, type PlainTable } from "./plainDatabase.ts";
import type { ExportSources } from "./source.ts";
import { columnMeanings, seriesColumns } from "#formats/stationFields.ts";

const text = (name: string) => ({ name, type: "TEXT" as const });
const real = (name: string) => ({ name, type: "REAL" as const });

const STATION_COLUMNS = [
  text("id"),
  text("name"),
  text("network_code"),
  text("country_code"),
  text("location_alias"),
  text("source_type"),
  real("latitude_deg"),
  real("longitude_deg"),
  real("height_m"),
  text("height_reference"),
];

const KEY_COLUMNS = [text("station_id"), text("time")];

/** Returns the tables of an export, by its contents. */
function exportTables(series: SeriesFileSource | null, survey: SatelliteSurvey | null): PlainTable[] {
  const columns = [...KEY_COLUMNS, ...(series ? seriesColumns(series) : []).map(real)];
  const seen = ["el_deg", "az_deg", ...(survey?.bands.names ?? []).map((band) => `cn0_${band}_dbhz`)];
  return [
    { name: "about", columns: [text("key"), text("value")], primaryKey: ["key"] },
    { name: "station", columns: STATION_COLUMNS, primaryKey: ["id"] },
    ...(series ? [{ name: "measurement", columns, primaryKey: ["station_id", "time"] }] : []),
    ...(survey
      ? [
          {
            name: "satellite",
            columns: [...KEY_COLUMNS, text("prn"), ...seen.map(real)],
            primaryKey: ["station_id", "time", "prn"],
          },
        ]
      : []),
  ];
}

/** Returns the description of the rows. */
function aboutRows({ series, satellites }: ExportSources): [string, string][] {
  const { provenance, intervalSeconds, raw } = defined(series ?? satellites);
  return Object.entries({
    title: provenance.title,
    summary: provenance.summary,
    program: provenance.program,
    service: provenance.service,
    created: formatUtcShort(provenance.createdAtMs),
    query: provenance.query,
    coverage: provenance.coverage,
    time: timeMeaning(defined(series ?? satellites)),
    quality_filter: raw ? "off: observations that fail the service's quality checks are included" : "on",
    columns: JSON.stringify(
      columnMeanings([...(series?.variables ?? []), ...(satellites?.variables ?? [])], intervalSeconds),
    ),
  });
}

function stationRow(s: FileStation): PlainValue[] {
  const { id, displayName, networkCode, countryCode, locationAlias, sourceType } = s;
  const place = [s.latitudeDeg, s.longitudeDeg, s.height];
  return [id, displayName, networkCode, countryCode, locationAlias, sourceType, ...place, s.heightReference];
}

/**
 * Writes rows as tables for SQL tools: `station`, `measurement` (station_id, time, ztd_mm, …), for satellites
 * `satellite` (station_id, time, prn, el_deg, az_deg, cn0_<band>_dbhz), and `about`. Times are texts as in our CSV
 * files, UTC, all of the same length, so that they sort; missing values are NULL. The primary keys are
 * (station_id, time) and (station_id, time, prn). Memory does not grow with the number of rows.
 */
export async function writePlainSqlite(
  path: string,
  sources: ExportSources,
  options: WriteOptions,
): Promise<Result<{ readonly bytes: number; readonly rows: number }, FormatError>> {
  const written = await writeThroughTemporary(
    path,
    async (temporaryPath) => {
      const surveyPace = new Pace({ ...options, onProgress: () => {} });
      const { series, satellites } = sources;
      const survey = satellites ? await surveySatellites(satellites, options) : null;
      const digits: TimeDigits =
        survey?.wholeSeconds === false ? 3 : series ? (await surveyTimes(series, surveyPace)).digits : 0;
      const source = series ?? satellites;
      if (source === null)
        throw new FormatFailure("invalid", "No variable is selected: choose at least one to export.");
      const db = createPlainDatabase(temporaryPath, exportTables(series, survey));
      try {
        db.insert("about", aboutRows(sources).flat());
        db.insert("station", source.stations.toSorted(byId).flatMap(stationRow));
        const pace = new Pace(options);
        const target = { db, digits, pace };
        if (series) await insertMeasurements(target, series);
        if (satellites && survey) await insertSatellites(target, satellites, survey.bands);
        return pace.rows;
      } finally {
        db.close();
      }
    },
    options,
  );
  if (!written.ok) return written;
  options.onProgress?.(written.value.value);
  return success({ bytes: written.value.bytes, rows: written.value.value });
}

interface Target {
  readonly db: PlainDatabase;
  readonly digits: TimeDigits;
  readonly pace: Pace;
}

async function insertMeasurements(target: Target, source: SeriesFileSource): Promise<void> {
  const textOf = timeTexts(target.digits);
  for (const [station, { id }] of inKeyOrder(source.stations)) {
    for (const rows of guarded(() => source.blocks(station))) {
      const columns = source.variables.map((v) => {
        const column = rows.columns[v];
        return column?.kind === "scalar" ? column.values : null;
      });
      const lengths = intervalLengths(source, rows.timesMs);
      await insertInBatches(target, "measurement", rows.timesMs, (timeMs, row, values) => {
        values.push(id, textOf(timeMs));
        if (lengths !== null) values.push(lengths[row]!);
        for (const column of columns) values.push(orNull(column?.[row]));
        return 1;
      });
    }
  }
}

async function insertSatellites(target: Target, source: SeriesFileSource, bands: BandRegistry): Promise<void> {
  const reader = new SatelliteReader(bands);
  const textOf = timeTexts(target.digits);
  for (const [station, { id }] of inKeyOrder(source.stations)) {
    for (const block of satelliteBlocks(source, station)) {
      const { timesMs, offsets, prns, prn, elevationDeg, azimuthDeg, cn0DbHz } = reader.read(block);
      await insertInBatches(target, "satellite", timesMs, (timeMs, row, values) => {
        const moment = textOf(timeMs);
        const first = offsets[row]!;
        const end = offsets[row + 1]!;
        for (let entry = first; entry < end; entry++) {
          values.push(id, moment, prns[prn[entry]!]!, orNull(elevationDeg[entry]), orNull(azimuthDeg[entry]));
          for (const band of bands.names.keys()) values.push(orNull(cn0DbHz[band]?.[entry]));
        }
        return end - first;
      });
    }
  }
}

/**
 * Inserts 500 rows of the source at a time: with their satellites, they are thousands of rows of the table.
 *
 * @param append appends the values of a row and returns their number of rows in the table
 */
async function insertInBatches(
  { db, pace }: Target,
  table: string,
  timesMs: Float64Array,
  append: (timeMs: number, row: number, values: PlainValue[]) => number,
): Promise<void> {
  for (let from = 0; from < timesMs.length; from += 500) {
    const values: PlainValue[] = [];
    let found = 0;
    for (const [i, timeMs] of timesMs.subarray(from, from + 500).entries()) found += append(timeMs, from + i, values);
    db.insert(table, values);
    await pace.step(found);
  }
}

const SIXTY = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));

function twoDigits(ofSixty: number): string {
  return SIXTY[ofSixty]!;
}

/**
 * Returns a function that formats times. Without a fraction, it keeps all but minutes and seconds for the next time in
 * the same hour.
 */
function timeTexts(digits: TimeDigits): (momentMs: UtcMs) => string {
  if (digits === 3) return formatUtc;
  let hourMs = Number.NaN;
  let hour = "";
  return (momentMs) => {
    let rest = momentMs - hourMs;
    if (!(rest >= 0 && rest < HOUR_MS)) {
      hourMs = Math.floor(momentMs / HOUR_MS) * HOUR_MS;
      hour = formatUtc(hourMs).slice(0, 14);
      rest = momentMs - hourMs;
    }
    const minute = Math.floor(rest / MINUTE_MS);
    return `${hour}${twoDigits(minute)}:${twoDigits((rest - minute * MINUTE_MS) / SECOND_MS)}Z`;
  };
}

/** Returns indices of the stations in order of the primary key, so that rows are appended. */
function inKeyOrder(stations: readonly FileStation[]): [index: number, station: FileStation][] {
  return [...stations.entries()].toSorted(([, a], [, b]) => byId(a, b));
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Compares ids like SQLite, by their bytes. */
function byId(a: FileStation, b: FileStation): number {
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}
