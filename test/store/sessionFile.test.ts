import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { zstdCompressSync } from "node:zlib";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js/index-native.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openLocal } from "#formats/foreign/file.ts";
import { zipEntries } from "#formats/zip.ts";
import { byteWriter } from "#main/store/codec/bytes.ts";
import { decompress } from "#main/store/codec/compress.ts";
import { decodeRuns, encodeRuns } from "#main/store/codec/runs.ts";
import {
  type Cache,
  estimateSessionFile,
  finishCopy,
  openCache,
  readSessionFile,
  type SessionManifest,
  type SessionParts,
  writeSessionFile,
} from "#main/store/index.ts";
import { networkPageSchema, stationSchema } from "#shared/service/catalogue.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES } from "#shared/service/variables.ts";
import { alignOutward, containsMoment, type TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import type { WorkPace } from "#main/store/types.ts";
import { anyMode, anyRange, anyVariables, TEST_START_MS } from "./arbitraries.ts";
import { copySession } from "#main/store/sessionFile/read.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "../support/folder.ts";
import { fillRows, rowsAsModel } from "./model.ts";
import { gateCases, gateShare, IS_ENDURANCE, tries } from "../support/endurance.ts";
import { UNSEEN as PACE } from "../support/pace.ts";

const folder = temporaryFolders();
const NATIVE = { intervalSeconds: null, raw: false } as const;
const BOTH = ["scalar", "satellite"] as const;
const WIDE = { startMs: TEST_START_MS - 100 * DAY_MS, endMs: TEST_START_MS + 100 * DAY_MS };
const MANIFEST: SessionManifest = {
  version: 1,
  program: "Zenith Desk 0",
  savedAtMs: TEST_START_MS,
  author: "Anna",
  connectionName: "Main",
  baseUrl: null,
  withoutFiles: [],
  views: null,
};

function contentsOf(
  cache: Cache,
  stationId: string,
  variable: Variable,
  { range, ...mode }: SeriesMode & { readonly range: TimeRange },
) {
  const { final, provisional } = cache.coverage(stationId, variable, mode);
  return {
    rows: rowsAsModel(stationId, cache.rows({ stationId, variables: [variable], range, ...mode })),
    final: intersect(final, [range]),
    provisional: provisional.flatMap((p) => intersect([p.range], [range]).map((part) => ({ ...p, range: part }))),
  };
}

const partsOf = (stationIds: readonly string[], range: TimeRange): SessionParts => ({
  ranges: new Map(stationIds.map((id) => [id, rangeSet([range])])),
  kinds: BOTH,
});

/** Two stations with all variables, some days. */
function filled(place: string, days = 3): Cache {
  const cache = openCache(`${place}/cache.db`);
  for (let day = 0; day < days; day++) {
    const range = { startMs: TEST_START_MS + day * DAY_MS, endMs: TEST_START_MS + (day + 1) * DAY_MS };
    fillRows(cache, { stationIds: ["a", "b"], variables: VARIABLE_NAMES, range, ...NATIVE }, day);
  }
  return cache;
}

/** Writes a session file beside the cache. */
const share = (cache: Cache, parts: SessionParts, pace: WorkPace = PACE, manifest = MANIFEST) =>
  writeSessionFile(cache, join(dirname(cache.path), "s.zenith"), { manifest, parts }, pace);

const stoppedAt = (least: number) => {
  const stop = new AbortController();
  return { onProgress: (at: number) => void (at > least && stop.abort(new Error("stopped"))), signal: stop.signal };
};

const FLIPS = tries(gateCases(18), 2_000);
const DEADLINE_MS = tries(120_000, 3_600_000);
const DAMAGED = "s.zenith: This file is damaged or incomplete. Ask for it again; nothing was saved.";
const NEWER = "s.zenith: This file was written by a newer version of Zenith Desk: update the program to open it.";
const FOREIGN =
  "s.zenith: This is not a session of Zenith Desk. Such files end in “.zenith” and are written with “Share”.";
const HARMLESS = ["as it was", DAMAGED, NEWER, FOREIGN];

describe("a session file", () => {
  test("has all rows and extents of its stations and ranges, and none of others", async () => {
    const answer = fc.record({
      stationIds: fc.subarray(["a", "b"], { minLength: 1 }),
      variables: anyVariables,
      range: anyRange,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(answer, anyMode), { minLength: 1, maxLength: 5 }),
        anyRange,
        async (answers, range) => {
          const place = folder();
          const cache = openCache(`${place}/cache.db`);
          answers.forEach(([scope, mode], i) => fillRows(cache, { ...scope, ...mode }, i));
          await share(cache, partsOf(["a"], range));
          await copySession(`${place}/s.zenith`, "s.zenith", `${place}/copy.db`, PACE);
          finishCopy(`${place}/copy.db`);
          const copy = openCache(`${place}/copy.db`);
          for (const [, mode] of answers) {
            for (const variable of VARIABLE_NAMES) {
              expect(contentsOf(copy, "a", variable, { ...mode, range })).toEqual(
                contentsOf(cache, "a", variable, { ...mode, range }),
              );
              expect(contentsOf(copy, "b", variable, { ...mode, range: WIDE })).toEqual({
                rows: [],
                final: [],
                provisional: [],
              });
              // Whole intervals of means may go beyond the range, with the same coverage as before.
              const { final, rows } = contentsOf(copy, "a", variable, { ...mode, range: WIDE });
              const before = contentsOf(cache, "a", variable, { ...mode, range: WIDE });
              expect(intersect(final, before.final)).toEqual(final);
              expect(before.rows).toEqual(expect.arrayContaining(rows));
              const { intervalSeconds } = mode;
              const whole = intervalSeconds === null ? range : alignOutward(range, intervalSeconds);
              expect(rows.filter(({ timeMs }) => !containsMoment(whole, timeMs))).toEqual([]);
            }
          }
          expect(damageOf(copy.path)).toBeNull();
          copy.close();
          cache.close();
        },
      ),
      { numRuns: tries(gateCases(8), 100) },
    );
  });

  test("has the requested stations, but no settings, pins, or what only the owner of a network may know", async () => {
    const place = folder();
    const cache = filled(place, 1);
    cache.pin(["a"], true);
    cache.setSetting("limits", "secret-setting");
    const wire = { id: "a", display_name: "A", mountpoint: "secret-mountpoint", network_id: "n" };
    const stations = [{ ...stationSchema.parse(wire), ellipsoidalHeight: 1, orthometricHeight: 2 }];
    const network = { id: "n", code: "N", name: "Net", is_owner: true };
    const networks = networkPageSchema.parse({ networks: [network] }).items;
    cache.replaceCatalogue(stations, networks, TEST_START_MS);
    await share(cache, partsOf(["a"], WIDE));
    cache.close();
    const { manifest, contents } = await readSessionFile(`${place}/s.zenith`, "s", `${place}/copy.db`, PACE);
    finishCopy(`${place}/copy.db`);
    expect(manifest).toEqual(MANIFEST);
    expect(contents).toMatchObject({ stations: 1 });
    const copy = openCache(`${place}/copy.db`);
    expect(copy.setting("limits")).toBeNull();
    expect(copy.sizes().map((s) => [s.stationId, s.isPinned])).toEqual([["a", false]]);
    expect(copy.catalogue()).toMatchObject({
      stations: [{ displayName: "A", mountpoint: null }],
      networks: [{ name: "Net", isOwner: false }],
    });
    copy.close();
    expect(readFileSync(`${place}/s.zenith`, "latin1")).not.toContain("secret-");
  });

  test("is estimated within a third of its size", async () => {
    const place = folder();
    const cache = filled(place, 12);
    for (const days of [3, 12]) {
      const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + days * DAY_MS };
      const estimated = estimateSessionFile(cache, partsOf(["a", "b"], range));
      const { bytes } = await share(cache, partsOf(["a", "b"], range));
      expect(estimated.stations).toBe(2);
      expect(estimated.bytes / bytes).toBeGreaterThan(0.66);
      expect(estimated.bytes / bytes).toBeLessThan(1.5);
    }
    cache.close();
  });

  test("has no coverage without its rows, and no rows of two moments, despite later writes and deletions", async () => {
    const place = folder();
    const cache = filled(place, 6);
    const before = VARIABLE_NAMES.map((v) => contentsOf(cache, "b", v, { ...NATIVE, range: WIDE }));
    let isForgotten = false;
    const onProgress = (): void => {
      if (!isForgotten) cache.forget(["b"], { startMs: TEST_START_MS, endMs: TEST_START_MS + 4 * DAY_MS });
      isForgotten = true;
    };
    await share(cache, partsOf(["a", "b"], WIDE), { ...PACE, onProgress });
    await readSessionFile(`${place}/s.zenith`, "s", `${place}/copy.db`, PACE);
    finishCopy(`${place}/copy.db`);
    const copy = openCache(`${place}/copy.db`);
    expect(isForgotten).toBe(true);
    VARIABLE_NAMES.forEach((v, i) => {
      const after = contentsOf(copy, "b", v, { ...NATIVE, range: WIDE });
      const known = [...after.final, ...after.provisional.map(({ range }) => range)];
      const expected = before[i]!.rows.filter(({ timeMs }) =>
        known.some((r) => timeMs >= r.startMs && timeMs < r.endMs),
      );
      expect(after.rows).toEqual(expected);
    });
    copy.close();
    cache.close();
  });

  test("leaves no file when its writing or reading is aborted", async () => {
    const place = folder();
    const cache = filled(place, 4);
    const out = `${place}/s.zenith`;
    for (const at of [0, 0.5])
      await expect(share(cache, partsOf(["a", "b"], WIDE), stoppedAt(at))).rejects.toThrow("stopped");
    await share(cache, partsOf(["a", "b"], WIDE));
    for (const at of [0, 0.5])
      await expect(readSessionFile(out, "s", `${place}/copy.db`, stoppedAt(at))).rejects.toThrow("stopped");
    cache.close();
    expect(readdirSync(place).toSorted()).toEqual(["cache.db", "cache.db-lock", "s.zenith"]);
  });
});

