import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { openTrial } from "./trial.ts";

const { home } = await openTrial(["fetch", "Torsvika", "Heinäniemi", "--day", "2026-10-05"]);

it("cache lists sizes, pins a station and sets a maximum size", async () => {
  await home.json(["cache", "pin", "Torsvika"]);
  const { stations } = await home.json<{ stations: Record<string, unknown>[] }>(["cache", "stations"]);
  expect(stations).toHaveLength(2);
  expect(stations.find((s) => s["name"] === "Torsvika")).toMatchObject({
    is_pinned: true,
    total_bytes: expect.any(Number),
  });
  expect((await home.run(["cache", "stations"])).stdout).toMatch(/^Torsvika +[\d.]+ kB +pinned .* [\d.]+ kB/m);
  expect(await home.json(["cache", "max-size", "20GB"])).toMatchObject({ maximum_bytes: 20e9 });
  expect((await home.run(["cache", "max-size"])).stdout).toContain("The maximum size is 20.0 GB.");
  expect(await home.json(["cache", "max-size", "none"])).toMatchObject({ maximum_bytes: null });
  expect((await home.run(["cache", "max-size", "5"])).stderr).toContain("500MB");
  expect((await home.run(["cache", "max-size", "5MB"])).stderr).toContain("The smallest maximum size is 10MB.");
});

it("cache move moves the file, but not while a window has it open", async () => {
  const before = await home.json<{ path: string; rows: number }>(["cache"]);
  // A mistyped folder is not created.
  const mistyped = await home.run(["cache", "move", "elsewhere/cache.db"]);
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringMatching(/There is no folder .*elsewhere: check/)]);
  expect([existsSync(join(home.folder, "elsewhere")), existsSync(before.path)]).toEqual([false, true]);
  mkdirSync(join(home.folder, "elsewhere"));
  // Like a window that opened the file and has not written to it.
  const window = openCache(before.path);
  const refused = await home.run(["cache", "move", "elsewhere/cache.db"]);
  window.close();
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining("To move the cache, close it there")]);
  const path = join(home.folder, "elsewhere", "cache.db");
  const moved = await home.run(["--json", "cache", "move", "elsewhere/cache.db"]);
  expect(JSON.parse(moved.stdout)).toMatchObject({ path, old_left_at: null });
  expect(moved.stderr).toContain('"share":1');
  expect(existsSync(before.path)).toBe(false);
  expect(await home.json(["cache"])).toMatchObject({ path, rows: before.rows });
});

it("a cache on a disk that has another path now is connected again, and one in the data folder moves with it", async () => {
  const owned = await home.json<{ path: string; rows: number }>(["cache"]);
  const disk = join(home.folder, "disk");
  mkdirSync(disk);
  // An existing folder: the file keeps its name.
  const { path } = await home.json<{ path: string }>(["cache", "move", disk]);
  expect(path).toBe(join(disk, basename(owned.path)));
  const mounted = join(home.folder, "mounted");
  renameSync(disk, mounted);
  const lost = await home.run(["cache"]);
  expect([lost.code, lost.stderr]).toEqual([6, expect.stringContaining("zenith.js cache adopt")]);
  // The folder at which the disk was mounted.
  mkdirSync(disk);
  const unmounted = await home.run(["fetch", "Torsvika", "--day", "2026-10-05"]);
  expect([unmounted.code, unmounted.stderr]).toEqual([6, expect.stringContaining("Attach its disk")]);
  expect(readdirSync(disk)).toEqual([]);
  const found = join(mounted, basename(path));
  const adopted = await home.json<{ connection: { name: string; has_key: boolean } }>(["cache", "adopt", found]);
  expect(adopted.connection).toMatchObject({ name: "trial", has_key: true });
  expect(await home.json(["cache"])).toMatchObject({ path: found, rows: owned.rows });

  const folder = join(home.folder, "home");
  const inside = join(folder, "cache-trial.db");
  expect(await home.json(["cache", "move", inside])).toMatchObject({ path: inside });
  const copied = join(home.folder, "copied");
  renameSync(folder, copied);
  try {
    expect(await home.json(["cache", "--data-folder", copied])).toMatchObject({
      path: join(copied, "cache-trial.db"),
      rows: owned.rows,
    });
  } finally {
    renameSync(copied, folder);
  }
});

