import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Cache,
  estimateSessionFile,
  openCache,
  readSessionFile,
  type SessionManifest,
  type SessionParts,
  writeSessionFile,
} from "#main/store/index.ts";
import { networkSchema, stationSchema } from "#shared/service/catalogue.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { anyMode, anyRange, anyVariables, TEST_START_MS, TEST_STEP_MS } from "./arbitraries.ts";
import { copySession } from "#main/store/sessionFile/read.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "./folder.ts";
import { rowsAsModel, writeRows } from "./model.ts";
import { tries } from "../support/endurance.ts";

const folder = temporaryFolders();
const NATIVE = { intervalSeconds: null, raw: false } as const;
const PACE = { onProgress: () => {}, signal: new AbortController().signal };
const BOTH = ["scalar", "satellite"] as const;
const WIDE = { startMs: TEST_START_MS - 100 * DAY_MS, endMs: TEST_START_MS + 100 * DAY_MS };
const MANIFEST: SessionManifest = {
  version: 1,
  program: "Zenith Desk 0",
  savedAtMs: TEST_START_MS,
  author: "Anna",
  connectionName: "Main",
  baseUrl: null,
  views: null,
};

function fill(cache: Cache, scope: Parameters<typeof writeRows>[1], value: number): void {
  const { startMs, endMs } = scope.range;
  const times: number[] = [];
  for (let t = Math.ceil(startMs / TEST_STEP_MS) * TEST_STEP_MS; t < endMs && times.length < 60; t += TEST_STEP_MS)
    times.push(t);
  const valuesAt = (timeMs: number) =>
    Object.fromEntries(
      scope.variables.map((v) => [v, variableKind(v) === "scalar" ? value + (timeMs % 7) : `${value}.5,1`]),
    );
  const rows = scope.stationIds.flatMap((stationId) =>
    times.map((timeMs) => ({ stationId, timeMs, values: valuesAt(timeMs) })),
  );
  writeRows(cache, scope, rows);
}

function contentsOf(cache: Cache, stationId: string, variable: Variable, mode: SeriesMode, range: TimeRange) {
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
    fill(cache, { stationIds: ["a", "b"], variables: VARIABLE_NAMES, range, ...NATIVE }, day);
  }
  return cache;
}

const stoppedAt = (share: number) => {
  const stop = new AbortController();
  return { onProgress: (at: number) => void (at > share && stop.abort(new Error("stopped"))), signal: stop.signal };
};

const sql = (text: string) => (path: string) => {
  const db = new Database(path);
  db.exec(text);
  db.close();
};

