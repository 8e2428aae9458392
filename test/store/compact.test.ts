import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Cache, openCache } from "#main/store/index.ts";
import { UNSEEN } from "../support/pace.ts";
import { TEST_START_MS } from "./arbitraries.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "../support/folder.ts";
import { rowsAsModel, writeRows } from "./model.ts";

const folder = temporaryFolders();
const NATIVE = { intervalSeconds: null, raw: false } as const;
const RANGE = { startMs: TEST_START_MS, endMs: TEST_START_MS + 600 * 900_000 };
const rowsOf = (cache: Cache) =>
  rowsAsModel("a", cache.rows({ stationId: "a", variables: ["ztd"], range: RANGE, ...NATIVE }));

/** Two stations in a few dozen pages, which are copied in one step. */
function smallCache(): Cache {
  const cache = openCache(`${folder()}/cache.db`);
  const values = Array.from({ length: 600 }, (_, i) => ({ timeMs: TEST_START_MS + i * 900_000, ztd: Math.sin(i) }));
  const rows = ["a", "b"].flatMap((stationId) =>
    values.map(({ timeMs, ztd }) => ({ stationId, timeMs, values: { ztd } })),
  );
  writeRows(cache, { stationIds: ["a", "b"], variables: ["ztd"], range: RANGE, ...NATIVE }, rows);
  return cache;
}

test("a cache reads the same rows after it is compacted, can be written to, and takes less room", async () => {
  // Opened again, the log is complete in the file, as whenever a command compacts a cache.
  for (const isOpenedAgain of [false, true]) {
    const filled = smallCache();
    filled.forget(["b"], null);
    // More than SQLite keeps in memory.
    if (isOpenedAgain) for (const megabytes of [18, 17]) filled.setSetting("weight", "x".repeat(megabytes * 1e6));
    if (isOpenedAgain) filled.close();
    const cache = isOpenedAgain ? openCache(filled.path) : filled;
    const [before, bytes] = [rowsOf(cache), cache.statistics().fileBytes];
    await cache.compact(UNSEEN);
    expect(cache.statistics().fileBytes).toBeLessThan(bytes);
    expect(rowsOf(cache)).toEqual(before);
    expect(cache.forget(["a"], null)).toBe(600);
    cache.close();
    expect(damageOf(cache.path)).toBeNull();
  }
});

test("a cache is neither compacted nor cleared while another program has it open", async () => {
  const cache = smallCache();
  const other = openCache(cache.path);
  const before = rowsOf(other);
  await expect(cache.compact(UNSEEN)).rejects.toThrow("Another program is using this file. To compact the cache");
  expect(() => cache.forget(["b"], null)).toThrow("is using this file. To forget data of the cache, close it there");
  expect(rowsOf(other)).toEqual(before);
  other.setSetting("theirs", "2");
  expect(cache.setting("theirs")).toBe("2");
  other.close();
  cache.forget(["b"], null);
  await cache.compact(UNSEEN);
  cache.close();
  expect(damageOf(cache.path)).toBeNull();
});

test("a second compaction is refused, nothing is written during one, and none begins while data is deleted", async () => {
  const cache = smallCache();
  const first = cache.compact(UNSEEN);
  await expect(cache.compact(UNSEEN)).rejects.toThrow("The cache is being compacted");
  expect(() => cache.setSetting("meanwhile", "lost")).toThrow("The cache is being compacted");
  await first;
  cache.setSetting("later", "kept");
  const all = { stationIds: null, range: null, variables: null };
  const forgotten = cache.forgetInSteps(all, () => {}, UNSEEN.signal);
  await expect(cache.compact(UNSEEN)).rejects.toThrow(
    "are being deleted. Wait until that is done, or stop it, then compact.",
  );
  expect(await forgotten).toBe(1200);
  cache.close();
});

test("the copy of a compaction that was killed is deleted", () => {
  const cache = smallCache();
  cache.close();
  writeFileSync(`${cache.path}.unfinished`, "half of it");
  openCache(cache.path).close();
  expect(existsSync(`${cache.path}.unfinished`)).toBe(false);
  expect(damageOf(cache.path)).toBeNull();
});
