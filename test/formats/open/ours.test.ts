import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeSatelliteCsv, writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import type { SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { writeParquetDataset, writeParquetFile } from "#formats/parquet/index.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import type { Variable } from "#shared/service/variables.ts";
import {
  DAY_MS,
  type PlainRow,
  type PlainSource,
  plainSource,
  regularRows,
  sourceOf,
  START_MS,
  station,
} from "../sources.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";
import { openedSeries, plainRows, seriesBy } from "./support.ts";
import { gateCases, gateShare } from "../../support/endurance.ts";

// An exported file opens with exactly the same numbers at the same times.

const folder = scratchFolder();
const SCALARS: readonly Variable[] = ["ztd", "ztd_sigma", "pwv"];
const HOSTILE = ['=cmd|" /C calc"!A0', "a,b\nc", "-1", "@x", `"quoted"`, "Ärö 東京", "plain"];

interface Form {
  readonly write: (path: string, plain: PlainSource) => Promise<{ path: string }>;
  /** A table has rows without values, but no stations without rows. */
  readonly isTable: boolean;
}

const PARQUET: Form = {
  write: async (path, plain) => mustSucceed(await writeParquetFile(path, sourceOf(plain))),
  isTable: true,
};

const SQLITE: Form = {
  async write(path, plain) {
    mustSucceed(await writePlainSqlite(path, { series: sourceOf(plain), satellites: null }, {}));
    return { path };
  },
  isTable: true,
};

const DATASET: Form = {
  async write(path, plain) {
    mustSucceed(await writeParquetDataset(path, sourceOf(plain)));
    return { path };
  },
  isTable: true,
};

const EXCEL: Form = {
  write: async (path, plain) =>
    mustSucceed(await writeTimeSeriesXlsx(path, sourceOf(plain), { sheetRows: 8, stationFields: ["station_name"] })),
  isTable: true,
};

const FORMS: Record<string, Form> = Object.fromEntries([
  ...(["netcdf4", "netcdf3"] as const).flatMap((container) =>
    (["grid", "ragged"] as const).map((layout): [string, Form] => [
      `${container}, ${layout}`,
      {
        write: async (path, plain) =>
          mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container, layout })),
        isTable: false,
      },
    ]),
  ),
  ...([[], ["station_name", "latitude_deg", "longitude_deg", "height_m", "height_reference"]] as const).map(
    (fields): [string, Form] => [
      `CSV, ${fields.length} fields of stations`,
      {
        write: async (path, plain) =>
          mustSucceed(await writeTimeSeriesCsv(path, sourceOf(plain), { stationFields: fields })),
        isTable: true,
      },
    ],
  ),
  ["Parquet", PARQUET],
  ["Parquet dataset", DATASET],
  ["Excel", EXCEL],
  ["SQLite", SQLITE],
]);

let last = 0;
const nextPath = (form: string): string =>
  join(
    folder,
    `${++last}.${form.startsWith("CSV") ? "csv" : form === "Parquet" ? "parquet" : form === "SQLite" ? "sqlite" : "nc"}`,
  );

/** Values by station and variable. Rows without a value are omitted, since a grid does not have them. */
function valuesIn(file: SeriesFile): Record<string, (readonly [number, number])[]> {
  const found: Record<string, (readonly [number, number])[]> = {};
  for (const series of file.series) {
    expect(series.quantity).toMatchObject({ unit: "mm", conversion: null });
    const rows = plainRows(file, series, 0).flatMap(([s, v]) =>
      v === null ? [] : [[Math.round(s * 1_000), v] as const],
    );
    if (rows.length > 0) found[`${series.stationId} ${series.quantity.variable}`] = rows;
  }
  return found;
}

function valuesOf(
  { stations, variables, rows }: PlainSource,
  isTable: boolean,
): Record<string, (readonly [number, number])[]> {
  const expected: Record<string, (readonly [number, number])[]> = {};
  for (const [i, { id }] of stations.entries())
    for (const variable of variables) {
      const values = rows[i]!.flatMap(({ timeMs, values }) => {
        const value = values[variable] ?? null;
        // A table has no negative zero.
        return value === null ? [] : [[timeMs, isTable ? Number(value) + 0 : Number(value)] as const];
      });
      if (values.length > 0) expected[`${id} ${variable}`] = values;
    }
  return expected;
}

