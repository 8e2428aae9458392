import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parquetMetadata } from "hyparquet";
import { beforeAll, expect, it } from "vitest";
import { writeSatelliteCsv, writeStationsCsv, writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import { ALL_STATION_FIELDS, type ColumnMeaning, STATION_FIELDS } from "#formats/stationFields.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { VARIABLES } from "#shared/service/variables.ts";
import { generatedPart } from "../formats/operations.ts";
import { readSinexTro } from "../formats/sinexReader.ts";
import { type PlainSource, regularRows, sourceOf, START_MS, station } from "../formats/sources.ts";
import { mustSucceed, scratchFolder } from "../formats/tools.ts";

// Compares the columns of exported tables with docs/files.md.

const folder = scratchFolder();
const series: PlainSource = {
  stations: [station(0)],
  variables: ["ztd", "ztd_sigma", "pwv"],
  rows: [regularRows(3, 1)],
};
const sky = { prn: "G01", el: "10", az: "20", snr: "45" };
const satellites: PlainSource = {
  ...series,
  variables: ["prn", "el", "az", "snr"],
  rows: [[{ timeMs: START_MS, values: sky }]],
};

interface Columns {
  readonly file: string;
  readonly names: readonly string[];
}

const FILES: Columns[] = [];
/** Descriptions of columns from the files. */
const MEANINGS: Record<string, ColumnMeaning> = {
  ...STATION_FIELDS,
  id: STATION_FIELDS.station_id,
  name: STATION_FIELDS.station_name,
  time: {
    unit: "",
    meaning: "Time of the observation, UTC; of averages, the start of the interval",
    standard_name: "time",
  },
  key: { unit: "", meaning: "What a line of `about` tells: the query, the coverage, units of the columns, …" },
  value: { unit: "", meaning: "Its text" },
};

function at(name: string): string {
  return join(folder, name);
}

function header(name: string): string[] {
  return readFileSync(at(name), "utf8").split("\r\n", 1)[0]!.split(",");
}

async function parquetColumns(name: string, plain: PlainSource): Promise<string[]> {
  mustSucceed(await writeParquetFile(at(name), sourceOf(plain)));
  const { buffer, byteOffset, length } = readFileSync(at(name));
  const { schema, key_value_metadata: metadata } = parquetMetadata(buffer.slice(byteOffset, byteOffset + length));
  Object.assign(MEANINGS, JSON.parse(metadata!.find(({ key }) => key === "columns")!.value!));
  return schema.slice(1).map((element) => element.name);
}

beforeAll(async () => {
  const [first, second] = [sourceOf(series), sourceOf(satellites)];
  mustSucceed(await writeTimeSeriesCsv(at("a.csv"), first, { stationFields: ALL_STATION_FIELDS.slice(1) }));
  mustSucceed(await writeSatelliteCsv(at("sky.csv"), second));
  mustSucceed(await writeStationsCsv(at("stations.csv"), series.stations));
  mustSucceed(await writePlainSqlite(at("a.sqlite"), { series: first, satellites: second }, {}));
  FILES.push(
    { file: "CSV and Excel", names: header("a.csv") },
    { file: "CSV and Excel of satellites", names: header("sky.csv") },
    { file: "table of stations", names: header("stations.csv") },
    { file: "Parquet", names: await parquetColumns("a.parquet", series) },
    { file: "Parquet of satellites", names: await parquetColumns("sky.parquet", satellites) },
  );
  const db = new Database(at("a.sqlite"));
  for (const table of ["measurement", "satellite", "station", "about"])
    FILES.push({
      file: `SQLite \`${table}\``,
      names: (db.pragma(`table_info(${table})`) as { name: string }[]).map((c) => c.name),
    });
  db.close();
});

it("docs/files.md has every column of the tables with its unit and meaning", async () => {
  const names = [...new Set(FILES.flatMap((file) => file.names))];
  const rows = names.map((name) => {
    const { unit, meaning, standard_name: standardName = "" } = MEANINGS[name]!;
    const files = FILES.filter((file) => file.names.includes(name)).map(({ file }) => file);
    return `| \`${name}\` | ${unit} | ${standardName} | ${meaning.replace(/\.$/, "")} | ${files.join(", ")} |`;
  });
  const sinex = VARIABLES.flatMap((v) =>
    "sinex" in v ? [[v.sinex.parameter, v.sinex.factor === "1" ? "kg m-2" : v.unit, v.meaning] as const] : [],
  );
  mustSucceed(await writeSinexTro(at("a.tro"), sourceOf(series)));
  const written = readSinexTro(readFileSync(at("a.tro"), "latin1")).description.get("TROPO PARAMETER NAMES")!;
  expect(new Set(written.split(/ +/))).toEqual(new Set(sinex.map(([parameter]) => parameter)));
  const lines = [
    "| column | unit | standard name | meaning | in |",
    "|---|---|---|---|---|",
    ...rows,
    ...sinex.map(
      ([name, unit, meaning]) =>
        `| \`${name}\` | ${unit} | | ${meaning.replace(/\.$/, "")} | SINEX_TRO; COST-716 has the same quantities with one decimal |`,
    ),
  ].map((line) => line.replaceAll(/ {2,}/g, " "));
  expect(generatedPart("columns of tables", lines)).toBe(lines.join("\n"));
});