const FLIPS = tries(16, 400);

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
          answers.forEach(([scope, mode], i) => fill(cache, { ...scope, ...mode }, i));
          await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, partsOf(["a"], range), PACE);
          await copySession(`${place}/s.zenith`, "s.zenith", `${place}/copy.db`, PACE);
          const copy = openCache(`${place}/copy.db`);
          for (const [, mode] of answers) {
            for (const variable of VARIABLE_NAMES) {
              expect(contentsOf(copy, "a", variable, mode, range)).toEqual(
                contentsOf(cache, "a", variable, mode, range),
              );
              expect(contentsOf(copy, "b", variable, mode, WIDE)).toEqual({ rows: [], final: [], provisional: [] });
              // Further rows of whole chunks have the same coverage as before.
              const { final, rows } = contentsOf(copy, "a", variable, mode, WIDE);
              const before = contentsOf(cache, "a", variable, mode, WIDE);
              expect(intersect(final, before.final)).toEqual(final);
              expect(before.rows).toEqual(expect.arrayContaining(rows));
            }
          }
          expect(damageOf(copy.path)).toBeNull();
          copy.close();
          cache.close();
        },
      ),
      { numRuns: tries(8, 100) },
    );
  });

  test("has the requested stations, but no limits, pins or settings", async () => {
    const place = folder();
    const cache = filled(place);
    cache.pin(["a"], true);
    cache.setSetting("limits", "secret-setting");
    await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, partsOf(["a"], WIDE), PACE);
    const { manifest, contents } = await readSessionFile(`${place}/s.zenith`, "s", `${place}/copy.db`, PACE);
    expect(manifest).toEqual(MANIFEST);
    expect(contents).toMatchObject({ sites: 1 });
    const copy = openCache(`${place}/copy.db`);
    expect(copy.setting("limits")).toBeNull();
    expect(copy.sizes().map((s) => [s.stationId, s.isPinned])).toEqual([["a", false]]);
    expect(readFileSync(`${place}/s.zenith`).includes("secret-setting")).toBe(false);
    copy.close();
    cache.close();
  });

  test("is estimated within a third of its size", async () => {
    const place = folder();
    const cache = filled(place, 40);
    for (const days of [10, 40]) {
      const range = { startMs: TEST_START_MS, endMs: TEST_START_MS + days * DAY_MS };
      const estimated = estimateSessionFile(cache.path, partsOf(["a", "b"], range));
      const { bytes } = await writeSessionFile(
        cache.path,
        `${place}/s.zenith`,
        MANIFEST,
        partsOf(["a", "b"], range),
        PACE,
      );
      expect(estimated.stations).toBe(2);
      expect(estimated.bytes / bytes).toBeGreaterThan(0.66);
      expect(estimated.bytes / bytes).toBeLessThan(1.5);
    }
    cache.close();
  });

  test("is a snapshot of the cache despite later writes and deletions", async () => {
    const place = folder();
    const cache = filled(place, 30);
    const before = VARIABLE_NAMES.map((v) => contentsOf(cache, "b", v, NATIVE, WIDE));
    let isForgotten = false;
    const onProgress = (): void => {
      if (!isForgotten) cache.forget(["b"], null);
      isForgotten = true;
    };
    await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, partsOf(["a", "b"], WIDE), {
      ...PACE,
      onProgress,
    });
    await readSessionFile(`${place}/s.zenith`, "s", `${place}/copy.db`, PACE);
    const copy = openCache(`${place}/copy.db`);
    expect(isForgotten).toBe(true);
    expect(VARIABLE_NAMES.map((v) => contentsOf(copy, "b", v, NATIVE, WIDE))).toEqual(before);
    copy.close();
    cache.close();
  });

  test("leaves no file when its writing or reading is aborted", async () => {
    const place = folder();
    mkdirSync(place);
    const cache = filled(place, 30);
    const out = `${place}/s.zenith`;
    for (const share of [0, 0.75])
      await expect(
        writeSessionFile(cache.path, out, MANIFEST, partsOf(["a", "b"], WIDE), stoppedAt(share)),
      ).rejects.toThrow("stopped");
    await writeSessionFile(cache.path, out, MANIFEST, partsOf(["a", "b"], WIDE), PACE);
    for (const share of [0, 0.65])
      await expect(readSessionFile(out, "s", `${place}/copy.db`, stoppedAt(share))).rejects.toThrow("stopped");
    cache.close();
    expect(readdirSync(place).toSorted()).toEqual(["cache.db", "cache.db-lock", "s.zenith"]);
  });

  test("tells nobody what the service tells only to the owner of a network", async () => {
    const place = folder();
    const cache = filled(place, 1);
    const wire = { id: "a", display_name: "A", mountpoint: "SECRET1", network_id: "n" };
    const stations = [{ ...stationSchema.parse(wire), ellipsoidalHeight: 1, orthometricHeight: 2 }];
    const networks = [networkSchema.parse({ id: "n", code: "N", name: "Net", is_owner: true })];
    cache.replaceCatalogue(stations, networks, TEST_START_MS);
    await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, partsOf(["a"], WIDE), PACE);
    cache.close();
    const shared = new Database(`${place}/s.zenith`, { readonly: true });
    expect(shared.prepare("SELECT display_name, mountpoint FROM station").all()).toEqual([
      { display_name: "A", mountpoint: null },
    ]);
    expect(shared.prepare("SELECT name, is_owner FROM network").all()).toEqual([{ name: "Net", is_owner: 0 }]);
    shared.close();
    expect(readFileSync(`${place}/s.zenith`, "latin1")).not.toContain("SECRET1");
  });
});

