import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { zstdDecompressSync } from "node:zlib";
import { writeParquetDataset, writeParquetFile } from "#formats/parquet/index.ts";
import { partitionName } from "#formats/parquet/partitions.ts";
import { duckdb } from "./duckdb.ts";
import {
  plainSource,
  regularRows,
  sourceOf,
  START_MS,
  station,
  DAY_MS,
  type PlainRow,
  type PlainSource,
} from "./sources.ts";
import { mustSucceed, namesIn, scratchFolder } from "./tools.ts";
import { anyCharacter } from "../support/characters.ts";
import { gateCases } from "../support/endurance.ts";

const folder = scratchFolder();
let names = 0;
const SCALARS = ["ztd", "ztd_sigma", "pwv"] as const;

async function dataset(plain: PlainSource): Promise<string> {
  const path = join(folder, `${names++}.parquet`);
  mustSucceed(await writeParquetDataset(path, sourceOf(plain)));
  return path;
}

function filesBelow(path: string): string[] {
  return (readdirSync(path, { recursive: true }) as string[])
    .filter((n) => statSync(join(path, n)).isFile())
    .toSorted();
}

interface Read {
  readonly metadata: FileMetaData;
  readonly rows: Record<string, unknown>[];
}

/** Reads a file with hyparquet, whose decoders are independent of our encoders. */
async function read(path: string): Promise<Read> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed)) };
  return { metadata: parquetMetadata(file), rows: await parquetReadObjects({ file, compressors }) };
}

/** Three months of two stations, one of them with a gap in the middle, and a third station without rows. */
const seasons: PlainSource = {
  stations: [station(0), station(1, { id: "Töölö, 2/ä=", displayName: "東京" }), station(2)],
  variables: SCALARS,
  rows: [
    regularRows(20_000, 1, 300_000),
    [...regularRows(1_000, 2), ...regularRows(1_000, 3).map((r) => ({ ...r, timeMs: r.timeMs + 70 * DAY_MS }))],
    [],
  ],
};

