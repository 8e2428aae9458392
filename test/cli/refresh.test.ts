import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { openTrial } from "./trial.ts";

const DAY = ["--day", "2026-09-05", "--vars", "ztd"];
const START_MS = Date.UTC(2026, 8, 5);

const { home } = await openTrial();
const data = join(home.folder, "home");
await home.json(["fetch", "Torsvika", ...DAY]);

it("fetch --refresh requests cached data again, and reports what changed by station and day", async () => {
  const planned = await home.json(["plan", "Torsvika", ...DAY, "--refresh"]);
  expect(planned["points_to_fetch"]).toBe(2_880);
  // As if the service had sent other values before, and one row less.
  const name = readdirSync(data).find((file) => /^cache-.*\.db$/.test(file))!;
  const cache = openCache(join(data, name));
  const [station] = cache.catalogue().stations.filter((one) => one.displayName === "Torsvika");
  const { id: stationId } = station!;
  const mode = { intervalSeconds: null, raw: false };
  const range = { startMs: START_MS, endMs: START_MS + 86_400_000 };
  const { timesMs } = cache.rows({ stationId, variables: ["ztd"], range, ...mode });
  const [first, second, third] = timesMs;
  const writer = cache.openResponse({ stationIds: [stationId], variables: ["ztd"], range, ...mode });
  writer.add({
    stationId,
    timesMs: Float64Array.of(first!, second!),
    scalars: { ztd: Float64Array.of(1, 2) },
    texts: {},
  });
  writer.commit(() => ({ final: [], provisional: [] }));
  cache.forget([stationId], { startMs: third!, endMs: third! + 1 });
  cache.close();
  const { refreshed } = await home.json(["fetch", "Torsvika", ...DAY, "--refresh"]);
  const day = { station_id: stationId, day: "2026-09-05T00:00:00Z", added: 1, changed: 2, kept: 0 };
  expect(refreshed).toEqual({ added: 1, changed: 2, kept: 0, days: [day], more_days: 0 });
  const again = await home.run(["fetch", "Torsvika", ...DAY, "--refresh"]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Compared with the cache: no changes.") });
  expect(readdirSync(data).filter((file) => file.startsWith("refresh-"))).toEqual([]);
});

it("fetch --refresh keeps what the service no longer delivers, and prints the commands that remove it", async () => {
  const name = readdirSync(data).find((file) => /^cache-.*\.db$/.test(file))!;
  const rows = async (): Promise<number> => Number((await home.json(["cache"]))["rows"]);
  // A day that the commands leave alone.
  await home.json(["fetch", "Torsvika", "--day", "2026-09-03", "--vars", "ztd"]);
  const before = await rows();
  const cache = openCache(join(data, name));
  const stationId = cache.catalogue().stations.find((one) => one.displayName === "Torsvika")!.id;
  const range = { startMs: START_MS, endMs: START_MS + 86_400_000 };
  const scope = { stationIds: [stationId], variables: ["ztd" as const], range, intervalSeconds: null, raw: false };
  const writer = cache.openResponse(scope);
  const timesMs = Float64Array.of(START_MS + 15_000);
  writer.add({ stationId, timesMs, scalars: { ztd: Float64Array.of(1) }, texts: {} });
  writer.commit(() => ({ final: [], provisional: [] }));
  cache.close();
  const ended = await home.run(["fetch", "Torsvika", ...DAY, "--refresh"]);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain("The service no longer delivers 1 row of the cache, or some of its values.");
  expect(ended.stdout).toContain("Compared with the cache: 1 row no longer delivered.");
  expect(ended.stdout).not.toContain("--resume");
  expect(await rows()).toBe(before + 1);
  const commands = [...ended.stdout.matchAll(/^ {2}.*? ((?:cache forget|fetch) .*)$/gm)].map(([, words = ""]) => words);
  expect(commands).toHaveLength(2);
  const left: number[] = [];
  for (const words of commands) {
    expect((await home.run(words.split(" "))).code).toBe(0);
    left.push(await rows());
  }
  // The first one deletes no other day.
  expect(left).toEqual([expect.toSatisfy((n: number) => n > 0 && n < before), before]);
});