describe("a session file that cannot be opened", () => {
  const whole = (async () => {
    const place = folder();
    const cache = filled(place);
    cache.replaceCatalogue([], [], TEST_START_MS);
    await share(cache, partsOf(["a", "b"], WIDE));
    cache.close();
    return `${place}/s.zenith`;
  })();
  const changed = async (change: (path: string) => void): Promise<string> => {
    const place = folder();
    copyFileSync(await whole, `${place}/s.zenith`);
    change(`${place}/s.zenith`);
    const refused = copySession(`${place}/s.zenith`, "s.zenith", `${place}/copy.db`, PACE);
    const outcome = await refused.then(
      () => "opened",
      (thrown: Error) => thrown.message,
    );
    if (outcome !== "opened") expect(readdirSync(place)).toEqual(["s.zenith"]);
    return outcome;
  };
  type Harm = [name: string, harm: (entries: Map<string, Buffer>) => void, level?: number];
  test.each(
    gateShare<Harm>([
      ["without a part", (entries) => entries.delete("data/2")],
      ["with another entry", (entries) => entries.set("data/x", Buffer.from("x"))],
      ["with a part twice", (entries) => entries.set("data/2", entries.get("data/1")!)],
      ["with another number of rows", (entries) => inManifest(entries, '"rows":', '"rows":1')],
      ["with a field of a wrong type", (entries) => inManifest(entries, '"savedAtMs":', '"savedAtMs":"x","was":')],
      ["with a deeply nested description", (entries) => entries.set("manifest.json", Buffer.from("[".repeat(100_000)))],
      ["with rows of another station", (entries) => change(entries, ({ key }) => (key.stationId = "c"))],
      ["with coverage that ends before it begins", (entries) => changeExtent(entries, { endMs: 0 })],
      ["with coverage of another bucket", (entries) => changeExtent(entries, { startMs: TEST_START_MS - 1 })],
      ["with rows of another bucket", (entries) => change(entries, ({ buckets: [one] }) => (one!.bucketMs += DAY_MS))],
      ["with rows between intervals", (entries) => change(entries, ({ key }) => (key.interval = 3_600))],
      ["with a bucket twice", (entries) => change(entries, ({ buckets }) => buckets.push(buckets[0]!))],
      ["with fewer rows than times", (entries) => change(entries, ({ buckets: [one] }) => one!.rows--)],
      ["with an impossible number of rows", (entries) => change(entries, ({ buckets: [one] }) => (one!.rows = 9e5))],
      ["with a codec that does not exist", (entries) => changeColumn(entries, { codec: "none" })],
      ["with a variable of another kind", (entries) => changeColumn(entries, { variable: "prn" })],
      ["with a variable that does not exist", (entries) => changeColumn(entries, { variable: "zzz" })],
      ["with a column twice", (entries) => changeColumn(entries, { variable: "pwv" })],
      ["with a part that ends early", (entries) => entries.set("data/1", entries.get("data/1")!.subarray(0, -9))],
      [
        "with a part that is too long",
        (entries) => entries.set("data/1", Buffer.concat([entries.get("data/1")!, Buffer.of(0)])),
      ],
      ["with a longer head than the part", (entries) => void entries.get("data/1")!.writeUInt32LE(2 ** 31, 0)],
      ["that unpacks to more than its size", () => {}, 9],
      ["with views of unlimited length", (entries) => entries.set("views.json", Buffer.alloc(26_000_000, " "))],
    ]),
  )("is reported %s", async (_, harm, level = 0) => {
    const entries = await entriesOf(await whole);
    harm(entries);
    const archive = await archiveOf(entries, level);
    expect(await changed((path) => writeFileSync(path, archive))).toBe(DAMAGED);
  });

  test(
    "is rejected or has its original contents if it is cut anywhere, or any byte changes",
    { timeout: DEADLINE_MS },
    async () => {
      const place = folder();
      const cache = filled(place, 3);
      await share(cache, partsOf(["a", "b"], WIDE), PACE, { ...MANIFEST, views: "{}" });
      const all = (of: Cache) =>
        ["a", "b"].flatMap((id) => VARIABLE_NAMES.map((v) => contentsOf(of, id, v, { ...NATIVE, range: WIDE })));
      const before = all(cache);
      cache.close();
      const original = readFileSync(`${place}/s.zenith`);
      const found: Record<string, number> = {};
      for (let i = 0; i < FLIPS; i++) {
        const bytes = Buffer.from(original);
        const at = Math.floor(((i + 0.37) / FLIPS) * original.length);
        bytes[at]! ^= 1 << (i % 8);
        writeFileSync(`${place}/s.zenith`, i % 4 === 0 ? bytes.subarray(0, at) : bytes);
        const target = `${place}/copy${i}.db`;
        const outcome = await copySession(`${place}/s.zenith`, "s.zenith", target, PACE).then(
          ({ manifest }) => {
            finishCopy(target);
            const copy = openCache(target);
            const isSame =
              isDeepStrictEqual(all(copy), before) && isDeepStrictEqual(manifest, { ...MANIFEST, views: "{}" });
            copy.close();
            return isSame ? "as it was" : "changed";
          },
          (thrown: Error) => thrown.message,
        );
        found[outcome] = (found[outcome] ?? 0) + 1;
      }
      if (IS_ENDURANCE) console.log("flipped bits of session files", found);
      expect(Object.keys(found).filter((outcome) => !HARMLESS.includes(outcome))).toEqual([]);
      expect(found[DAMAGED]).toBeGreaterThan(FLIPS / 2);
    },
  );

  test("is reported if it is of a newer version or another program", async () => {
    const entries = await entriesOf(await whole);
    inManifest(entries, '"version":1', '"version":2');
    const later = await archiveOf(entries);
    expect(await changed((path) => writeFileSync(path, later))).toBe(NEWER);
    const other = await archiveOf(new Map([["a.txt", Buffer.from("a")]]));
    for (const content of [other, "hello", ""])
      expect(await changed((path) => writeFileSync(path, content))).toBe(FOREIGN);
    const none = `${folder()}/none.zenith`;
    await expect(readSessionFile(none, "none", `${folder()}/copy.db`, PACE)).rejects.toThrow("does not exist");
  });
});