describe("values of Parquet files", () => {
  it("round-trip exactly through an independent reader, including nulls", async () => {
    await fc.assert(
      fc.asyncProperty(plainSource(SCALARS), async (plain) => {
        const path = join(folder, "all.parquet");
        mustSucceed(await writeParquetFile(path, sourceOf(plain)));
        const { rows } = await read(path);
        const found = rows.map((r) => [
          r["station_id"],
          (r["time"] as Date).getTime(),
          ...SCALARS.map((v) => r[`${v}_mm`]),
        ]);
        const expected = plain.rows.flatMap((own, i) =>
          own.map((r) => [plain.stations[i]!.id, r.timeMs, ...SCALARS.map((v) => r.values[v] ?? null)]),
        );
        expect(found).toStrictEqual(expected);
      }),
      { numRuns: gateCases(60) },
    );
  });

  it("of satellites are stored as numbers, one row per satellite and time", async () => {
    const rows = [
      { timeMs: START_MS, values: { prn: "G01,E11", el: "12.5,80", az: "1,359.9", snr: "45.1/38.2,44" } },
      { timeMs: START_MS + 30_000, values: { prn: null, el: null, az: null, snr: null } },
      { timeMs: START_MS + 60_000, values: { prn: "C23,G01", el: "5,", az: "10,1", snr: ",44.5" } },
    ];
    const plain: PlainSource = { stations: [station(0)], variables: ["snr", "el", "az", "prn"], rows: [rows] };
    const path = await dataset(plain);
    const { rows: found } = await read(join(path, filesBelow(path)[0]!));
    const named = found.map((r) => [
      (r["time"] as Date).getTime() - START_MS,
      r["prn"],
      r["el_deg"],
      r["az_deg"],
      r["cn0_1_dbhz"],
      r["cn0_2_dbhz"],
    ]);
    expect(named).toEqual([
      [0, "G01", 12.5, 1, 45.1, 38.2],
      [0, "E11", 80, 359.9, 44, null],
      [60_000, "C23", 5, 10, null, null],
      [60_000, "G01", null, 1, 44.5, null],
    ]);
    const ofDuckdb = await duckdb(`
      SELECT prn, count(*)::INT AS n, sum(cn0_1_dbhz) AS cn0 FROM read_parquet('${path}/**/*.parquet') GROUP BY prn ORDER BY prn`);
    expect(ofDuckdb).toEqual([
      { prn: "C23", n: 1, cn0: null },
      { prn: "E11", n: 1, cn0: 44 },
      { prn: "G01", n: 2, cn0: 89.6 },
    ]);
  });

  it("of a hundred satellites are stored correctly across row groups and blocks", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `X${String(i).padStart(2, "0")}`);
    const rows = Array.from({ length: 3_000 }, (_, i): PlainRow => {
      const prn = names.filter((_, n) => (i * 7 + n * 13) % 5 < 3);
      return { timeMs: START_MS + i * 1_000, values: { prn: prn.join(","), el: prn.map((p) => p.slice(1)).join(",") } };
    });
    const path = await dataset({ stations: [station(0)], variables: ["el", "prn"], rows: [rows], blockRows: 700 });
    const [found] = await duckdb<{ n: number; wrong: number; names: number }>(`
      SELECT count(*)::INT AS n, count(DISTINCT prn)::INT AS names, (count(*) FILTER (WHERE prn[2:]::INT <> el_deg))::INT AS wrong
      FROM read_parquet('${path}/**/*.parquet')`);
    const expected = rows.reduce((sum, r) => sum + String(r.values.prn).split(",").length, 0);
    expect(found).toEqual({ n: expected, names: 100, wrong: 0 });
    expect(expected).toBeGreaterThan(131_072);
  });

  it("have plain times, dictionaries of what is the same for a station, and statistics", async () => {
    // Readers with deltas of 32 bits misread a gap of this length.
    const rows = [0, 30_000, 300 * 3_600_000].map((ms) => ({ timeMs: START_MS + ms, values: { ztd: 1 } }));
    const path = join(folder, "encodings.parquet");
    mustSucceed(await writeParquetFile(path, sourceOf({ stations: [station(0)], variables: ["ztd"], rows: [rows] })));
    const { metadata, rows: found } = await read(path);
    expect(found.map((r) => (r["time"] as Date).getTime())).toEqual(rows.map((r) => r.timeMs));
    const metas = metadata.row_groups[0]!.columns.map((c) => c.meta_data!);
    const encodings = Object.fromEntries(metas.map((m) => [m.path_in_schema[0], m.encodings]));
    const [plain, dictionary] = [
      ["PLAIN", "RLE"],
      ["PLAIN", "RLE", "RLE_DICTIONARY"],
    ];
    expect(encodings).toMatchObject({ time: plain, ztd_mm: plain, station_id: dictionary, latitude_deg: dictionary });
    for (const { statistics } of metas)
      expect(statistics).toMatchObject({ null_count: 0n, min_value: expect.anything() });
  });

  it("are stored with the name and position of their station", async () => {
    const stations = [station(0), station(1, { latitudeDeg: null, height: null })];
    const rows = stations.map(() => [{ timeMs: START_MS, values: { ztd: 1 } }]);
    const path = join(folder, "places.parquet");
    mustSucceed(await writeParquetFile(path, sourceOf({ stations, variables: ["ztd"], rows })));
    const found = await duckdb(`SELECT station_name, latitude_deg, longitude_deg, height_m FROM '${path}'`);
    expect(found).toEqual([
      { station_name: "Station 0", latitude_deg: 60, longitude_deg: 20.5, height_m: 50.25 },
      { station_name: "Station 1", latitude_deg: null, longitude_deg: 20.5, height_m: null },
    ]);
  });

  it("are split into row groups of at most 131,072 rows", async () => {
    const long = { stations: [station(0)], variables: ["ztd"] as const, rows: [regularRows(300_000, 1, 1_000)] };
    const path = await dataset(long);
    const { metadata } = await read(join(path, filesBelow(path)[0]!));
    expect(metadata.row_groups.map((g) => Number(g.num_rows))).toEqual([131_072, 131_072, 37_856]);
  });
});

