import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Coverage } from "#shared/series/rows.ts";
import { updateParquetDataset } from "#formats/parquet/update.ts";
import { gateCases, tries } from "../support/endurance.ts";
import { duckdb } from "./duckdb.ts";
import { DAY_MS, type PlainRow, type PlainSource, regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { mustSucceed, scratchFolder } from "./tools.ts";

const scratch = scratchFolder();
let names = 0;
const newFolder = (): string => join(scratch, `update-${names++}.parquet`);

/** Rows in three months. */
function rows(seed: number): PlainRow[] {
  const months = [0, 31, 59].map((day) => START_MS + day * DAY_MS);
  return months.flatMap((startMs) =>
    regularRows(40, seed).map((row, i) => ({ ...row, timeMs: startMs + i * 300_000 })),
  );
}

function plain(change: Partial<PlainSource> = {}): PlainSource {
  return { stations: [station(0), station(1)], variables: ["ztd", "pwv"], rows: [rows(1), rows(2)], ...change };
}

/** The same rows with one value of ZTD everywhere. */
const version = (ztd: number): PlainSource =>
  plain({ rows: [1, 2].map((seed) => rows(seed).map((row) => ({ ...row, values: { ...row.values, ztd } }))) });

const QUARTER = { startMs: START_MS, endMs: START_MS + 90 * DAY_MS };

/** All of the quarter is known, with or without rows. */
const coverageOf = (): Coverage => ({ final: [QUARTER], provisional: [] });

async function update(folder: string, source: PlainSource, createdAtMs = START_MS, range = QUARTER) {
  const made = sourceOf(source);
  const provenance = { ...made.provenance, createdAtMs };
  const { written, unchanged, removed } = mustSucceed(
    await updateParquetDataset(folder, { ...made, range, provenance }, coverageOf),
  );
  return { written, unchanged, removed };
}

/** All rows of the dataset, read by DuckDB. */
async function content(folder: string): Promise<{ station_id: string; ms: number }[]> {
  return duckdb(
    `SELECT station_id, epoch_ms(time)::DOUBLE AS ms, ztd_mm, pwv_mm FROM read_parquet('${folder}/**/*.parquet', hive_partitioning = true) ORDER BY ALL`,
  );
}

function partFiles(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true }) as string[];
  return all.filter((name) => statSync(join(folder, name)).isFile()).toSorted();
}

