import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { zstdCompressSync } from "node:zlib";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCache, readSessionFile, type SessionManifest, writeSessionFile } from "#main/store/index.ts";
import { byteWriter } from "#main/store/codec/bytes.ts";
import { decodeRuns, encodeRuns } from "#main/store/codec/runs.ts";
import { decompress } from "#main/store/codec/compress.ts";
import { CACHE_MIGRATIONS } from "#main/store/migrations/cache/index.ts";
import { SESSION_TABLE } from "#main/store/sessionFile/schemaPages.ts";
import { countContents, createFile, sealOf, SESSION_APPLICATION_ID } from "#main/store/sessionFile/form.ts";
import { copySession } from "#main/store/sessionFile/read.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { temporaryFolders } from "./folder.ts";
import { writeRows } from "./model.ts";
import { tries } from "../support/endurance.ts";

const folder = temporaryFolders();
const PACE = { onProgress: () => {}, signal: new AbortController().signal };
const PAGE = 8_192;
const MANIFEST: SessionManifest = {
  version: 1,
  program: "Zenith Desk 0",
  savedAtMs: TEST_START_MS,
  author: "Anna",
  connectionName: "Main",
  baseUrl: null,
  views: null,
};
const DAMAGED = "s.zenith: This file is damaged or incomplete. Ask for it again; nothing was saved.";

/** A valid file of one station, about 180 kB. */
const sound = (async () => {
  const place = folder();
  const cache = openCache(`${place}/cache.db`);
  const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + DAY_MS };
  const scope = {
    stationIds: ["a"],
    variables: ["ztd", "prn", "el"] as const,
    range,
    intervalSeconds: null,
    raw: false,
  };
  const rows = Array.from({ length: 40 }, (_, i) => ({
    stationId: "a",
    timeMs: TEST_START_MS + i * TEST_STEP_MS,
    values: { ztd: 2_400 + (i % 7), prn: "G01,G02", el: "10,20" },
  }));
  writeRows(cache, scope, rows);
  cache.replaceCatalogue([], [], TEST_START_MS);
  const parts = { ranges: new Map([["a", rangeSet([range])]]), kinds: ["scalar", "satellite"] as const };
  await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, parts, PACE);
  cache.close();
  return `${place}/s.zenith`;
})();

/** Returns the error for a changed file, and checks that it leaves no file. */
async function outcomeOf(change: (path: string) => void, read = copySession): Promise<string> {
  const place = folder();
  mkdirSync(place);
  copyFileSync(await sound, `${place}/s.zenith`);
  change(`${place}/s.zenith`);
  const before = readdirSync(place);
  const outcome = await read(`${place}/s.zenith`, "s.zenith", `${place}/copy.db`, PACE).then(
    () => "opened",
    (thrown: Error) => thrown.message,
  );
  expect(readdirSync(place).toSorted()).toEqual([...before, ...(outcome === "opened" ? ["copy.db"] : [])].toSorted());
  return outcome;
}

/** Runs statements on the file, including its schema. */
const sql =
  (...texts: readonly string[]) =>
  (path: string): void => {
    const db = new Database(path);
    db.unsafeMode();
    db.pragma("writable_schema = ON");
    for (const text of texts) db.exec(text);
    db.close();
  };

const bytes =
  (change: (file: Buffer) => Buffer | void) =>
  (path: string): void => {
    const file = readFileSync(path);
    writeFileSync(path, change(file) ?? file);
  };

const inSchema = (table: string, from: string, to: string): string =>
  `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${table}'`;

const ENDLESS =
  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT CAST(count(*) AS TEXT) AS content FROM n";

describe("a written session file", () => {
  test("does not follow symbolic links, and keeps the permissions of the file it replaces", async () => {
    const place = folder();
    mkdirSync(place);
    writeFileSync(`${place}/precious`, "precious");
    for (const name of ["s.zenith", "s.zenith.unfinished"]) symlinkSync("precious", `${place}/${name}`);
    writeFileSync(`${place}/old.zenith`, "", { mode: 0o640 });
    const cache = openCache(`${place}/cache.db`);
    const parts = { ranges: new Map(), kinds: [] };
    for (const name of ["s.zenith", "old.zenith", `${"n".repeat(248)}.zenith`])
      await writeSessionFile(cache.path, `${place}/${name}`, MANIFEST, parts, PACE);
    cache.close();
    expect(readFileSync(`${place}/precious`, "utf8")).toBe("precious");
    expect(lstatSync(`${place}/s.zenith`).isFile()).toBe(true);
    expect(statSync(`${place}/old.zenith`).mode & 0o777).toBe(0o640);
    expect(readdirSync(place).filter((name) => !name.startsWith("cache.db"))).toHaveLength(5);
  });
});