test("the decoders do not allocate memory for more values than a chunk can have", () => {
  const times = byteWriter();
  times.unsigned(encodeRuns(Float64Array.of(1, 2, 3))[0]!);
  times.unsigned(2 ** 28);
  for (const n of [1, 4]) times.unsigned(n);
  times.bytes(Uint8Array.of(0, 0, 0, 0, 0));
  expect(() => decodeRuns(times.finish())).toThrow("a chunk of impossible size");
  const packed = Uint8Array.of(1, ...zstdCompressSync(new Uint8Array(1_000)));
  expect(() => decompress(packed, 2 ** 28)).toThrow("a chunk of impossible size");
  expect(decompress(packed, 1_000)).toHaveLength(1_000);
});

/** The entries of an archive, in their order. */
async function entriesOf(path: string): Promise<Map<string, Buffer>> {
  const file = openLocal(path);
  const found = new Map<string, Buffer>();
  for (const entry of await zipEntries(file)) {
    const pieces: Uint8Array[] = [];
    await entry.unpack((bytes) => void pieces.push(bytes.slice()));
    found.set(entry.name, Buffer.concat(pieces));
  }
  file.close();
  return found;
}

/** An archive with valid checksums of these entries. */
async function archiveOf(entries: ReadonlyMap<string, Buffer>, level = 0): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { level });
  for (const [name, bytes] of entries) await zip.add(name, new Uint8ArrayReader(bytes));
  return zip.close();
}

function inManifest(entries: Map<string, Buffer>, from: string, to: string): void {
  entries.set("manifest.json", Buffer.from(entries.get("manifest.json")!.toString().replace(from, to)));
}

interface PartHeader {
  readonly key: { stationId: string; interval: number };
  readonly buckets: { bucketMs: number; rows: number; columns: object[]; extents: [string, object[]][] }[];
}

/** Changes the description of the first part, but not its values. */
function change(entries: Map<string, Buffer>, harm: (header: PartHeader) => unknown): void {
  const bytes = entries.get("data/1")!;
  const end = 4 + bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString("utf8", 4, end)) as PartHeader;
  harm(header);
  const json = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  entries.set("data/1", Buffer.concat([size, json, bytes.subarray(end)]));
}

function changeExtent(entries: Map<string, Buffer>, to: object): void {
  change(entries, ({ buckets: [one] }) => Object.assign(one!.extents[0]![1][0]!, to));
}

function changeColumn(entries: Map<string, Buffer>, to: object): void {
  change(entries, ({ buckets: [one] }) => Object.assign(one!.columns[0]!, to));
}