it("cache adopt refuses the cache of a connection, also under another path", async () => {
  const { path, rows } = await home.json<{ path: string; rows: number }>(["cache"]);
  const [folder, other] = [join(home.folder, "folder"), join(home.folder, "other.db")];
  symlinkSync(dirname(path), folder, "junction");
  linkSync(path, other);
  for (const same of [path, join(folder, basename(path)), other]) {
    const ended = await home.run(["cache", "adopt", same, "--name", "second"]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("is the cache of “trial” already") });
  }
  expect(await home.json(["cache"])).toMatchObject({ path, rows });
  for (const name of [folder, other]) rmSync(name);
});

it("cache adopt restores a cache without its connection, and restore puts back a backup of user.db", async () => {
  const { path, rows } = await home.json<{ path: string; rows: number }>(["cache"]);
  const folder = join(home.folder, "home");
  const users = join(folder, "user.db");
  writeFileSync(users, "not a database".repeat(1_000));
  const refused = await home.run(["cache"]);
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringMatching(/“node .*zenith\.js restore newest”/)]);
  expect(await home.run(["restore", "newest"])).toMatchObject({ code: 0 });
  expect(await home.json(["cache"])).toMatchObject({ path, rows });
  // Without a backup of user.db, the connection is read from the cache.
  for (const name of readdirSync(folder)) if (name.startsWith("user.db")) rmSync(join(folder, name));
  expect((await home.run(["cache"])).code).toBe(2);
  expect(await home.run(["cache", "adopt", path, "--url", "https://elsewhere.example.org"])).toMatchObject({ code: 2 });
  const { connection } = await home.json<{ connection: { name: string } }>(["cache", "adopt", path]);
  expect(await home.json(["cache", "--connection", connection.name])).toMatchObject({ path, rows });
});

it("open says of user.db and of a cache that they are no exports, and how to use them", async () => {
  const { path: cache } = await home.json<{ path: string }>(["cache", "path"]);
  const user = join(home.folder, "home", "user.db");
  const database = await home.run(["open", user]);
  expect(database).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/own database .* not an export.*--data-folder/),
  });
  const opened = await home.run(["open", cache]);
  expect(opened).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/a cache of Zenith Desk, not an export.*adopt/),
  });
  expect(database.stderr + opened.stderr).not.toContain("damaged");
});

it("cache forget deletes a time and a variable of a station, and nothing else", async () => {
  const rowsOf = async (station: string, variable: string): Promise<number> => {
    const day = ["--day", "2026-10-05", "--vars", variable];
    const { stations } = await home.json<{ stations: { rows: number }[] }>(["fetch", station, ...day]);
    return stations[0]?.rows ?? 0;
  };
  const forgotten = async (...words: string[]): Promise<unknown> =>
    (await home.json(["cache", "forget", ...words]))["forgotten_rows"];
  const before = await rowsOf("Torsvika", "ztd");
  const hour = ["--from", "2026-10-05T06:00", "--before", "2026-10-05T07:00"];
  expect(await forgotten("--stations", "Torsvika", ...hour, "--vars", "ztd")).toBe(120);
  const left = await home.json<{ gaps: Record<string, unknown>[] }>([
    "gaps",
    "Torsvika",
    "Heinäniemi",
    "--day",
    "2026-10-05",
  ]);
  expect(left.gaps.filter(({ cause }) => cause === "notRequested")).toMatchObject([
    { variable: "ztd", start: "2026-10-05T06:00:00Z", end: "2026-10-05T07:00:00Z" },
  ]);
  expect(await rowsOf("Torsvika", "ztd")).toBe(before);
  expect(await forgotten("--from", "2026-10-06")).toBe(0);
  const never = await home.run(["cache", "forget", "--from", "2026-10-06", "--before", "2026-10-06"]);
  expect([never.code, never.stderr]).toEqual([2, expect.stringContaining("write the earlier time after --from")]);
});

it("cache forget shows its progress", async () => {
  const { rows } = await home.json<{ rows: number }>(["cache"]);
  const forgotten = await home.run(["--json", "cache", "forget", "--all"]);
  expect(JSON.parse(forgotten.stdout)).toMatchObject({ forgotten_rows: rows });
  expect(forgotten.stderr).toContain('"share":1');
});

it("a cache has no more than its maximum after each fetch, also of a station that every command uses", async () => {
  const { home: own } = await openTrial(["fetch", "Torsvika", "--day", "2026-10-05"]);
  const { path } = await own.json<{ path: string }>(["cache", "path"]);
  const cache = openCache(path);
  // Less than the command line accepts.
  cache.setSetting("maximumBytes", "1000");
  cache.close();
  await own.json(["fetch", "Torsvika", "--day", "2026-10-06"]);
  expect(await own.json(["cache", "stations"])).toMatchObject({ stations: [] });
});