describe("an untrusted session file", () => {
  test("is opened if it is unchanged", async () => {
    expect(await outcomeOf(() => {})).toBe("opened");
    expect(await outcomeOf(() => {}, readSessionFile)).toBe("opened");
  });

  test.each([
    ["another table", sql("CREATE TABLE extra (a)")],
    ["a view", sql("CREATE VIEW extra AS SELECT 1")],
    ["an endless view instead of a table", sql("DROP TABLE session", `CREATE VIEW session AS ${ENDLESS}`)],
    ["an endless view instead of the stations", sql("DROP TABLE station", `CREATE VIEW station AS ${ENDLESS}`)],
    ["a trigger", sql("CREATE TRIGGER extra AFTER INSERT ON site BEGIN DELETE FROM chunk; END")],
    ["an index", sql("CREATE INDEX extra ON chunk (n)")],
    ["an index by an expression", sql("CREATE INDEX extra ON chunk (abs(n))")],
    ["a virtual table", sql("CREATE VIRTUAL TABLE extra USING fts5(a)")],
    ["a generated column", sql("ALTER TABLE extent ADD COLUMN extra TEXT AS (hex(zeroblob(100000000)))")],
    ["another column", sql("ALTER TABLE extent ADD COLUMN extra TEXT")],
    [
      "a check with an expression",
      sql(
        inSchema(
          "extent",
          "end_ms INTEGER NOT NULL",
          "end_ms INTEGER NOT NULL CHECK (length(hex(zeroblob(100000000))) > 0)",
        ),
      ),
    ],
    ["a default with an expression", sql(inSchema("site", "DEFAULT 0", "DEFAULT (random())"))],
    ["another space", sql(inSchema("session", "TEXT NOT", "TEXT  NOT"))],
    ["a letter of another case", sql(inSchema("session", "TEXT", "text"))],
    ["a changed trigger", sql(inSchema("column_goes", "bytes - length", "bytes + length"))],
    ["a missing table", sql("DROP TABLE care")],
    ["a write-ahead log", sql("PRAGMA journal_mode = WAL")],
    ["a write-ahead log in its header", bytes((file) => void file.fill(2, 18, 20))],
    ["reserved bytes", bytes((file) => void file.writeUInt8(32, 20))],
    ["texts in another encoding", bytes((file) => void file.writeUInt32BE(2, 56))],
    ["pages of another size", bytes((file) => void file.writeUInt16BE(4_096, 16))],
    ["pages of an impossible size", bytes((file) => void file.writeUInt16BE(1_000, 16))],
    ["a circular schema", bytes(circularSchema)],
    ["a schema with repeated pages", bytes((file) => repeatedPages(file, 1))],
    ["rows with repeated pages", (path) => bytes((file) => repeatedPages(file, rootOf(path, "chunk")))(path)],
    ["a description of impossible length", sql("UPDATE session SET content = hex(zeroblob(20000000))")],
    ["two descriptions", sql("INSERT INTO session SELECT content FROM session")],
    ["a deeply nested description", sql(`UPDATE session SET content = '${"[".repeat(100_000)}'`)],
    ["a station of impossible length", sql("UPDATE site SET station_id = hex(zeroblob(50000))")],
    ["an impossible number of rows", sql("UPDATE chunk SET n = 4000000000")],
    ["a negative number of rows", sql("UPDATE chunk_column SET n = -1")],
    ["more rows than its bytes", sql("UPDATE chunk SET n = 1900000", manyChunks(400))],
  ])("is rejected without executing its content: %s", async (_, change) => {
    expect(await outcomeOf(change)).toBe(DAMAGED);
  });

  test.each(CACHE_MIGRATIONS.map((_, i) => i + 1))(
    "is opened with tables of version %i, and rejected with those of another",
    async (version) => {
      const older = (path: string): void => {
        rmSync(path);
        const db = createFile(path, SESSION_APPLICATION_ID, version);
        db.exec(SESSION_TABLE);
        const contents = countContents(db);
        const content = { manifest: MANIFEST, contents, seal: sealOf(db, MANIFEST, contents) };
        db.prepare("INSERT INTO session VALUES (?)").run(JSON.stringify(content));
        db.close();
      };
      expect(await outcomeOf(older)).toBe("opened");
      const outcome = await outcomeOf((path) => {
        older(path);
        // 3 and 4 have the same tables.
        sql(`PRAGMA user_version = ${version === 1 ? 2 : 1}`)(path);
      });
      expect(outcome).toBe(DAMAGED);
    },
  );

  test("does not allocate memory for more values than a chunk can have", () => {
    const times = byteWriter();
    times.unsigned(encodeRuns(Float64Array.of(1, 2, 3))[0]!);
    times.unsigned(2 ** 28);
    for (const n of [1, 4]) times.unsigned(n);
    times.bytes(Uint8Array.of(0, 0, 0, 0, 0));
    expect(() => decodeRuns(times.finish())).toThrow("a chunk of impossible size");
    const packed = Uint8Array.of(2, ...zstdCompressSync(new Uint8Array(1_000)));
    expect(() => decompress(packed, 2 ** 28)).toThrow("a chunk of impossible size");
    expect(decompress(packed, 1_000)).toHaveLength(1_000);
  });

  test("with replaced pages is rejected or has its original contents", async () => {
    const pages = readFileSync(await sound).length / PAGE;
    const page = fc.integer({ min: 0, max: pages - 1 });
    await fc.assert(
      fc.asyncProperty(
        page,
        page,
        fc.integer({ min: 0, max: PAGE - 1 }),
        fc.integer({ min: 0, max: 255 }),
        async (from, to, at, byte) => {
          const outcome = await outcomeOf(
            bytes((file) => {
              file.copy(file, to * PAGE + at, from * PAGE + at, (from + 1) * PAGE);
              file[to * PAGE + at] = byte;
            }),
          );
          expect(outcome).toMatch(/^opened$|This file is damaged|This is not a session|newer version/);
        },
      ),
      { numRuns: tries(20, 200) },
    );
  });

  test("is read without blocking other work, and can be aborted", async () => {
    const stop = new AbortController();
    let turns = 0;
    const timer = setInterval(() => ++turns === 3 && stop.abort(new Error("stopped")), 1);
    const place = folder();
    mkdirSync(place);
    const read = readSessionFile(await sound, "s.zenith", `${place}/copy.db`, { ...PACE, signal: stop.signal });
    await expect(read).rejects.toThrow("stopped");
    clearInterval(timer);
    expect(readdirSync(place)).toEqual([]);
  });
});