describe.each(gateShare(Object.entries(FORMS)))("%s", (name, { write, isTable }) => {
  it("names the stations of one row each", async () => {
    const rows = [0, 0, 1].map((ms) => [{ timeMs: START_MS + ms, values: { ztd: 2_400 } }]);
    const plain: PlainSource = { stations: [0, 1, 2].map((i) => station(i)), variables: ["ztd"], rows, blockRows: 1 };
    const file = await openedSeries((await write(nextPath(name), plain)).path);
    expect(file.series.map(({ stationId }) => stationId)).toEqual(
      expect.arrayContaining(plain.stations.map(({ id }) => id)),
    );
    file.close();
  });

  it("round-trips every value exactly", async () => {
    await fc.assert(
      fc.asyncProperty(plainSource(SCALARS), async (plain) => {
        const rows = plain.rows.flat();
        fc.pre(isTable ? rows.length > 0 : true);
        const { path } = await write(nextPath(name), plain);
        const file = await openedSeries(path);
        expect(valuesIn(file)).toStrictEqual(valuesOf(plain, isTable));
        expect(file.notes.filter((note) => !note.includes("are implausible"))).toEqual([]);
        file.close();
      }),
      { numRuns: gateCases(12) },
    );
  });

  it("round-trips station ids with special characters, except line breaks in NetCDF", async () => {
    const stations = HOSTILE.map((text, i) =>
      station(i, { id: text, displayName: text, heightReference: i % 2 ? "EGM2008" : "WGS84_ELLIPSOID" }),
    );
    const { path } = await write(nextPath(name), {
      stations,
      variables: ["ztd"],
      rows: stations.map((_, i) => regularRows(2, i)),
    });
    const file = await openedSeries(path);
    // A database sorts its stations by key.
    const ids = file.series.map((s) => s.stationId).toSorted();
    expect(ids).toEqual((isTable ? HOSTILE : HOSTILE.map((t) => t.replace("\n", " "))).toSorted());
    file.close();
  });

  it("round-trips averages, with their interval", async () => {
    const plain = {
      stations: [station(0)],
      variables: SCALARS,
      rows: [regularRows(3, 0, 300_000)],
      intervalSeconds: 300,
    };
    const { path } = await write(nextPath(name), plain);
    const file = await openedSeries(path);
    expect(valuesIn(file)).toStrictEqual(valuesOf(plain, isTable));
    expect(file.notes.at(-1)).toBe("Values are means over 5 min; their time is the start of the interval.");
    expect(new Set(file.series.map(({ cell }) => JSON.stringify(cell))).size).toBe(1);
    file.close();
  });
});

it.each(["netcdf4", "netcdf3"] as const)("positions, heights and the source round-trip in %s", async (container) => {
  const stations = (["WGS84_ELLIPSOID", "EGM2008"] as const).map((heightReference, i) =>
    station(i, { heightReference }),
  );
  const plain = { stations, variables: SCALARS, rows: stations.map((_, i) => regularRows(2, i)) };
  const path = nextPath("nc");
  mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container }));
  const file = await openedSeries(path);
  expect(file).toMatchObject({ title: "Zenith delays of a test", source: expect.stringContaining("service.example") });
  const [first, second] = [file.series[0]!, file.series.at(-1)!];
  expect(first.label).toBe("Station 0");
  expect(first.position).toEqual({
    latitudeDeg: 60,
    longitudeDeg: 20.5,
    heights: [{ metres: 50.25, above: "ellipsoid" }],
  });
  expect(second.position).toMatchObject({ heights: [{ metres: 51.25, above: "geoid" }] });
  file.close();
});