describe("an update of a Parquet dataset", () => {
  it("writes only partitions with new or changed rows", async () => {
    const folder = newFolder();
    expect(await update(folder, plain())).toEqual({ written: 6, unchanged: 0, removed: 0 });
    const before = new Map(partFiles(folder).map((name) => [name, readFileSync(join(folder, name))]));
    // A new creation date alone does not change a partition.
    expect(await update(folder, plain(), START_MS + 1)).toEqual({ written: 0, unchanged: 6, removed: 0 });
    expect(new Map(partFiles(folder).map((name) => [name, readFileSync(join(folder, name))]))).toEqual(before);

    const revised = rows(1).map((row, i) => (i === 50 ? { ...row, values: { ...row.values, ztd: 1 } } : row));
    expect(await update(folder, plain({ rows: [revised, rows(2)] }))).toEqual({ written: 1, unchanged: 5, removed: 0 });
    expect(await content(folder)).toContainEqual(expect.objectContaining({ ztd_mm: 1 }));
  });

  it("gives the same dataset as a new export, after any earlier updates", async () => {
    const change = fc.record({
      drop: fc.nat({ max: 119 }),
      keep: fc.nat({ max: 120 }),
      seed: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const folder = newFolder();
        await update(folder, plain());
        let last = plain();
        for (const { drop, keep, seed } of changes) {
          last = plain({ rows: [rows(seed).filter((_, i) => i < drop || i > drop + keep), rows(2)] });
          await update(folder, last);
        }
        const fresh = newFolder();
        await update(fresh, last);
        expect(await content(folder)).toEqual(await content(fresh));
        expect(partFiles(folder)).toEqual(partFiles(fresh));
      }),
      { numRuns: tries(gateCases(10), 40) },
    );
  });

  it("keeps stations that it does not name, and months outside its range", async () => {
    const folder = newFolder();
    await update(folder, plain());
    const all = await content(folder);
    expect(await update(folder, plain({ stations: [station(1)], rows: [[]] }))).toEqual({
      written: 0,
      unchanged: 0,
      removed: 3,
    });
    const left = await content(folder);
    expect(left).toEqual(all.filter((row) => row.station_id === station(0).id));

    const february = { startMs: START_MS + 31 * DAY_MS, endMs: START_MS + 59 * DAY_MS };
    expect(await update(folder, plain({ stations: [station(0)], rows: [[]] }), START_MS, february)).toEqual({
      written: 0,
      unchanged: 0,
      removed: 1,
    });
    const outside = left.filter(({ ms }) => ms < february.startMs || ms >= february.endMs);
    expect(outside).toHaveLength(80);
    expect(await content(folder)).toEqual(outside);
  });

  it("keeps and names months of which less is known than before, and replaces them once it is known again", async () => {
    const folder = newFolder();
    await update(folder, plain());
    const all = await content(folder);
    const fewer = plain({ rows: [rows(1).slice(60), []] });
    const source = { ...sourceOf(fewer), range: QUARTER };
    const lacking = ["2026-01", "2026-02"].map((month) => ({ stationId: station(0).id, month }));
    const gone = ["2026-01", "2026-02", "2026-03"].map((month) => ({ stationId: station(1).id, month }));
    for (const known of [[], [{ ...QUARTER, startMs: START_MS + 45 * DAY_MS }]]) {
      const ofFirst = (id: string): Coverage => ({ final: id === station(0).id ? known : [], provisional: [] });
      const { kept, removed } = mustSucceed(await updateParquetDataset(folder, source, ofFirst));
      expect(new Set(kept)).toEqual(new Set([...lacking, ...gone]));
      expect(removed).toBe(0);
      expect(await content(folder)).toEqual(all);
    }
    // One answer without rows proves nothing.
    const unconfirmed = (): Coverage => ({ final: [], provisional: [{ range: QUARTER, fetchedAtMs: START_MS }] });
    mustSucceed(await updateParquetDataset(folder, source, unconfirmed));
    expect(await content(folder)).toEqual(all);
    expect(await update(folder, fewer)).toEqual({ written: 1, unchanged: 1, removed: 4 });
  });

  it("completes an earlier update that failed, and leaves no temporary files", async () => {
    const folder = newFolder();
    await update(folder, plain({ rows: [rows(3), rows(4)] }));
    const source = sourceOf(plain({ blockRows: 10 }));
    const blocks = function* (index: number) {
      for (const [n, block] of [...source.blocks(index)].entries()) {
        if (index === 1 && n === 5) throw new Error("The disk is gone.");
        yield block;
      }
    };
    const stopped = await updateParquetDataset(folder, { ...source, range: QUARTER, blocks }, coverageOf);
    expect(stopped.ok).toBe(false);
    // Each partition is either old or new.
    expect(await content(folder)).toHaveLength(240);
    expect(partFiles(folder).filter((name) => /\/\./.test(name))).toEqual([]);
    // Rows that are the earlier ones again replace those of the update that failed.
    const earlier = plain({ rows: [rows(3), rows(4)] });
    await update(folder, earlier);
    const asBefore = newFolder();
    await update(asBefore, earlier);
    expect(await content(folder)).toEqual(await content(asBefore));
    await update(folder, plain());
    const fresh = newFolder();
    await update(fresh, plain());
    expect(await content(folder)).toEqual(await content(fresh));
  });

  it("completes the first update of a folder, which was killed, and removes what has no rows any more", async () => {
    const folder = newFolder();
    await update(folder, plain());
    // Killed before the manifest was written at the end: it still says what it said in the beginning.
    const path = join(folder, "_manifest.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { partitions: object };
    writeFileSync(path, JSON.stringify({ ...manifest, partitions: {} }));
    const withoutMarch = plain({ rows: [rows(1).slice(0, 80), rows(2)] });
    expect(await update(folder, withoutMarch)).toEqual({ written: 5, unchanged: 0, removed: 1 });
    const fresh = newFolder();
    await update(fresh, withoutMarch);
    expect(await content(folder)).toEqual(await content(fresh));
  });

  it("can begin in a new folder while another one is writing there", async () => {
    const folder = newFolder();
    const source = { ...sourceOf(plain()), range: QUARTER };
    const second: ReturnType<typeof update>[] = [];
    const blocks = function* (index: number) {
      for (const block of source.blocks(index)) {
        yield block;
        if (second.length === 0) second.push(update(folder, plain()));
      }
    };
    mustSucceed(await updateParquetDataset(folder, { ...source, blocks }, coverageOf));
    expect(await Promise.all(second)).toHaveLength(1);
    const fresh = newFolder();
    await update(fresh, plain());
    expect(await content(folder)).toEqual(await content(fresh));
  });

  it("of other stations can run at the same time, and the manifest has the partitions of both", async () => {
    const folder = newFolder();
    const [first, other] = [0, 1].map((i) => plain({ stations: [station(i)], rows: [rows(i + 1)] })) as [
      PlainSource,
      PlainSource,
    ];
    const source = { ...sourceOf(first), range: QUARTER };
    const second: ReturnType<typeof update>[] = [];
    const blocks = function* (index: number) {
      for (const block of source.blocks(index)) {
        yield block;
        if (second.length === 0) second.push(update(folder, other));
      }
    };
    mustSucceed(await updateParquetDataset(folder, { ...source, blocks }, coverageOf));
    expect(await second[0]).toEqual({ written: 3, unchanged: 0, removed: 0 });
    const { partitions } = JSON.parse(readFileSync(join(folder, "_manifest.json"), "utf8")) as { partitions: object };
    const files = partFiles(folder).filter((name) => name !== "_manifest.json");
    expect(Object.keys(partitions).map((name) => join(name, "part-0.parquet"))).toEqual(files);
    expect(await update(folder, plain())).toEqual({ written: 0, unchanged: 6, removed: 0 });
  });

  it("is seen by a reader beside it as a whole: each month is old or new", async () => {
    const folder = newFolder();
    await update(folder, version(0));
    const updates = (async () => {
      for (let i = 1; i <= tries(gateCases(18), 200); i++) await update(folder, version(i));
      return "done" as const;
    })();
    const reads: { versions: number; count: number }[][] = [];
    do
      reads.push(
        await duckdb(
          `SELECT count(DISTINCT ztd_mm)::INT AS versions, count(*)::INT AS count FROM read_parquet('${folder}/**/*.parquet', hive_partitioning = true) GROUP BY station_id, month`,
        ),
      );
    while ((await Promise.race([updates, Promise.resolve(null)])) !== "done");
    const whole = { versions: 1, count: 40 };
    for (const read of reads) expect(read).toEqual(Array.from({ length: 6 }, () => whole));
  });

  it("rejects a folder with other files, and other columns, means or heights", async () => {
    const foreign = newFolder();
    mkdirSync(foreign);
    writeFileSync(join(foreign, "thesis.txt"), "all of it");
    const rejected = await updateParquetDataset(foreign, sourceOf(plain()), coverageOf);
    expect(rejected.ok ? "" : rejected.error.message).toMatch(/is not a dataset that --update made/);
    expect(readdirSync(foreign)).toEqual(["thesis.txt"]);

    const folder = newFolder();
    await update(folder, plain());
    const own = sourceOf(plain());
    const others = [
      sourceOf(plain({ variables: ["ztd"] })),
      { ...own, resampled: true },
      { ...own, stations: own.stations.map((one) => ({ ...one, heightReference: "EGM2008" as const })) },
    ];
    for (const source of others) {
      const other = await updateParquetDataset(folder, source, coverageOf);
      expect(other.ok ? "" : other.error.message).toMatch(/holds other variables/);
    }
    expect(existsSync(join(folder, "_manifest.json"))).toBe(true);
  });
});