/** Makes the first page refer to itself. */
function circularSchema(file: Buffer): void {
  interior(file, 1, [1, 1, 1]);
}

function rootOf(path: string, table: string): number {
  const db = new Database(path, { readonly: true });
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table);
  db.close();
  return Number(root);
}

/** Creates pages that each refer hundreds of times to the next, which gives an endless number of rows. */
function repeatedPages(file: Buffer, root: number): Buffer {
  const first = file.length / PAGE + 1;
  const grown = Buffer.concat([file, Buffer.alloc(18 * PAGE)]);
  for (let level = 0; level < 17; level++)
    interior(
      grown,
      first + level,
      Array.from({ length: 500 }, () => first + level + 1),
    );
  grown[(first + 16) * PAGE] = 13;
  interior(grown, root, [first, first]);
  grown.writeUInt32BE(grown.length / PAGE, 28);
  return grown;
}

/** Creates an interior page of a table. */
function interior(file: Buffer, page: number, children: readonly number[]): void {
  const start = (page - 1) * PAGE;
  const head = start + (page === 1 ? 100 : 0);
  const content = PAGE - 6 * children.length;
  file.fill(0, head, start + PAGE);
  file[head] = 5;
  file.writeUInt16BE(children.length, head + 3);
  file.writeUInt16BE(content, head + 5);
  file.writeUInt32BE(children.at(-1)!, head + 8);
  children.forEach((child, i) => {
    file.writeUInt16BE(content + 6 * i, head + 12 + 2 * i);
    file.writeUInt32BE(child, start + content + 6 * i);
    file[start + content + 6 * i + 4] = 1;
  });
}

function manyChunks(n: number): string {
  return `WITH RECURSIVE more(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM more WHERE i < ${n})
    INSERT INTO chunk SELECT site, kind, interval_seconds, raw, bucket_ms + i * 86400000, n, first_ms, last_ms, variables,
      times, checksum, parts FROM chunk, more WHERE kind = 'scalar'`;
}
