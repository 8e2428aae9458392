import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCache } from "#main/store/index.ts";
import { RESPONSE_ROWS, KILL_STATIONS, killScope, rowsOfResponse } from "./killed.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "./folder.ts";
import { rowsAsModel } from "./model.ts";
import { tries } from "../support/endurance.ts";

const folder = temporaryFolders();
const KILLS = tries(5, 60);

/**
 * Starts a child that commits responses from `first` on, kills it after `delayMs`, and returns the last response it
 * reported.
 */
async function commitUntilKilled(path: string, first: number, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "killedWriter.ts"), path, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let last = first - 1;
  let killing = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    last = Number(text.trim().split("\n").at(-1));
    // Counted from the first commit, so that a slow start of the child does not make every kill too early.
    if (!killing) setTimeout(() => child.kill("SIGKILL"), delayMs);
    killing = true;
  });
  await once(child, "close");
  return last;
}

test("every reported response is complete after kill -9 at any time, and no other is there in part", async () => {
  const path = join(folder(), "cache.db");
  let next = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const reported = await commitUntilKilled(path, next, (kill * 37) % 101);
    const cache = openCache(path);
    expect(cache.quarantined).toBeNull();
    expect(damageOf(cache.path)).toBeNull();
    for (const stationId of KILL_STATIONS) {
      const { final, provisional } = cache.coverage(stationId, "ztd", killScope(0));
      const responses = final[0]!.endMs / killScope(0).range.endMs;
      // The child may have committed one more than it reported.
      expect([reported + 1, reported + 2]).toContain(responses);
      expect(final).toEqual([{ startMs: 0, endMs: responses * killScope(0).range.endMs }]);
      expect(provisional).toEqual([]);
      const range = { startMs: killScope(next).range.startMs, endMs: killScope(1e6).range.endMs };
      const rows = rowsAsModel(stationId, cache.rows({ ...killScope(0), range, stationId }));
      const expected = Array.from({ length: responses - next }, (_, i) => rowsOfResponse(next + i)).flat();
      expect(rows).toEqual(expected.filter((row) => row.stationId === stationId));
      expect(cache.countRows({ ...killScope(0), range: { startMs: 0, endMs: range.endMs }, stationId })).toBe(
        responses * RESPONSE_ROWS,
      );
    }
    const { final } = cache.coverage("a", "prn", killScope(0));
    next = final[0]!.endMs / killScope(0).range.endMs;
    cache.close();
  }
  expect(next).toBeGreaterThanOrEqual(KILLS);
});