it("one part of a Parquet dataset opens with its station, and a damaged part is rejected with a message", async () => {
  const plain = { stations: [station(7)], variables: SCALARS, rows: [regularRows(20, 0)] };
  const path = nextPath("Parquet");
  mustSucceed(await writeParquetDataset(path, sourceOf(plain)));
  const part = join(path, `station_id=${station(7).id}`, "month=2026-01", "part-0.parquet");
  const file = await openedSeries(part);
  expect(valuesIn(file)).toStrictEqual(valuesOf(plain, true));
  file.close();
  const damaged = readFileSync(part);
  damaged.fill(0x55, 4, 400);
  writeFileSync(part, damaged);
  expect(await openSeriesFile(part)).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/damaged|no Parquet/) },
  });
  writeFileSync(part, "PAR1 and nothing else");
  expect(await openSeriesFile(part)).toMatchObject({ ok: false, error: { message: expect.stringMatching(/damaged/) } });
});

describe("satellites", () => {
  const rows: PlainRow[] = Array.from({ length: 5 }, (_, i) => ({
    timeMs: START_MS + i * 30_000,
    values: i === 2 ? {} : { prn: "G01,E11", el: `12.5,${80 + i}`, az: "1.0,359.9", snr: "45.1/38.2,44.0" },
  }));
  const plain: PlainSource = { stations: [station(0)], variables: ["snr", "el", "az", "prn"], rows: [rows] };
  const times = [0, 30, 90, 120];

  it.each(["netcdf4", "netcdf3", "csv"] as const)("are one series per pair in %s", async (kind) => {
    const isCsv = kind === "csv";
    const path = nextPath(isCsv ? "CSV" : "nc");
    if (isCsv) mustSucceed(await writeSatelliteCsv(path, sourceOf(plain), { stationFields: ["station_name"] }));
    else mustSucceed(await writeSatelliteNetcdf(path, sourceOf(plain), { container: kind }));
    const file = await openedSeries(path);
    const { id } = station(0);
    expect(new Set(file.series.map((s) => `${s.stationId}|${s.satellite}`))).toEqual(
      new Set([`${id}|G01`, `${id}|E11`]),
    );
    const elevation = seriesBy(file, `${station(0).displayName} E11`, isCsv ? "el" : "elevation");
    expect(elevation).toMatchObject({ rows: 4, quantity: { variable: null, unit: "degree" } });
    expect(plainRows(file, elevation, START_MS)).toEqual(times.map((s) => [s, 80 + s / 30]));
    const second = file.series.filter((s) => s.satellite === "G01" && s.quantity.name.startsWith("cn0_"))[1]!;
    expect(plainRows(file, second, START_MS)).toEqual(times.map((s) => [s, 38.2]));
    file.close();
  });
});

it("satellite lists beside other series are not shown, with a note", async () => {
  const variables: readonly Variable[] = ["ztd", "snr", "prn"];
  const rows: PlainRow[] = [{ timeMs: START_MS, values: { ztd: 2_400, snr: "45.1,44.0", prn: "G01,E11" } }];
  const plain = { stations: [station(0)], variables, rows: [rows] };
  const csv = await openedSeries((await FORMS["CSV, 0 fields of stations"]!.write(nextPath("CSV"), plain)).path);
  const netcdf = await openedSeries((await FORMS["netcdf4, ragged"]!.write(nextPath("nc"), plain)).path);
  for (const file of [csv, netcdf]) {
    expect(file.series).toHaveLength(1);
    expect(file.notes).toEqual([expect.stringMatching(/not shown: .*“prn”/)]);
    file.close();
  }
});

it("a large table of many days round-trips exactly", async () => {
  const plain = { stations: [station(0)], variables: SCALARS, rows: [regularRows((5 * DAY_MS) / 30_000, 1)] };
  const { path } = await FORMS["CSV, 0 fields of stations"]!.write(nextPath("CSV"), plain);
  expect(readFileSync(path).length).toBeGreaterThan(300_000);
  const file = await openedSeries(path);
  expect(valuesIn(file)).toStrictEqual(valuesOf(plain, true));
  file.close();
});