describe("a dataset", () => {
  it("has a folder for each station and month with rows", async () => {
    const path = await dataset(seasons);
    const other = `station_id=T%C3%B6%C3%B6l%C3%B6%2C%202%2F%C3%A4%3D`;
    expect(filesBelow(path)).toEqual(
      [
        ...["2026-01", "2026-02", "2026-03"].map((m) => `station_id=${station(0).id}/month=${m}/part-0.parquet`),
        ...["2026-01", "2026-03"].map((m) => `${other}/month=${m}/part-0.parquet`),
      ].toSorted(),
    );
  });

  it("is read by DuckDB as one table, with the same counts, sums, nulls and times", async () => {
    const path = await dataset(seasons);
    const rows = await duckdb(`
      SELECT station_id, station_name, count(*)::INT AS n, count(pwv_mm)::INT AS pwv, sum(ztd_mm) AS ztd,
        epoch_ms(min(time))::DOUBLE AS first, epoch_ms(max(time))::DOUBLE AS last, typeof(any_value(time)) AS type
      FROM read_parquet('${path}/**/*.parquet', hive_partitioning = true) GROUP BY ALL ORDER BY n DESC`);
    const expected = [0, 1].map((i) => {
      const own = seasons.rows[i]!;
      return {
        station_id: seasons.stations[i]!.id,
        station_name: seasons.stations[i]!.displayName,
        n: own.length,
        pwv: own.filter((r) => r.values.pwv !== null).length,
        ztd: expect.closeTo(
          own.reduce((sum, r) => sum + Number(r.values.ztd), 0),
          3,
        ),
        first: own[0]!.timeMs,
        last: own.at(-1)!.timeMs,
        type: "TIMESTAMP WITH TIME ZONE",
      };
    });
    expect(rows).toEqual(expected);
    const months = await duckdb<{ month: string; wrong: number }>(`
      SELECT month, (count(*) FILTER (WHERE strftime(time AT TIME ZONE 'UTC', '%Y-%m') <> month))::INT AS wrong
      FROM read_parquet('${path}/**/*.parquet', hive_partitioning = true) GROUP BY month ORDER BY month`);
    expect(months).toEqual(["2026-01", "2026-02", "2026-03"].map((month) => ({ month, wrong: 0 })));
  });

  it.each([["ztd"], ["el", "az", "snr", "prn"]] as const)(
    "without rows is an empty table with its columns (%s …)",
    async (...variables) => {
      const path = await dataset({ stations: [station(0), station(1)], variables, rows: [[], []] });
      const described = await duckdb<{ column_name: string; column_type: string }>(
        `DESCRIBE SELECT * FROM read_parquet('${path}/**/*.parquet', hive_partitioning = true)`,
      );
      const types = Object.fromEntries(described.map((c) => [c.column_name, c.column_type]));
      expect(types).toMatchObject({ station_id: "VARCHAR", station_name: "VARCHAR", time: "TIMESTAMP WITH TIME ZONE" });
      expect(types).toMatchObject(variables[0] === "ztd" ? { ztd_mm: "DOUBLE" } : { prn: "VARCHAR", el_deg: "DOUBLE" });
      const [count] = await duckdb(
        `SELECT count(*)::INT AS n FROM read_parquet('${path}/**/*.parquet', hive_partitioning = true)`,
      );
      expect(count).toEqual({ n: 0 });
    },
  );

  it("is queried by station and time without reading rows of other partitions", async () => {
    const path = await dataset(seasons);
    const others = filesBelow(path).filter((n) => n !== `station_id=${station(0).id}/month=2026-02/part-0.parquet`);
    expect(others).toHaveLength(4);
    // Without its pages, only the footer of a file can be read, with the bounds of its times.
    for (const name of others) {
      const bytes = readFileSync(join(path, name));
      bytes.fill(0xff, 4, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8));
      writeFileSync(join(path, name), bytes);
    }
    const [row] = await duckdb<{ ztd_mm: number }>(`
      SELECT ztd_mm FROM read_parquet('${path}/**/*.parquet', hive_partitioning = true)
      WHERE station_id = '${station(0).id}' AND time = make_timestamptz(${(START_MS + 300_000 * 15_000) * 1000}::BIGINT)`);
    expect(row!.ztd_mm).toBe(regularRows(15_001, 1, 300_000).at(-1)!.values.ztd);
  });

  it("stores units, origin and stations in its footers", async () => {
    const path = await dataset(seasons);
    const { metadata } = await read(join(path, filesBelow(path)[0]!));
    const footer = Object.fromEntries(metadata.key_value_metadata!.map((kv) => [kv.key, kv.value]));
    expect(JSON.parse(footer["columns"]!)).toMatchObject({
      latitude_deg: { unit: "degree", standard_name: "latitude" },
      ztd_mm: { unit: "mm" },
      pwv_mm: { unit: "mm", standard_name: "lwe_thickness_of_atmosphere_mass_content_of_water_vapor" },
    });
    expect(footer["service"]).toBe("https://service.example");
    expect(JSON.parse(footer["stations"]!)).toEqual([JSON.parse(JSON.stringify(station(0)))]);
    expect(metadata.created_by).toBe("Zenith Desk 0.0.0");
  });

  it("replaces an existing dataset, file or empty folder, but not a folder with other files", async () => {
    const path = await dataset(seasons);
    const fewer = sourceOf({ ...seasons, stations: [station(0)], rows: [regularRows(10, 1)] });
    mustSucceed(await writeParquetDataset(path, fewer));
    expect(filesBelow(path)).toHaveLength(1);
    const file = join(folder, "was a file.parquet");
    writeFileSync(file, "x");
    mustSucceed(await writeParquetDataset(file, fewer));
    expect(filesBelow(file)).toHaveLength(1);
    const empty = join(folder, "empty.parquet");
    mkdirSync(empty);
    mustSucceed(await writeParquetDataset(empty, fewer));
    expect(filesBelow(empty)).toHaveLength(1);
    const photos = join(folder, "photos");
    mkdirSync(join(photos, "station_id=1"), { recursive: true });
    writeFileSync(join(photos, "station_id=1", "mine.txt"), "x");
    expect(await writeParquetDataset(photos, fewer)).toMatchObject({
      ok: false,
      error: { kind: "invalid", message: expect.stringContaining("other things") },
    });
    expect(readFileSync(join(photos, "station_id=1", "mine.txt"), "utf8")).toBe("x");
    expect(namesIn(folder).filter((n) => n.startsWith("."))).toEqual([]);
  });

  it("keeps the existing dataset and leaves no temporary files when cancelled", async () => {
    const path = await dataset(seasons);
    const before = filesBelow(path);
    const stop = new AbortController();
    const source = sourceOf(seasons);
    const stopping = {
      ...source,
      *blocks(i: number) {
        for (const block of source.blocks(i)) {
          yield block;
          if (i === 1) stop.abort();
        }
      },
    };
    const result = await writeParquetDataset(path, stopping, { signal: stop.signal });
    expect(result).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(filesBelow(path)).toEqual(before);
    expect(namesIn(folder).filter((n) => n.startsWith("."))).toEqual([]);
  });

  it("is rejected if the parent folder does not exist", async () => {
    const nowhere = await writeParquetDataset(join(folder, "none", "x.parquet"), sourceOf(seasons));
    expect(nowhere).toMatchObject({ ok: false, error: { kind: "noFolder" } });
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
});

it("partition names are portable and decode to the station id", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }), (id) => {
      const name = partitionName("station_id", id);
      expect(name).toMatch(/^station_id=[A-Za-z0-9_.%-]*[A-Za-z0-9_%-]$/);
      expect(decodeURIComponent(name.slice("station_id=".length))).toBe(id.toWellFormed());
    }),
  );
});