describe("a session file that cannot be opened", () => {
  const whole = (async () => {
    const place = folder();
    const cache = filled(place);
    cache.replaceCatalogue([], [], TEST_START_MS);
    await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, partsOf(["a", "b"], WIDE), PACE);
    cache.close();
    return `${place}/s.zenith`;
  })();
  const changed = async (change: (path: string) => void): Promise<string> => {
    const place = folder();
    mkdirSync(place);
    copyFileSync(await whole, `${place}/s.zenith`);
    change(`${place}/s.zenith`);
    const refused = copySession(`${place}/s.zenith`, "s.zenith", `${place}/copy.db`, PACE);
    const outcome = await refused.then(
      () => "opened",
      (thrown: Error) => thrown.message,
    );
    expect(readdirSync(place)).toEqual(["s.zenith"]);
    return outcome;
  };
  const DAMAGED = "s.zenith: This file is damaged or incomplete. Ask for it again; nothing was saved.";

  test("is reported if it was truncated", async () => {
    const { size } = statSync(await whole);
    for (const left of [20, 4_000, 8_192, Math.floor(size / 2 / 8_192) * 8_192, size - 8_192, size - 1])
      expect(await changed((path) => truncateSync(path, left))).toBe(DAMAGED);
  });

  test("is reported if it lost, changed or gained a row", async () => {
    for (const text of [
      "DELETE FROM chunk_column WHERE id = 3",
      "DELETE FROM extent WHERE start_ms = (SELECT max(start_ms) FROM extent)",
      "DELETE FROM pyramid WHERE variable = 'ztd'",
      "UPDATE chunk_column SET data = zeroblob(length(data)) WHERE id = 5",
      "UPDATE extent SET end_ms = end_ms + 1",
      "UPDATE site SET station_id = 'c' WHERE station_id = 'a'",
      "UPDATE catalogue SET fetched_at_ms = 7",
      "INSERT INTO station (station_id, position, display_name, source_type, resolution_seconds, location_alias, country_code, height_reference, network_id, network_code) VALUES ('x', 1, 'x', '', 1, '', '', '', '', '')",
      "UPDATE session SET content = replace(content, 'Anna', 'Otto')",
      "DROP TABLE pyramid; CREATE VIEW pyramid AS SELECT 1",
    ])
      expect([text, await changed(sql(text))]).toEqual([text, DAMAGED]);
  });

  test("is rejected or has its original contents with any byte changed", async () => {
    const place = folder();
    const cache = filled(place, 30);
    await writeSessionFile(cache.path, `${place}/s.zenith`, MANIFEST, partsOf(["a", "b"], WIDE), PACE);
    const all = (of: Cache) =>
      ["a", "b"].flatMap((id) => VARIABLE_NAMES.map((v) => contentsOf(of, id, v, NATIVE, WIDE)));
    const before = all(cache);
    cache.close();
    const original = readFileSync(`${place}/s.zenith`);
    const found: string[] = [];
    for (let i = 0; i < FLIPS; i++) {
      const bytes = Buffer.from(original);
      bytes[100 + Math.floor(((i + 0.37) / FLIPS) * (original.length - 100))]! ^= 0x5a;
      writeFileSync(`${place}/s.zenith`, bytes);
      const read = copySession(`${place}/s.zenith`, "s.zenith", `${place}/copy${i}.db`, PACE);
      const outcome = await read.then(
        () => "opened",
        (thrown: Error) => thrown.message,
      );
      if (outcome === "opened") {
        const copy = openCache(`${place}/copy${i}.db`);
        found.push(isDeepStrictEqual(all(copy), before) ? "as it was" : "changed");
        copy.close();
      } else found.push(outcome);
    }
    expect(new Set(found)).toEqual(new Set(["as it was", DAMAGED]));
    expect(found.filter((f) => f === DAMAGED).length).toBeGreaterThan(FLIPS / 8);
  });

  test("is reported if it is of a newer version or another program", async () => {
    const newer = "s.zenith: This file was written by a newer version of Zenith Desk: update the program to open it.";
    const foreign =
      "s.zenith: This is not a session of Zenith Desk. Such files end in “.zenith” and are written with “Share”.";
    expect(await changed(sql("PRAGMA user_version = 99"))).toBe(newer);
    expect(await changed(sql(`UPDATE session SET content = replace(content, '"version":1', '"version":2')`))).toBe(
      newer,
    );
    expect(await changed(sql("PRAGMA application_id = 5"))).toBe(foreign);
    expect(await changed((path) => writeFileSync(path, "hello"))).toBe(foreign);
    expect(await changed((path) => writeFileSync(path, ""))).toBe(foreign);
  });

  test("is reported if it does not exist", async () => {
    const place = folder();
    await expect(readSessionFile(`${place}/none.zenith`, "none", `${place}/copy.db`, PACE)).rejects.toThrow(
      "does not exist",
    );
    expect(existsSync(`${place}/copy.db`)).toBe(false);
  });
});
