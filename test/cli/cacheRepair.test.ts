import { readFileSync, statSync, truncateSync } from "node:fs";
import Database from "better-sqlite3";
import { openTables } from "#main/store/tables/index.ts";
import { expect, it } from "vitest";
import { overwrite, PAGE_BYTES } from "../store/corrupt.ts";
import { itNightly } from "../support/needs.ts";
import { openTrial } from "./trial.ts";

const DAYS = ["2026-10-05", "2026-10-06", "2026-10-07"];
const FETCH = ["fetch", "Torsvika", "--from", DAYS[0]!, "--to", "2026-10-08", "--vars", "ztd"];
const { home } = await openTrial(FETCH);
const { path, rows } = await home.json<{ path: string; rows: number }>(["cache"]);

/** Changes one byte of the values of a day without an error from SQLite. */
function damageDay(day: string): void {
  const db = new Database(path);
  const { buckets } = openTables(db);
  const key = buckets.keys().find(({ kind }) => kind === "scalar");
  const { id } = buckets.find(key!, Date.parse(day))!.column("ztd")!;
  const data = db.prepare<[number], Buffer>("SELECT data FROM bucket_column WHERE id = ?").pluck().get(id);
  db.close();
  const file = readFileSync(path);
  const at = file.indexOf(data!.subarray(0, 64));
  expect(at).toBeGreaterThan(0);
  overwrite(path, at + 40, Uint8Array.of(file[at + 40]! ^ 4));
}

it("check names the damaged day without a change, repair removes only that day, and fetch downloads it again", async () => {
  damageDay(DAYS[1]!);
  const { damages } = await home.json<{ damages: Record<string, unknown>[] }>(["cache", "check"], 3);
  expect(damages).toMatchObject([{ variables: ["ztd"] }]);
  const checked = await home.run(["cache", "check"]);
  expect(checked.code).toBe(3);
  expect(checked.stdout).toContain(`Torsvika  ztd  every observation  ${DAYS[1]}`);
  expect((await home.json<{ damages: unknown[] }>(["cache", "repair"])).damages).toHaveLength(1);
  expect(await home.run(["cache", "check"])).toMatchObject({ code: 0, stdout: expect.stringContaining("No damage") });
  const left = await home.json<{ rows: number }>(["cache"]);
  expect(left.rows).toBe(rows - rows / DAYS.length);
  await home.json(FETCH);
  expect(await home.json(["cache"])).toMatchObject({ rows });
});

it("an export omits the damaged day, names it, and exits with 3", async () => {
  damageDay(DAYS[2]!);
  const words = ["Torsvika", "--from", DAYS[0]!, "--to", "2026-10-08", "--vars", "ztd"];
  const exported = await home.run(["export", ...words, "--out", "out.csv"]);
  expect(exported.stderr).toContain(`Torsvika  ztd  every observation  ${DAYS[2]}`);
  expect(exported.code).toBe(3);
  await home.json(FETCH);
  expect(await home.json(["cache"])).toMatchObject({ rows });
});

it("a damaged catalogue is requested again", async () => {
  const db = new Database(path);
  db.exec("UPDATE catalogue SET content = zeroblob(length(content))");
  db.close();
  const listed = await home.json<{ stations: { display_name: string }[] }>(["stations"]);
  expect(listed.stations.map(({ display_name }) => display_name)).toContain("Torsvika");
});

it("repair copies the sound rows of a damaged file to a new one; the old file can be adopted and deleted", async () => {
  const file = readFileSync(path);
  const db = new Database(path, { readonly: true });
  const page = db.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'pyramid'").pluck().get()!;
  db.close();
  overwrite(path, (page - 1) * PAGE_BYTES, new Uint8Array(200).fill(0xa5));
  expect(file.length).toBeGreaterThan(0);
  await home.run(["cache", "repair"]);
  const after = await home.run(["cache", "statistics"]);
  expect(after.code).toBe(0);
  expect(await home.json(["cache"])).toMatchObject({ rows });
  await home.json(["cache", "check"]);
  const { files } = await home.json<{ files: { name: string }[] }>(["cache", "quarantine"]);
  expect(files).toHaveLength(1);
  await home.run(["cache", "forget", "--all"]);
  expect(await home.json(["cache", "quarantine", "adopt"])).toMatchObject({ rows });
  expect(await home.json(["cache"])).toMatchObject({ rows });
  expect(await home.json(["cache", "quarantine", "delete", files[0]!.name])).toMatchObject({
    deleted: [files[0]!.name],
  });
  expect((await home.run(["cache", "quarantine", "delete", "none"])).code).toBe(2);
});

itNightly(
  "a command that rebuilds a file that was cut short says so, copies what is left, and exits with 3",
  async () => {
    const { rows: before } = await home.json<{ rows: number }>(["cache"]);
    expect(before).toBeGreaterThan(0);
    truncateSync(path, statSync(path).size - PAGE_BYTES);
    const checked = await home.json<{ rebuilt: { rows: number; lostRows: number | null } }>(["cache", "check"], 3);
    expect(checked.rebuilt.rows).toBeGreaterThan(0);
    expect(checked.rebuilt.rows + (checked.rebuilt.lostRows ?? 0)).toBeGreaterThanOrEqual(before / 2);
    await home.json(["cache", "check"]);
  },
);

it("a check that finds a broken page never calls the cache intact before it says that it was rebuilt", async () => {
  await home.json(FETCH);
  const db = new Database(path, { readonly: true });
  const page = db.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'pyramid'").pluck().get()!;
  db.close();
  overwrite(path, (page - 1) * PAGE_BYTES, new Uint8Array(200).fill(0xa5));
  expect(await home.json(["cache", "check"], 3)).toMatchObject({ rebuilt: null });
  const second = await home.run(["cache", "check"]);
  expect(second).toMatchObject({ code: 3, stdout: expect.stringContaining("has been rebuilt") });
  await home.json(["cache", "check"]);
});
